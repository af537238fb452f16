#pragma once

#include "core/engine/cell_observer.h"
#include "core/engine/cell_outputs.h"
#include "core/engine/internal/backend.h"
#include "core/engine/lowered_cell.h"
#include "core/engine/weights/weight_loader.h"
#include "core/measure/cell_result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace qs::engine {

// Who needs weights, what is told meanwhile, and where it is noted.
struct WeightsDemand {
    const LoweredCell& cell;
    const core::CellRequest& request;
    const SampleSet* pictures;  // null where there is no quality set
    Backend& backend;
    CellObserver& observer;
    core::CellResult& result;
};

// The weights of a cell on the device as its schemes store them. They stay for the next cell, if
// that one has the same.
class CellWeights final
{
public:
    // Loads, calibrates and quantizes, unless that was done.
    [[nodiscard]] core::Status provide(const WeightsDemand& demand);
    // Of those that were provided.
    [[nodiscard]] const std::vector<StageWeights>& stages() const { return m_loaded->stages; }
    void release() { m_loaded.reset(); }

private:
    struct Loaded {
        std::string key;
        std::vector<StageWeights> stages = {};
        std::vector<core::StageCalibration> calibration = {};
    };

    [[nodiscard]] core::Status load(const WeightsDemand& demand);
    // How many stages are quantized then.
    [[nodiscard]] core::Result<std::size_t> calibrate(const WeightsDemand& demand);
    [[nodiscard]] core::Status quantize(std::size_t first, const WeightsDemand& demand);

    std::optional<Loaded> m_loaded;
};

}  // namespace qs::engine
