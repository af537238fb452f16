#pragma once

#include "core/sweep/plan.h"

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace qs::core {

struct AxisSpec;

// Names for the cells of a run that tell them apart by every axis on which they differ.
class CellLabels final
{
public:
    // "int8dq · cuda-graph · again · 512 px · layers mlp · seed 7": precision and compile mode, and
    // what else differs between the cells, but for the batch and for sizes that are off.
    [[nodiscard]] std::string of(const PlannedCell& cell) const;
    // "int8dq · cuda-graph · batch 16": the whole name, of which no two cells have the same.
    [[nodiscard]] std::string withBatch(const PlannedCell& cell) const;
    // "512 px · 64 new tokens": what a sample of this cell is, as far as those of others are
    // another, or "usual sizes"; empty where all are alike. Rates compare between cells of which it
    // is the same.
    [[nodiscard]] std::string sample(const PlannedCell& cell) const;
    // "demo · cuda:0 · 256 px": what all cells have in common of model, device and size.
    [[nodiscard]] std::string shared() const;

private:
    friend CellLabels distinguish(std::span<const PlannedCell> cells);
    void add(const CellConfig& config);
    [[nodiscard]] bool differs(const AxisSpec& axis) const;

    // By axis: the words of what the cells have.
    std::map<std::string, std::set<std::string>> m_values;
    // Of those that say what a sample is, the ones in which the cells differ; usually none, and ten
    // thousand cells are asked for theirs.
    std::vector<const AxisSpec*> m_sampleAxes;
};

[[nodiscard]] CellLabels distinguish(std::span<const PlannedCell> cells);

}  // namespace qs::core
