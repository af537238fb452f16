#include "core/run/uncompiled_cells.h"

#include "core/base/stop.h"
#include "core/sweep/baseline_frames.h"
#include "core/sweep/cell_member.h"

#include <algorithm>
#include <cmath>

namespace qs::core {

namespace {

constexpr const char* kEager = "none";

// Of two that are alike uncompiled.
bool isOriginalOf(const PlannedCell& cell, const PlannedCell& other)
{
    if (cell.rerun != 0 || cell.config.compile != kEager)
        return false;
    if (other.config.compile != kEager)
        return cell.config.precision == other.config.precision;
    return goesStraight(cell.config) && !goesStraight(other.config);
}

}  // namespace

std::vector<UncompiledPair> UncompiledCells::pairsOf(const PlannedCell& cell)
{
    for (; m_known < m_plan.cells.size(); ++m_known)
        m_alike[cellKey(uncompiled(m_plan.cells[m_known].config))].push_back(m_known);
    std::vector<UncompiledPair> pairs;
    for (const std::size_t each : m_alike[cellKey(uncompiled(cell.config))]) {
        const PlannedCell& other = m_plan.cells[each];
        if (isOriginalOf(other, cell))
            pairs.push_back({&cell, &other});
        else if (isOriginalOf(cell, other))
            pairs.push_back({&other, &cell});
    }
    return pairs;
}

Result<std::vector<OutputQuality>> outputDifferences(const StoredTexts& texts,
                                                     const std::string& place,
                                                     const std::string& other, int samples,
                                                     const std::stop_token& stop)
{
    std::vector<OutputQuality> qualities;
    for (int i = 0; i < samples; ++i) {
        QS_RETURN_IF_ERROR(checkNotStopped(stop));
        QS_TRY(const ComparableOutputs both, texts.comparable(place, other, i));
        const std::vector<float>& output = both.output.values;
        const std::vector<float>& original = both.original.values;
        if (output.size() != original.size())
            return Error{ErrorCode::InvalidArgument, "the outputs have different shapes"};
        double largest = 0.0;
        for (std::size_t j = 0; j < output.size(); ++j)
            largest = std::max(largest, std::abs(double{output[j]} - double{original[j]}));
        OutputQuality quality;
        quality.sample = i;
        quality.identical = output == original;
        quality.set(kDifferenceFigure, largest);
        if (both.agreement)
            texts.tell(*both.agreement, place, i, quality);
        qualities.push_back(std::move(quality));
    }
    return qualities;
}

}  // namespace qs::core
