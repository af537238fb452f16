#pragma once

#include "core/base/enum_names.h"
#include "core/base/result.h"
#include "core/sweep/cell.h"

#include <array>
#include <string>
#include <string_view>

namespace qs::core {

// What a cell does again and again, and is timed with.
enum class CellWorkload {
    Pass,      // what the model does: generate where the cell has new tokens, else forward
    Forward,   // no new tokens
    Generate,  // new tokens
    Quantize,  // its weights are loaded, calibrated and quantized anew
};
inline constexpr auto kCellWorkloads =
    enumNames<CellWorkload>({{CellWorkload::Pass, "pass"},
                             {CellWorkload::Forward, "forward"},
                             {CellWorkload::Generate, "generate"},
                             {CellWorkload::Quantize, "quantize"}});

[[nodiscard]] Result<std::string> normalWorkload(std::string_view text);
[[nodiscard]] bool isQuantizing(const CellConfig& cell);
// Planned cells pass or quantize: forward and generate are passes without and with new tokens, as
// many as the cell has, or as usual where it has none.
[[nodiscard]] CellConfig plannedWorkload(CellConfig cell);

// What the samples of a cell that quantizes are made of, in the order in which it comes.
inline constexpr std::array<std::string_view, 3> kQuantizingParts{"load", "calibrate", "quantize"};

}  // namespace qs::core
