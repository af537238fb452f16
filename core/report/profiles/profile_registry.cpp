#include "core/report/profiles/profile_registry.h"

#include "core/report/profiles/gptq_profile.h"
#include "core/report/profiles/olmoearth_profile.h"
#include "core/report/profiles/resnet_profile.h"
#include "core/report/profiles/surgical_profile.h"
#include "core/report/profiles/vitok_profile.h"

namespace qs::core {

const std::vector<ExportProfile>& exportProfiles()
{
    static const std::vector<ExportProfile> profiles{
        vitokProfile(), olmoearthProfile(), resnetProfile(), surgicalProfile(), gptqProfile()};
    return profiles;
}

Result<const ExportProfile*> findExportProfile(std::string_view id)
{
    std::string known;
    for (const ExportProfile& profile : exportProfiles()) {
        if (profile.id == id)
            return &profile;
        known += (known.empty() ? "" : ", ") + profile.id;
    }
    return Error{ErrorCode::InvalidArgument,
                 "unknown profile \"" + std::string(id.substr(0, 60)) + "\"; there are " + known};
}

}  // namespace qs::core
