#pragma once

#include "core/analysis/cell_summary.h"
#include "core/record/run_data.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace qs::core {

// A cell in which one layer or one block alone is quantized.
struct PartSensitivity {
    std::string patterns;  // of its filter, see core/quant/layer_pattern.h
    std::string cellId;
    double distance = 0.0;                              // from the quality reference
    std::int64_t bytesSaved = 0;                        // of the weights, against the reference
    std::optional<double> secondsSaved = std::nullopt;  // of a pass, against the reference

    // What quantizing it costs for what it brings; the most for what brings nothing.
    [[nodiscard]] double lossPerByte() const;
};

// What a sweep of one precision says of its layers.
struct Sensitivity {
    std::string wholeId;      // the cell in which all of them are quantized
    std::string wholeFilter;  // "all"
    // By falling loss per byte: those first that one keeps unquantized first.
    std::vector<PartSensitivity> parts = {};
};

// One for each cell of the run with a filter that is none of single parts, of which there are at
// least two such cells, else equal. Parts that were not compared yet are not there.
[[nodiscard]] std::vector<Sensitivity> sensitivitiesOf(const Analysis& analysis);

// The filter of the whole without its worst parts: "all -only:decoder_blocks.{0,3}".
[[nodiscard]] std::string filterWithoutWorst(const Sensitivity& sensitivity, std::size_t kept);

// Note [Greedy search]
// Parts are kept unquantized in the order of their loss per byte, so that each one kept gives back
// as little as possible. How many have to be is found by halving: quality with more parts kept is
// taken to be no worse, so that a dozen measured cells do for a thousand parts.
class GreedySearch final
{
public:
    // Of so many parts; none kept is known to fail, all kept is the reference, which meets any
    // limit.
    explicit GreedySearch(std::size_t parts) : m_meets(parts) {}

    // How many to keep in the cell that has to be measured now; nothing at the end.
    [[nodiscard]] std::optional<std::size_t> next() const;
    void told(std::size_t kept, bool meetsLimit);
    // At the end: the fewest that meet it.
    [[nodiscard]] std::size_t fewest() const { return m_meets; }

private:
    std::size_t m_fails = 0;
    std::size_t m_meets;
};

}  // namespace qs::core
