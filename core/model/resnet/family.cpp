#include "core/model/resnet/family.h"

#include "core/model/resnet/checkpoint.h"
#include "core/model/resnet/resnet.h"

namespace qs::core::resnet {

namespace {

Result<OpenedModel> generate(const std::string& text, std::int64_t seed)
{
    QS_TRY(const Variant variant, parseVariant(text));
    OpenedModel opened;
    opened.model.variant = toText(variant);
    opened.model.displayName = "ResNet " + opened.model.variant;
    opened.model.family = makeFamily(variant);
    opened.model.contentId =
        "generated:resnet:" + opened.model.variant + ":" + std::to_string(seed);
    return opened;
}

}  // namespace

FamilySpec familySpec()
{
    return {.name = "resnet",
            .description = "ResNet image classifier of basic blocks, as torchvision has it",
            .sizes = {imageSizeSpec()},
            .stages = {"network"},
            .variants = {"18/10", "18"},
            .generate = generate,
            .recognises = isCheckpoint,
            .open = openCheckpoint,
            .inspect = inspectCheckpoint};
}

}  // namespace qs::core::resnet
