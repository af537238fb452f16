#include "core/model/te_llama/family.h"

#include "core/model/te_llama/fused_checkpoint.h"
#include "core/model/te_llama/fused_family.h"

namespace qs::core::te_llama {

namespace {

Result<OpenedModel> generate(const std::string& text, std::int64_t seed)
{
    QS_TRY(const Variant variant, namedVariant(text));
    OpenedModel opened;
    opened.model.variant = toText(variant);
    opened.model.displayName = "Fused Llama " + text;
    opened.model.family = makeFamily(variant);
    opened.model.contentId =
        "generated:te-llama:" + opened.model.variant + ":" + std::to_string(seed);
    return opened;
}

}  // namespace

FamilySpec familySpec()
{
    FamilySpec spec{.name = "te-llama",
                    .description =
                        "Llama blocks with fused products, as TransformerEngine's benchmark of "
                        "selective compilation has them: one pass over a sequence",
                    .sizes = {sequenceSpec()},
                    .stages = {"forward"},
                    .generate = generate,
                    .recognises = isCheckpoint,
                    .open = openCheckpoint,
                    .inspect = inspectCheckpoint};
    for (const llama::PublishedModel& variant : publishedVariants())
        spec.variants.emplace_back(variant.name);
    return spec;
}

}  // namespace qs::core::te_llama
