#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What ratios are formed with, as presets, claims and the command line write it: "best-bf16", the
// fastest cell of that precision at the same batch and shape, "bf16-eager", or "bf16-same-compile",
// the one with the compile mode of the cell: what quantizing alone is worth; the same of any
// precision that quantizes nothing; or "same-eager", what is compiled against itself as it was.
// Presets may name a cell by its id, too.
namespace qs::core {

// The eager cell of the same precision and layers, at the same batch and shape; of cells that
// quantize, the one that does it straight.
inline constexpr std::string_view kSameEager = "same-eager";

[[nodiscard]] bool isSpeedBaselineName(std::string_view text);
// "fp32" of "fp32-eager"; nothing for other texts.
[[nodiscard]] std::optional<std::string> eagerPrecision(std::string_view text);
// "bf16" of "bf16-same-compile"; nothing for other texts.
[[nodiscard]] std::optional<std::string> sameCompilePrecision(std::string_view text);
// "bf16" of "best-bf16"; nothing for other texts.
[[nodiscard]] std::optional<std::string> bestPrecision(std::string_view text);
// For messages and lists, the usual ones first.
[[nodiscard]] const std::vector<std::string>& speedBaselineNames();
// "best-bf16, bf16-eager, …"
[[nodiscard]] std::string speedBaselineList();

}  // namespace qs::core
