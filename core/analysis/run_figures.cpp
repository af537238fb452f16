#include "core/analysis/run_figures.h"

#include "core/base/parallel.h"

#include <algorithm>
#include <utility>

namespace qs::core {

namespace {

// Enough that threads are worth their start, little beside what is kept.
constexpr std::size_t kRowsAtATime = 4096;

}  // namespace

RunFigures::RunFigures(const std::vector<Measurement>& rows)
{
    std::vector<RowFigures> some;
    for (std::size_t first = 0; first < rows.size(); first += kRowsAtATime) {
        some.clear();
        some.resize(std::min(kRowsAtATime, rows.size() - first));
        inParallel(some.size(), [&](std::size_t i) { some[i] = figuresOf(rows[first + i]); });
        for (std::size_t i = 0; i < some.size(); ++i)
            add(rows[first + i], std::move(some[i]));
    }
}

void RunFigures::add(const Measurement& row, RowFigures figures)
{
    m_outline.add(row);
    m_outputs.add(row);
    std::vector<RowFigures>& all = m_cells[row.cellId];
    if (!all.empty() && *all.back().evidence == *figures.evidence)
        figures.evidence = all.back().evidence;
    all.push_back(std::move(figures));
}

const std::vector<RowFigures>& RunFigures::ofCell(const std::string& cellId) const
{
    static const std::vector<RowFigures> kNone;
    const auto found = m_cells.find(cellId);
    return found == m_cells.end() ? kNone : found->second;
}

}  // namespace qs::core
