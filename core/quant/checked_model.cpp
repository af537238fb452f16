#include "core/quant/checked_model.h"

#include "core/model/catalogue.h"
#include "core/model/quantized/family.h"
#include "core/quant/stored_weights.h"

#include <utility>

namespace qs::core {

Result<OpenedModel> openCheckedModel(const std::string& reference,
                                     const std::filesystem::path& resourceFolder, std::int64_t seed)
{
    QS_TRY(OpenedModel opened, openModel(reference, resourceFolder, seed));
    QS_RETURN_IF_ERROR(checkStoredWeights(opened.model));
    return opened;
}

ModelInspection inspectCheckedModel(const std::string& reference,
                                    const std::filesystem::path& resourceFolder, std::int64_t seed)
{
    ModelInspection inspection = inspectModel(reference, resourceFolder, seed);
    // Models of other families hold no schemes: their headers are not read twice.
    if (!inspection.usable() || familyOf(reference, resourceFolder) != quantized::familySpec().name)
        return inspection;
    if (const auto opened = openCheckedModel(reference, resourceFolder, seed); !opened.ok())
        inspection.status = opened.error();
    return inspection;
}

}  // namespace qs::core
