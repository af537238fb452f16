#include "core/model/llama/family.h"

#include "core/model/llama/checkpoint.h"
#include "core/model/llama/llama.h"

namespace qs::core::llama {

namespace {

Result<OpenedModel> generate(const std::string& text, std::int64_t seed)
{
    const PublishedModel* published = findPublished(text);
    QS_TRY(const Config config,
           parseConfig(published != nullptr ? published->config : std::string_view(text)));
    OpenedModel opened;
    opened.model.variant = toText(config);
    opened.model.displayName =
        "Llama " + (published != nullptr ? std::string(published->name) : opened.model.variant);
    opened.model.family = makeFamily(config);
    opened.model.contentId = "generated:llama:" + opened.model.variant + ":" + std::to_string(seed);
    return opened;
}

}  // namespace

FamilySpec familySpec()
{
    FamilySpec spec{.name = "llama",
                    .description = "Causal language model in the shape of Llama: prefill and "
                                   "decode with a cache of keys and values",
                    .sizes = sizeSpecs(),
                    .stages = {"prefill", "decode"},
                    .generate = generate,
                    .recognises = isCheckpoint,
                    .open = openCheckpoint,
                    .inspect = inspectCheckpoint};
    for (const PublishedModel& model : publishedModels())
        spec.variants.emplace_back(model.name);
    return spec;
}

}  // namespace qs::core::llama
