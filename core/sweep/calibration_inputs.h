#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/model/input_feed.h"
#include "core/sweep/picture_settings.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// A calibration set of one's own, for precisions with set=own: apart from what quality is judged
// on. Of these samples each scheme takes as many as it says, see chosenSamples().
struct CalibrationInputs {
    // Where the model takes pictures; without a source there are none.
    PictureSettings pictures{.source = {}, .count = 128};
    // By the name of the input: files and texts alone. The others are generated.
    std::map<std::string, InputFeed> inputs;

    [[nodiscard]] bool empty() const { return pictures.source.empty() && inputs.empty(); }
    bool operator==(const CalibrationInputs&) const = default;
};

// What a model that is fed so gets from the set: its pictures go to the same input, in the same
// way.
[[nodiscard]] ModelFeeding calibrationFeeding(const ModelFeeding& run,
                                              const CalibrationInputs& calibration);

// Copies of the set that a run keeps, in folders of their own; see calibrationFolderOf().
inline constexpr std::string_view kCalibrationFolder = "inputs/calibration";
[[nodiscard]] std::string calibrationPicturesName(std::int64_t imageSize);
[[nodiscard]] std::string calibrationFeedName(const CalibrationInputs& calibration,
                                              const std::string& input);

[[nodiscard]] Json toJson(const CalibrationInputs& calibration);
[[nodiscard]] CalibrationInputs calibrationInputsFromJson(const Json& json, const std::string& path,
                                                          std::vector<JsonIssue>& issues);
// "tokens=text:FILE:tokenizer=FILE", as on the command line.
[[nodiscard]] Status addCalibrationInput(CalibrationInputs& calibration,
                                         std::string_view assignment);

}  // namespace qs::core
