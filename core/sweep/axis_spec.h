#pragma once

#include "core/base/result.h"
#include "core/sweep/cell.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// A member of a cell that a sweep can vary: all that is known of it, one row each. Values are
// texts, also those of whole numbers.
struct AxisSpec {
    std::string name;        // in files and on the command line: "batch"
    std::string noun;        // "batch size", "prompt tokens"
    std::string one;         // what a count of one counts: "batch size", "value of prompt tokens"
    std::string nouns;       // "batch sizes", "values of prompt tokens"
    std::string label = {};  // before a value in the labels of cells: "layers mlp"
    std::string unit = {};   // behind it: "512 px"
    std::string description = {};  // a sentence for those who do not know it; may be empty
    // What people call a value, if it is another word than files have; empty: as files have it.
    std::function<std::string(const std::string& value)> word = {};
    // Whole numbers from `lowest` to `highest`, written as such in files; else a text.
    bool wholeNumber = false;
    std::int64_t lowest = 1;
    std::int64_t highest = INT32_MAX;
    bool holdsCommas = false;  // its values may, so that no list of them is split there
    bool ofWeights = false;    // cells that differ in it cannot share the weights on a device
    bool ofSample = false;  // it says what a sample is: rates of cells that differ do not compare
    // What quality references have; nothing: what the cell has.
    std::optional<std::string> ofReference = std::nullopt;
    // Left out of files and of ids.
    std::optional<std::string> usual = std::nullopt;
    // The normal form of a text, or why it cannot be one; empty: as it is.
    std::function<Result<std::string>(std::string_view text)> normal = {};
    // The values that an item of a list stands for; empty: itself.
    std::function<Result<std::vector<std::string>>(std::string_view text)> listed = {};
    // Empty for a size that the cell does not have.
    std::function<std::string(const CellConfig& cell)> text;
    // A value in its normal form.
    std::function<void(CellConfig& cell, const std::string& value)> set;
    // Whether it makes no difference to what runs in a cell; empty: it always makes one.
    std::function<bool(const CellConfig& cell)> idle = {};
    // What editors offer for a model with so many stages; empty: nothing but what the user writes.
    std::function<std::vector<std::string>(std::size_t stages)> offered = {};
};

// Their order is the order of nesting: the first changes slowest, so that cells of one model and
// shape stay together. The sizes are those of all families.
[[nodiscard]] const std::vector<AxisSpec>& axisSpecs();
// Adds an axis of whole numbers that no file of the product knows. Cells that say nothing of it
// have `usual`; `text` and `set` are ours (CellConfig::others). Before the first sweep is read,
// once, in each program that reads it; the worker's half is in core/engine/execute/axis_effects.h.
void registerAxis(AxisSpec axis);
// What families call their sizes, and what was registered: the axes that have no place of their own
// in editors and tables, which ask for them here.
[[nodiscard]] const std::vector<AxisSpec>& openAxes();
// A value of the axis in people's words: "eager".
[[nodiscard]] std::string wordOf(const AxisSpec& axis, const std::string& value);
// Whether the axis makes no difference to what runs in the cell: nothing is told apart by it then.
[[nodiscard]] bool isIdle(const AxisSpec& axis, const CellConfig& cell);
// Whether the cell does without the size: "0 rows" would be of no image at all, where it means all
// of them.
[[nodiscard]] bool isOff(const AxisSpec& axis, const CellConfig& cell);
// "layers mlp", "512 px"; empty for a size that the cell does not have or does without, and for an
// axis that is idle in it.
[[nodiscard]] std::string memberWords(const AxisSpec& axis, const CellConfig& cell);
// Null if there is none of that name.
[[nodiscard]] const AxisSpec* findAxisSpec(std::string_view name);

// Schemes separated by slashes, one if all are equal. What is no scheme stays as it is: a cell with
// it is impossible.
[[nodiscard]] Result<std::vector<std::string>> splitPrecision(std::string_view text);

}  // namespace qs::core
