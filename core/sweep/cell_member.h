#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/sweep/cell.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// Members of a cell by the names of their axes, see core/sweep/axis_spec.h.

// In the order of nesting.
[[nodiscard]] const std::vector<std::string>& axisNames();
[[nodiscard]] bool isAxisName(std::string_view name);
// "batch", "seed" and the sizes of all families; all others hold texts.
[[nodiscard]] bool isWholeNumberAxis(std::string_view name);

// The value in its normal form ("08" -> "8", "bf16/bf16" -> "bf16"), or why it cannot be one. What
// texts mean is not judged here. `name` must be an axis name.
[[nodiscard]] Result<std::string> normalValue(std::string_view name, std::string_view text);

// The values that an item of a list stands for, in their normal form: most stand for themselves.
[[nodiscard]] Result<std::vector<std::string>> listedValues(std::string_view name,
                                                            std::string_view text);

// Empty for a size that the cell does not have.
[[nodiscard]] std::string memberText(const CellConfig& cell, std::string_view name);
// `text` as normalValue accepts it.
[[nodiscard]] Status setMember(CellConfig& cell, std::string_view name, std::string_view text);

[[nodiscard]] CellConfig cellFromJson(const JsonView& json, const std::string& path,
                                      std::vector<JsonIssue>& issues);

// The same for two cells of one model that can share the weights on a device.
[[nodiscard]] std::string weightsKey(const CellConfig& cell);

[[nodiscard]] Json toJson(const CellConfig& cell);

// SHA-256 (hex) over the canonical JSON of the configuration and the content of the model.
// Everything that is not part of the configuration (driver, torch, GPU) belongs to the environment
// id instead. `rerun`, `calibration`: see PlannedCell.
[[nodiscard]] std::string cellId(const CellConfig& cell, const std::string& modelContentId,
                                 int rerun = 0, const std::string& calibration = {});

// All members in one text: equal cells, equal text. Cheaper than their JSON.
[[nodiscard]] std::string cellKey(const CellConfig& cell);

// The value of an axis of texts. A precision may be an object with one scheme per stage of a
// family, {"encoder": …, "decoder": …}, and environment variables one of theirs. Nothing after a
// complaint.
[[nodiscard]] std::optional<std::string> valueFromJson(std::string_view name, const JsonView& json,
                                                       const std::string& path,
                                                       std::vector<JsonIssue>& issues);

}  // namespace qs::core
