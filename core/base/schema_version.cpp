#include "core/base/schema_version.h"

#include "core/base/excerpt.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace qs::core {

Status checkSchemaVersion(const JsonView& json, int known)
{
    const auto found = json.member("schema_version");
    if (found && found->wholeNumber() == known)
        return {};
    const std::string version =
        found ? "schema version " + excerpt(jsonText(found->json())) : "no schema version";
    return Error{ErrorCode::Unsupported,
                 fmt::format("{}, but this program reads version {}", version, known)};
}

}  // namespace qs::core
