#include "core/model/catalogue.h"

#include "core/base/excerpt.h"
#include "core/model/foreign_file.h"
#include "core/model/vitok/checkpoint.h"
#include "core/model/vitok/vitok.h"

namespace qs::core {

namespace {

constexpr const char* kDemoName = "Demo ViTok";

void append(std::string& text, const std::string& title, const std::vector<std::string>& lines)
{
    if (lines.empty())
        return;
    text += "\n" + title;
    for (const std::string& line : lines)
        text += "\n  " + line;
}

std::string publishedNames()
{
    std::string names;
    for (const vitok::PublishedModel& model : vitok::publishedModels())
        names += (names.empty() ? "" : ", ") + std::string(model.name);
    return names;
}

Result<OpenedModel> openGeneratedVitok(const std::string& reference, const std::string& name,
                                       std::int64_t seed)
{
    const vitok::PublishedModel* published = vitok::findPublished(name);
    if (published == nullptr && name.find('/') == std::string::npos)
        return Error{ErrorCode::InvalidArgument,
                     "unknown ViTok variant \"" + excerpt(name) +
                         "\": expected a variant such as vitok:Ld4-Ld24/1x16x64, or one of " +
                         publishedNames()};
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

}  // namespace

std::string LoadReport::text() const
{
    std::string text = recognised + "\nstored as " + storedTypes;
    append(text, "Missing tensors (the checkpoint is incomplete, or of another variant):", missing);
    append(text, "Tensors of another shape or type:", misshaped);
    append(text, "Unused tensors:", unexpected);
    append(text, "Legacy names:", renamed);
    return text;
}

namespace {

constexpr std::string_view kVitok = "vitok:";
constexpr std::string_view kDemo = "demo";

std::filesystem::path pathOf(const std::string& reference,
                             const std::filesystem::path& resourceFolder)
{
    return reference == kDemo ? resourceFolder / "demo_model" : std::filesystem::path(reference);
}

// What else could have been meant, where a path leads nowhere; what a file is that is no model.
Error withHint(const Error& error, const std::string& reference, const std::filesystem::path& path)
{
    if (error.code == ErrorCode::Format) {
        if (const auto format = foreignFormat(path))
            return {ErrorCode::Format, path.string() + " " + *format};
    }
    if (error.code != ErrorCode::NotFound || reference == kDemo)
        return error;
    return {ErrorCode::NotFound,
            error.message + "\nA model is \"demo\", a name such as vitok:350M-f16x64, a folder or "
                            "a .safetensors file"};
}

}  // namespace

bool isModelPath(const std::string& reference)
{
    return reference != kDemo && !reference.starts_with(kVitok);
}

Result<OpenedModel> openModel(const std::string& reference,
                              const std::filesystem::path& resourceFolder, std::int64_t seed)
{
    if (reference.starts_with(kVitok))
        return openGeneratedVitok(reference, reference.substr(kVitok.size()), seed);
    const std::filesystem::path path = pathOf(reference, resourceFolder);
    Result<OpenedModel> found = vitok::openCheckpoint(path);
    if (!found.ok())
        return withHint(found.error(), reference, path);
    Model& model = found.value().model;
    model.reference = reference;
    if (reference == kDemo)
        model.displayName = kDemoName;
    return found;
}

ModelInspection inspectModel(const std::string& reference,
                             const std::filesystem::path& resourceFolder, std::int64_t seed)
{
    ModelInspection inspection;
    if (reference.starts_with(kVitok)) {
        auto opened = openGeneratedVitok(reference, reference.substr(kVitok.size()), seed);
        if (opened.ok()) {
            inspection.displayName = opened.value().model.displayName;
            inspection.family = opened.value().model.family;
            inspection.report = std::move(opened.value().report);
        } else {
            inspection.displayName = reference;
            inspection.status = opened.error();
        }
    } else {
        const std::filesystem::path path = pathOf(reference, resourceFolder);
        inspection = vitok::inspectCheckpoint(path);
        if (!inspection.usable())
            inspection.status = withHint(inspection.status.error(), reference, path);
        if (reference == kDemo)
            inspection.displayName = kDemoName;
    }
    inspection.reference = reference;
    return inspection;
}

}  // namespace qs::core
