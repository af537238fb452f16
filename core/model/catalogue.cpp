#include "core/model/catalogue.h"

#include "core/model/vitok/checkpoint.h"
#include "core/model/vitok/vitok.h"

namespace qs::core {

namespace {

void append(std::string& text, const std::string& title, const std::vector<std::string>& lines)
{
    if (lines.empty())
        return;
    text += "\n" + title;
    for (const std::string& line : lines)
        text += "\n  " + line;
}

Result<OpenedModel> openGeneratedVitok(const std::string& reference, const std::string& name,
                                       std::int64_t seed)
{
    const vitok::PublishedModel* published = vitok::findPublished(name);
    QS_TRY(const vitok::Variant variant,
           vitok::parseVariant(published != nullptr ? published->variant : std::string_view(name)));
    OpenedModel opened;
    opened.model.reference = reference;
    opened.model.variant = vitok::toText(variant);
    opened.model.displayName =
        "ViTok " + (published != nullptr ? std::string(published->name) : opened.model.variant);
    opened.model.family = vitok::makeFamily(variant);
    opened.model.weights = GeneratedWeights{seed};
    opened.model.contentId = "generated:vitok:" + opened.model.variant + ":" + std::to_string(seed);
    opened.report.recognised =
        opened.model.displayName + " with generated weights, seed " + std::to_string(seed);
    opened.report.storedTypes = "none (generated on the device)";
    return opened;
}

} // namespace

std::string LoadReport::text() const
{
    std::string text = recognised + "\nstored as " + storedTypes;
    append(text, "Missing tensors (the checkpoint is not whole, or belongs to another variant):",
           missing);
    append(text, "Tensors of another shape:", misshaped);
    append(text, "Tensors that are not used:", unexpected);
    append(text, "Legacy names that were understood:", renamed);
    return text;
}

Result<OpenedModel> openModel(const std::string& reference,
                              const std::filesystem::path& resourceFolder, std::int64_t seed)
{
    static constexpr std::string_view kVitok = "vitok:";
    if (reference.starts_with(kVitok))
        return openGeneratedVitok(reference, reference.substr(kVitok.size()), seed);
    const bool demo = reference == "demo";
    const std::filesystem::path path =
        demo ? resourceFolder / "demo_model" : std::filesystem::path(reference);
    QS_TRY(OpenedModel opened, vitok::openCheckpoint(path));
    opened.model.reference = reference;
    if (demo)
        opened.model.displayName = "Demo ViTok";
    return opened;
}

} // namespace qs::core
