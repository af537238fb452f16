#include "core/record/picture_labels.h"

#include "core/base/clean_text.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/open_place.h"

#include <nlohmann/json.hpp>

#include <cstdint>

namespace qs::core {

namespace {

// As many names as a folder may reasonably hold.
constexpr JsonLimits kClassLimits{.bytes = std::size_t{8} << 20U, .depth = 3, .nodes = 100'000};

}  // namespace

FilePlace pictureLabelsFile(const std::filesystem::path& runFolder)
{
    return FilePlace::inside(runFolder, "inputs/labels.json");
}

Status writePictureLabels(const std::filesystem::path& runFolder, const PictureLabels& labels)
{
    Json classes = Json::array();
    for (const std::string& each : labels.classes)
        classes.push_back(cleanLine(each));
    return writeFileAtomically(
        pictureLabelsFile(runFolder),
        jsonText(Json{{"classes", std::move(classes)}, {"labels", labels.labels}}));
}

Result<std::optional<PictureLabels>> readPictureLabels(const std::filesystem::path& runFolder)
{
    const FilePlace file = pictureLabelsFile(runFolder);
    if (!isThere(file))
        return std::optional<PictureLabels>();
    QS_TRY(const Json json, readJsonFile(file, kClassLimits));
    const Error wrong{ErrorCode::Format,
                      file.string() + ": expected \"classes\", a list of names, and \"labels\", "
                                      "a list of their numbers from 0"};
    if (!json.is_object() || !json.contains("classes") || !json.contains("labels") ||
        !json["classes"].is_array() || !json["labels"].is_array())
        return wrong;
    PictureLabels labels;
    for (const Json& each : json["classes"]) {
        if (!each.is_string())
            return wrong;
        labels.classes.push_back(each.get<std::string>());
    }
    const auto classes = static_cast<std::int64_t>(labels.classes.size());
    for (const Json& each : json["labels"]) {
        if (!each.is_number_integer() || each.get<std::int64_t>() < 0 ||
            each.get<std::int64_t>() >= classes)
            return wrong;
        labels.labels.push_back(each.get<int>());
    }
    return std::optional(std::move(labels));
}

Status checkClasses(const std::vector<std::string>& classes, std::size_t toldApart)
{
    bool numbered = true;
    for (std::size_t i = 0; i < classes.size(); ++i)
        numbered = numbered && classes[i] == std::to_string(i);
    if (classes.size() == toldApart || (numbered && classes.size() < toldApart))
        return {};
    return Error{ErrorCode::InvalidArgument,
                 "the samples are of " + std::to_string(classes.size()) +
                     " classes, the model tells " + std::to_string(toldApart) + " apart"};
}

}  // namespace qs::core
