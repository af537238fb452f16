#include "core/model/quantized/family.h"

#include "core/model/quantized/checkpoint.h"

namespace qs::core::quantized {

FamilySpec familySpec()
{
    return {.name = "quantized",
            .description = "Checkpoint of quantscope-cli quantize, of a model of any family",
            .recognises = isCheckpoint,
            .open = openCheckpoint,
            .inspect = inspectCheckpoint};
}

}  // namespace qs::core::quantized
