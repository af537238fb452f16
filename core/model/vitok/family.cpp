#include "core/model/vitok/family.h"

#include "core/base/excerpt.h"
#include "core/model/vitok/checkpoint.h"
#include "core/model/vitok/vitok.h"

namespace qs::core::vitok {

namespace {

std::string publishedNames()
{
    std::string names;
    for (const PublishedModel& model : publishedModels())
        names += (names.empty() ? "" : ", ") + std::string(model.name);
    return names;
}

Result<OpenedModel> generate(const std::string& name, std::int64_t seed)
{
    const PublishedModel* published = findPublished(name);
    if (published == nullptr && name.find('/') == std::string::npos)
        return Error{ErrorCode::InvalidArgument,
                     "\"" + excerpt(name) + "\" is no ViTok model: write a variant as in " +
                         "vitok:Ld4-Ld24/1x16x64, or one of " + publishedNames()};
    QS_TRY(const Variant variant,
           parseVariant(published != nullptr ? published->variant : std::string_view(name)));
    OpenedModel opened;
    opened.model.variant = toText(variant);
    opened.model.displayName =
        "ViTok " + (published != nullptr ? std::string(published->name) : opened.model.variant);
    opened.model.family = makeFamily(variant);
    opened.model.contentId = "generated:vitok:" + opened.model.variant + ":" + std::to_string(seed);
    return opened;
}

}  // namespace

FamilySpec familySpec()
{
    FamilySpec spec{.name = "vitok",
                    .description = "ViTok image autoencoder: an encoder and a decoder of parallel "
                                   "transformer blocks",
                    .sizes = sizeSpecs(16),
                    .stages = {"encoder", "decoder"},
                    .generate = generate,
                    .open = openCheckpoint,
                    .inspect = inspectCheckpoint};
    for (const PublishedModel& model : publishedModels())
        spec.variants.emplace_back(model.name);
    return spec;
}

}  // namespace qs::core::vitok
