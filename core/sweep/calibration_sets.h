#pragma once

#include "core/base/result.h"
#include "core/model/model.h"
#include "core/quant/calibration.h"
#include "core/sweep/preset.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace qs::core {

// The samples of a set by their contents, as they are known before a run. Picture files that cannot
// be used count here; the run leaves them out.
struct SampleContents {
    std::int64_t count = 0;
    std::vector<std::string> pictures = {};  // SHA-256 of the files
    // SHA-256 of each row that a file or a text gives, by the name of the input.
    std::map<std::string, std::vector<std::string>> rows = {};
};

// How many of these samples of a set are among those of the other: the same picture files, or else
// the same values of all inputs that both sets are fed with.
[[nodiscard]] std::int64_t sharedSamples(const SampleContents& set,
                                         const std::vector<std::int64_t>& numbers,
                                         const SampleContents& other);

// The samples that a preset names: those that quality is judged on, and its calibration set. Files
// are read when they are first asked for, once in the life of this object.
class CalibrationSets final
{
public:
    CalibrationSets(const Preset& preset, std::filesystem::path resourceFolder)
        : m_preset(preset), m_resourceFolder(std::move(resourceFolder))
    {
    }

    // Whether the preset names one for such a model.
    [[nodiscard]] bool hasOwn(const ModelFamily& family) const;
    // Whether it has prompts that are not all of one length.
    [[nodiscard]] bool hasOwnLengths(CalibrationSet set) const;
    // SHA-256 of what a set is made from, files and how they are read; empty where there is
    // nothing. A cell that is calibrated on another is another cell. Files that cannot be read
    // count by name, the run will say what is wrong.
    [[nodiscard]] std::string content(CalibrationSet set, const ModelFamily& family);
    // As a model takes them at these sizes; valid as long as this object. Errors: what does not
    // fit.
    [[nodiscard]] const Result<SampleContents>& samples(CalibrationSet set, const Model& model,
                                                        const Sizes& sizes);

private:
    [[nodiscard]] PictureSettings picturesOf(CalibrationSet set) const;
    [[nodiscard]] const std::map<std::string, InputFeed>& inputsOf(CalibrationSet set) const;
    // SHA-256 of their files.
    [[nodiscard]] const std::vector<std::string>& pictureContents(CalibrationSet set);
    [[nodiscard]] Result<SampleContents> readSamples(CalibrationSet set, const ModelFamily& family,
                                                     const Sizes& sizes);

    const Preset& m_preset;
    std::filesystem::path m_resourceFolder;
    std::map<CalibrationSet, std::vector<std::string>> m_pictures;
    std::map<std::pair<CalibrationSet, bool>, std::string> m_contents;
    std::map<std::tuple<CalibrationSet, std::string, Sizes>, Result<SampleContents>> m_samples;
};

}  // namespace qs::core
