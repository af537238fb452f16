#pragma once

#include "core/base/json.h"
#include "core/measure/execution.h"
#include "core/measure/fused_product.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace qs::core {

// Of all scales of one weight.
struct ScaleFigures {
    double least = 0.0;
    double median = 0.0;
    double most = 0.0;
    std::int64_t count = 0;

    bool operator==(const ScaleFigures&) const = default;
};

// What quantizing did to one layer. Errors are relative: the root of the sum of squared differences
// over that of the squared values without quantization, all in the working type. Nothing where one
// of them is not finite, or where all values are 0.
struct ReportedLayer {
    std::string stage;
    std::string module;
    std::string scheme;
    std::vector<std::int64_t> weightShape;
    std::int64_t bytesBefore = 0;  // of its weight and bias, in the working type
    std::int64_t bytesAfter = 0;   // as stored
    ScaleFigures scale = {};
    std::int64_t codes = 0;       // of its weight
    std::int64_t saturated = 0;   // of these, at either end of the range of codes
    std::int64_t underflown = 0;  // of these, stand for 0 where the weight is not 0
    std::optional<double> weightError = std::nullopt;
    // Of the output, for the input that the model without quantization gives the layer.
    std::optional<double> localError = std::nullopt;
    // The same for the input that the quantized layers before give it.
    std::optional<double> cumulativeError = std::nullopt;
    // Where a solver made the weight (GPTQ), as SolvedLayer has them; a layer that was rounded to
    // nearest has no loss.
    std::optional<double> solverLoss = std::nullopt;
    std::optional<double> solverSeconds = std::nullopt;
    std::optional<std::int64_t> deadColumns = std::nullopt;
    std::optional<bool> roundedToNearest = std::nullopt;
    // What its products ran in: its scheme, or the type of what ran instead. Empty: not known.
    std::string executed = {};
    bool mismatch = false;                 // they did not run in its scheme
    std::vector<FusedProduct> fused = {};  // by cells that are fused, each once

    bool operator==(const ReportedLayer&) const = default;
};

// Of the quantized layers of a cell in order of execution. A file of its own, cells/<id>/
// layers.json: but for what the layers ran in, which is that of the cell that made it, it says
// nothing of a round, a batch or a compile mode.
struct LayerReport {
    std::int64_t samples = 0;  // of the quality set, that outputs were made of
    double seconds = 0.0;      // that making it took, after everything that is timed
    std::vector<ReportedLayer> layers = {};

    bool operator==(const LayerReport&) const = default;
};

inline constexpr const char* kLayerReportFile = "layers.json";

// Adds what the layers ran in, by the stages of a cell that has the same ones. A mismatch stays,
// whatever other cells did.
void noteExecuted(const std::vector<ExecutedStage>& stages, LayerReport& report);

[[nodiscard]] Json toJson(const LayerReport& report);
[[nodiscard]] Result<LayerReport> layerReportFromJson(const Json& json);
// The file may come from anybody.
[[nodiscard]] Result<LayerReport> readLayerReport(const FilePlace& place);

}  // namespace qs::core
