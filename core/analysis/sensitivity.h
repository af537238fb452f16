#pragma once

#include "core/analysis/cell_summary.h"
#include "core/base/enum_names.h"
#include "core/stats/interval.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace qs::core {

// What parts are ranked by: what quantizing one of them costs in quality for what it brings.
enum class PartOrder { LossPerTime, LossPerByte };
inline constexpr auto kPartOrders =
    enumNames<PartOrder>({{PartOrder::LossPerTime, "time"}, {PartOrder::LossPerByte, "bytes"}});

// Seconds of a pass that quantizing saves, against the cell of the same compile mode that quantizes
// nothing: the mean over the rounds that both were timed in, so that drift cancels.
struct TimeGain {
    double seconds = 0.0;
    std::optional<Interval> interval = {};  // 95 %, needs three rounds

    // Beyond what rounds differ by. Only then it is a gain.
    [[nodiscard]] bool isDecided() const { return interval && interval->lower > 0.0; }
    bool operator==(const TimeGain&) const = default;
};

// A cell in which one layer or one block alone is quantized.
struct PartSensitivity {
    std::string patterns;  // of its filter, see core/quant/layer_pattern.h
    std::string cellId;
    double distance = 0.0;              // from the quality reference
    std::int64_t bytesSaved = 0;        // of the weights, against the reference
    std::optional<TimeGain> gain = {};  // nothing if the two were not timed in the same rounds

    // What quantizing it costs for what it brings; infinite for what brings nothing.
    [[nodiscard]] double lossPerByte() const;
    [[nodiscard]] double lossPerSecond() const;
};

// What a sweep of one precision says of its layers.
struct Sensitivity {
    std::string wholeId;      // the cell in which all of them are quantized
    std::string wholeFilter;  // "all"
    // Of time where quantizing all of them makes passes shorter beyond doubt, and a part alone
    // does, too. Else of bytes, which are known without measuring.
    PartOrder order = PartOrder::LossPerByte;
    // By falling loss in that order: those first that one keeps unquantized first. Parts without a
    // decided gain of time bring none; among themselves they stand by their loss per byte.
    std::vector<PartSensitivity> parts = {};
};

// One for each cell of the run with a filter that is none of single parts, of which there are at
// least two such cells, else equal. Parts that were not compared yet are not there.
[[nodiscard]] std::vector<Sensitivity> sensitivitiesOf(const Analysis& analysis);

// The filter of the whole without its worst parts: "all -only:decoder_blocks.{0,3}".
[[nodiscard]] std::string filterWithoutWorst(const Sensitivity& sensitivity, std::size_t kept);

}  // namespace qs::core
