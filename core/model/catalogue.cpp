#include "core/model/catalogue.h"

#include "core/base/clean_text.h"
#include "core/base/json.h"
#include "core/model/family_registry.h"
#include "core/model/foreign_file.h"
#include "core/model/program_file.h"
#include "core/model/safetensors/safetensors.h"

#include <algorithm>
#include <array>
#include <string_view>

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

}  // namespace

std::string LoadReport::text() const
{
    std::string text = recognised + (storedTypes.empty() ? "" : "\nstored as " + storedTypes);
    append(text, "Missing tensors (the checkpoint is incomplete, or of another variant):", missing);
    append(text, "Tensors of another shape or type:", misshaped);
    append(text, "Unused tensors:", unexpected);
    append(text, "Legacy names:", renamed);
    append(text, "Advice:", advice);
    return text;
}

namespace {

constexpr std::array<ShippedModel, 2> kShippedModels{
    {{"demo", "demo_model", "Demo ViTok", "Trained, for images"},
     {"demo-text", "demo_text_model", "Demo text model",
      "Trained, for texts: 1.9 million parameters, a token is a byte"}}};

// Null if it is none.
const ShippedModel* shippedModel(std::string_view reference)
{
    const auto found =
        std::find_if(kShippedModels.begin(), kShippedModels.end(),
                     [&](const ShippedModel& model) { return model.reference == reference; });
    return found == kShippedModels.end() ? nullptr : &*found;
}

// The family whose generated models a reference speaks of, "vitok:…"; null for paths.
const FamilySpec* generatedFamily(const std::string& reference)
{
    for (const FamilySpec& family : familyRegistry().specs()) {
        if (family.generate && reference.starts_with(family.name + ":"))
            return &family;
    }
    return nullptr;
}

// What a reference names behind the colon.
std::string variantOf(const std::string& reference, const FamilySpec& family)
{
    return reference.substr(family.name.size() + 1);
}

// Whose file it is; null if nobody recognises it.
const FamilySpec* recognisedFamily(const std::filesystem::path& path)
{
    for (const FamilySpec& family : familyRegistry().specs()) {
        if (family.recognises && family.recognises(path))
            return &family;
    }
    return nullptr;
}

// Says what is wrong with what nobody recognises.
const FamilySpec& firstFamily()
{
    return familyRegistry().specs().front();
}

Result<OpenedModel> openGenerated(const FamilySpec& family, const std::string& reference,
                                  std::int64_t seed)
{
    QS_TRY(OpenedModel opened, family.generate(variantOf(reference, family), seed));
    opened.model.reference = reference;
    opened.model.weights = GeneratedWeights{seed};
    opened.report.recognised =
        opened.model.displayName + " with generated weights, seed " + std::to_string(seed);
    opened.report.storedTypes = "none (generated on the device)";
    return opened;
}

std::filesystem::path pathOf(const std::string& reference,
                             const std::filesystem::path& resourceFolder)
{
    const ShippedModel* shipped = shippedModel(reference);
    return shipped != nullptr ? resourceFolder / shipped->folder : std::filesystem::path(reference);
}

// Of all families whose checkpoints can be opened.
std::string knownFamilies()
{
    std::string names;
    for (const FamilySpec& family : familyRegistry().specs()) {
        if (family.open && family.generate)
            names += (names.empty() ? "" : ", ") + family.name;
    }
    return names;
}

// Why a model cannot be opened, in the end.
struct Explanation {
    Error error;
    std::optional<ProgramSummary> program = {};  // if the file is one
};

// What else could have been meant, where a path leads nowhere; what a file is that is no model.
Explanation withHint(const Error& error, const std::string& reference,
                     const std::filesystem::path& path)
{
    if (error.code == ErrorCode::Format) {
        if (auto format = foreignFormat(path))
            return {{ErrorCode::Format, path.string() + " " + format->text},
                    scriptProgram(format->program)};
        const std::string programs =
            "any model can be opened as a .pt2, which three lines of Python write; "
            "quantscope-cli export-example prints them";
        // Sound, but of something else: what can be done comes before what one family missed.
        if (openSafetensors(path).ok())
            return {{ErrorCode::Format, cleanLine(path.filename().string()) +
                                            " is a checkpoint of none of the families " +
                                            knownFamilies() + "; " + programs + "\n" +
                                            error.message}};
        return {{ErrorCode::Format, error.message +
                                        "\nIf it is a checkpoint of none of the families " +
                                        knownFamilies() + ": " + programs}};
    }
    if (error.code != ErrorCode::NotFound || shippedModel(reference) != nullptr)
        return {error};
    return {
        {ErrorCode::NotFound,
         error.message +
             "\nA model is \"demo\", \"demo-text\", a name such as vitok:350M-f16x64, a folder, "
             "a .safetensors file or a .pt2 of torch.export.save"}};
}

// Of the configuration of a checkpoint, which says the family: that it cannot be read.
std::optional<Error> configDamage(const std::filesystem::path& path)
{
    std::error_code error;
    const auto folder = path.extension() == ".safetensors" ? path.parent_path() : path;
    const auto file = folder / "config.json";
    if (!std::filesystem::is_regular_file(file, error))
        return std::nullopt;
    const auto config = readJsonFile(file);
    return config.ok() ? std::nullopt : std::optional(config.error());
}

// A family that recognised a folder by its configuration may find a pickle there.
Explanation explained(const Error& error, const FamilySpec* family, const std::string& reference,
                      const std::filesystem::path& path)
{
    if (const auto pickle = pickleInFolder(path))
        return {{ErrorCode::Format, path.string() + " " + *pickle}};
    if (family == nullptr) {
        const auto damage = configDamage(path);
        return damage ? Explanation{*damage} : withHint(error, reference, path);
    }
    return {error, scriptProgram(torchScriptSummary(path))};
}

// As Hugging Face lays it beside the weights.
std::filesystem::path tokenizerBeside(const std::filesystem::path& model)
{
    std::error_code error;
    const bool isFolder = std::filesystem::is_directory(model, error);
    const auto file = (isFolder ? model : model.parent_path()) / "tokenizer.json";
    return std::filesystem::is_regular_file(file, error) ? file : std::filesystem::path();
}

}  // namespace

std::string familyOf(const std::string& reference, const std::filesystem::path& resourceFolder)
{
    const FamilySpec* family = generatedFamily(reference);
    if (family == nullptr)
        family = recognisedFamily(pathOf(reference, resourceFolder));
    return family == nullptr ? std::string() : family->name;
}

std::span<const ShippedModel> shippedModels()
{
    return kShippedModels;
}

bool isModelPath(const std::string& reference)
{
    return shippedModel(reference) == nullptr && generatedFamily(reference) == nullptr;
}

Result<OpenedModel> openModel(const std::string& reference,
                              const std::filesystem::path& resourceFolder, std::int64_t seed)
{
    if (const FamilySpec* family = generatedFamily(reference))
        return openGenerated(*family, reference, seed);
    const std::filesystem::path path = pathOf(reference, resourceFolder);
    const FamilySpec* family = recognisedFamily(path);
    Result<OpenedModel> found = (family == nullptr ? firstFamily() : *family).open(path);
    if (!found.ok())
        return explained(found.error(), family, reference, path).error;
    Model& model = found.value().model;
    model.reference = reference;
    if (const ShippedModel* shipped = shippedModel(reference))
        model.displayName = shipped->displayName;
    return found;
}

ModelInspection inspectModel(const std::string& reference,
                             const std::filesystem::path& resourceFolder, std::int64_t seed)
{
    ModelInspection inspection;
    if (const FamilySpec* family = generatedFamily(reference)) {
        auto opened = openGenerated(*family, reference, seed);
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
        const FamilySpec* recognised = recognisedFamily(path);
        inspection = (recognised == nullptr ? firstFamily() : *recognised).inspect(path);
        if (!inspection.usable()) {
            Explanation why = explained(inspection.status.error(), recognised, reference, path);
            inspection.status = std::move(why.error);
            if (!inspection.program)
                inspection.program = std::move(why.program);
        }
        if (const ShippedModel* shipped = shippedModel(reference))
            inspection.displayName = shipped->displayName;
        inspection.tokenizer = tokenizerBeside(path);
    }
    inspection.reference = reference;
    return inspection;
}

}  // namespace qs::core
