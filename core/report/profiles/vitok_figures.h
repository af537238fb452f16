#pragma once

#include "core/analysis/cell_summary.h"
#include "core/report/profiles/export_profile.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace qs::core {

// Figures in the units of ViTok's scripts.
[[nodiscard]] std::optional<double> inMilliseconds(const std::optional<double>& seconds);
[[nodiscard]] std::optional<double> gibibytes(const std::optional<std::int64_t>& bytes);
[[nodiscard]] double imagesPerPass(const CellSummary& cell);
[[nodiscard]] bool isFloat8(const CellConfig& config);

// The value, or why there is none.
void addNumber(ProfileRecord& record, const char* field, const std::optional<double>& value,
               std::string_view why, std::string_view remark = {});
// `why` is of a cell that was measured.
void addNumber(ProfileRecord& record, const char* field, const std::optional<double>& value,
               const CellSummary& cell, std::string_view why, std::string_view remark = {});
// Of an image: of both stages and, in the field `total`, of all.
void addFlops(ProfileRecord& record, const CellSummary& cell, const char* total);

}  // namespace qs::core
