#pragma once

#include "core/base/json.h"
#include "core/base/result.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// What stands for the inputs where else the id of a cell does.
inline constexpr const char* kInputId = "input";
// What stands for the classes that samples are labelled with; its one figure is 1 for a right one.
inline constexpr const char* kLabelId = "label";
inline constexpr const char* kRightFigure = "right";

// What stands for the text that a model reads; its one figure is the mean loss of its tokens in
// nats.
inline constexpr const char* kTextId = "text";
inline constexpr const char* kLossFigure = "loss";

// What stands for the same cell without compiling; its figures are the largest difference of a
// value of the output and, of texts, the metrics of tokens.
inline constexpr const char* kUncompiledId = "uncompiled";
inline constexpr const char* kDifferenceFigure = "difference";

// The 64 x 64 tile of lowest SSIM, in pixels of the image.
struct WorstTile {
    int x = 0;  // left
    int y = 0;  // top
    double ssim = 1.0;

    bool operator==(const WorstTile&) const = default;
};

// How one output of a cell differs from the same output of another cell or, where it is a
// reconstruction, from its input. Both were made in the same environment.
struct OutputQuality {
    // A value of an output metric, see core/sweep/metric.h. Finite.
    struct Figure {
        std::string metric;
        double value = 0.0;

        bool operator==(const Figure&) const = default;
    };

    std::string cellId;
    std::string environmentId;
    std::string referenceId;  // a cell, or one of those above
    int sample = 0;           // from 0
    bool identical = false;   // every value of the raw outputs
    std::vector<Figure> figures = {};
    std::optional<WorstTile> worstTile = std::nullopt;  // of images

    // Nothing for a metric that has no finite value here, as the PSNR of equal images.
    [[nodiscard]] std::optional<double> find(std::string_view metric) const;
    // Nothing, NaN and infinite values leave the metric out.
    void set(std::string_view metric, const std::optional<double>& value);

    bool operator==(const OutputQuality&) const = default;
};

// Of outputs of the same cells and environment, which are named once: a list for each figure, with
// null for an output that lacks it.
[[nodiscard]] bool haveSameCells(const OutputQuality& a, const OutputQuality& b);
[[nodiscard]] Json toJson(std::span<const OutputQuality> qualities);
// At least one. May have the "type" of a record.
[[nodiscard]] Result<std::vector<OutputQuality>> outputQualitiesFromJson(const JsonView& json);

}  // namespace qs::core
