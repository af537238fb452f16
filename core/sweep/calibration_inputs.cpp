#include "core/sweep/calibration_inputs.h"

#include <nlohmann/json.hpp>

#include <iterator>
#include <utility>
#include <variant>

namespace qs::core {

namespace {

// Images come from `pictures`, in the way that the model is declared to take them.
bool isFile(const InputFeed& feed)
{
    return !feedPaths(feed).empty();
}

constexpr const char* kOnlyFiles =
    "a calibration set is fed from file:PATH or text:PATH; images stand in \"pictures\", and what "
    "is not named is generated";

}  // namespace

ModelFeeding calibrationFeeding(const ModelFeeding& run, const CalibrationInputs& calibration)
{
    ModelFeeding feeding;
    feeding.inputs = calibration.inputs;
    for (const auto& [input, feed] : run.inputs) {
        if (!isFile(feed))
            feeding.inputs.emplace(input, feed);
    }
    return feeding;
}

std::string calibrationPicturesName(std::int64_t imageSize)
{
    return "pictures_" + std::to_string(imageSize) + ".npy";
}

std::string calibrationFeedName(const CalibrationInputs& calibration, const std::string& input)
{
    const auto found = calibration.inputs.find(input);
    return "feed_" + std::to_string(std::distance(calibration.inputs.begin(), found)) + ".npy";
}

Json toJson(const CalibrationInputs& calibration)
{
    Json json = Json::object();
    if (!calibration.pictures.source.empty())
        json["pictures"] = toJson(calibration.pictures);
    for (const auto& [input, feed] : calibration.inputs)
        json["inputs"][input] = inputFeedText(feed);
    return json;
}

CalibrationInputs calibrationInputsFromJson(const Json& json, const std::string& path,
                                            std::vector<JsonIssue>& issues)
{
    CalibrationInputs calibration;
    JsonFields fields(json, path, issues);
    if (const Json* pictures = fields.find("pictures"))
        calibration.pictures =
            picturesFromJson(*pictures, fields.pathOf("pictures"), issues, calibration.pictures);
    if (const Json* inputs = fields.find("inputs"))
        calibration.inputs = modelFeedingFromJson(Json{{"inputs", *inputs}}, path, issues).inputs;
    fields.finish();
    for (auto each = calibration.inputs.begin(); each != calibration.inputs.end();) {
        if (isFile(each->second)) {
            ++each;
            continue;
        }
        issues.push_back({path + ".inputs." + each->first, kOnlyFiles});
        each = calibration.inputs.erase(each);
    }
    if (fields.isObject() && calibration.empty() && issues.empty())
        issues.push_back({path, "is empty; name \"pictures\" or \"inputs\""});
    return calibration;
}

Status addCalibrationInput(CalibrationInputs& calibration, std::string_view assignment)
{
    ModelFeeding added;
    QS_RETURN_IF_ERROR(addInputFeed(added, assignment));
    for (auto& [input, feed] : added.inputs) {
        if (!isFile(feed))
            return Error{ErrorCode::InvalidArgument, std::string(assignment) + ": " + kOnlyFiles};
        calibration.inputs.insert_or_assign(input, std::move(feed));
    }
    return {};
}

}  // namespace qs::core
