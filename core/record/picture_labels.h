#pragma once

#include "core/base/file_place.h"
#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace qs::core {

// What the images of a run are of, where they came from a folder with a folder for each class.
struct PictureLabels {
    std::vector<std::string> classes;
    std::vector<int> labels;  // of each image: an index of classes

    bool operator==(const PictureLabels&) const = default;
};

[[nodiscard]] FilePlace pictureLabelsFile(const std::filesystem::path& runFolder);
[[nodiscard]] Status writePictureLabels(const std::filesystem::path& runFolder,
                                        const PictureLabels& labels);
// Nothing if the images have none.
[[nodiscard]] Result<std::optional<PictureLabels>>
readPictureLabels(const std::filesystem::path& runFolder);
// Whether a model that tells so many classes apart can be judged by these. Classes that have
// numbers for names, as those of a file have, may lack the last ones; others are in the order of
// their names, and say nothing of a model that knows more of them.
[[nodiscard]] Status checkClasses(const std::vector<std::string>& classes, std::size_t toldApart);

}  // namespace qs::core
