#include "core/model/olmoearth/family.h"

#include "core/model/olmoearth/checkpoint.h"
#include "core/model/olmoearth/olmoearth.h"

namespace qs::core::olmoearth {

namespace {

Result<OpenedModel> generate(const std::string& text, std::int64_t seed)
{
    QS_TRY(const Variant variant, parseVariant(text));
    OpenedModel opened;
    opened.model.variant = toText(variant);
    opened.model.displayName = "OlmoEarth " + opened.model.variant;
    opened.model.family = makeFamily(variant);
    opened.model.contentId =
        "generated:olmoearth:" + opened.model.variant + ":" + std::to_string(seed);
    return opened;
}

}  // namespace

FamilySpec familySpec()
{
    FamilySpec spec{.name = "olmoearth",
                    .description = "OlmoEarth encoder of satellite images (Sentinel-2, Sentinel-1, "
                                   "Landsat)",
                    .sizes = sizeSpecs(),
                    .stages = {"encoder"},
                    .generate = generate,
                    .recognises = isCheckpoint,
                    .open = openCheckpoint,
                    .inspect = inspectCheckpoint};
    for (const PublishedSize& size : publishedSizes())
        spec.variants.emplace_back(size.name);
    return spec;
}

}  // namespace qs::core::olmoearth
