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
    Pass,      // what the model does: forward, or generate
    Quantize,  // its weights are loaded, calibrated and quantized anew
};
inline constexpr auto kCellWorkloads =
    enumNames<CellWorkload>({{CellWorkload::Pass, "pass"}, {CellWorkload::Quantize, "quantize"}});

[[nodiscard]] Result<std::string> normalWorkload(std::string_view text);
[[nodiscard]] bool isQuantizing(const CellConfig& cell);

// What the samples of a cell that quantizes are made of, in the order in which it comes.
inline constexpr std::array<std::string_view, 3> kQuantizingParts{"load", "calibrate", "quantize"};

}  // namespace qs::core
