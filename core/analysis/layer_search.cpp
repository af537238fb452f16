#include "core/analysis/layer_search.h"

#include "core/analysis/metric_values.h"

#include <algorithm>
#include <utility>

namespace qs::core {

std::optional<std::size_t> GreedySearch::next() const
{
    if (m_meets <= m_fails + 1)
        return std::nullopt;
    return m_fails + (m_meets - m_fails) / 2;
}

void GreedySearch::told(std::size_t kept, bool meetsLimit)
{
    if (meetsLimit)
        m_meets = std::min(m_meets, kept);
    else
        m_fails = std::max(m_fails, kept);
}

LayerSearch::LayerSearch(Sensitivity sensitivity, CellConfig whole)
    : m_sensitivity(std::move(sensitivity)),
      m_whole(std::move(whole)),
      m_greedy(m_sensitivity.parts.size())
{
}

std::optional<std::size_t> LayerSearch::kept() const
{
    if (!m_wholeMeets)
        return 0;
    return *m_wholeMeets ? std::nullopt : m_greedy.next();
}

CellConfig LayerSearch::wanted() const
{
    CellConfig config = m_whole;
    config.layers = filterWithoutWorst(m_sensitivity, kept().value_or(0));
    return config;
}

void LayerSearch::told(bool meetsLimit)
{
    if (!m_wholeMeets)
        m_wholeMeets = meetsLimit;
    else if (const auto kept = m_greedy.next())
        m_greedy.told(*kept, meetsLimit);
}

std::optional<std::string> LayerSearch::filter() const
{
    if (m_wholeMeets.value_or(false))
        return m_sensitivity.wholeFilter;
    if (m_greedy.fewest() == parts())
        return std::nullopt;
    return filterWithoutWorst(m_sensitivity, m_greedy.fewest());
}

const CellSummary* findMeasured(const Analysis& analysis, const CellConfig& config)
{
    const auto found =
        std::find_if(analysis.cells.begin(), analysis.cells.end(), [&](const auto& summary) {
            return summary.cell->config == config && summary.cell->rerun == 0;
        });
    return found == analysis.cells.end() || !found->measured ? nullptr : &*found;
}

Result<bool> meetsLimit(const Gate& limit, const CellSummary& summary)
{
    if (summary.identical())
        return true;
    const auto value = valueOf(limit.metric, summary);
    if (!value)
        return Error{ErrorCode::InvalidArgument, "the cells have no " + limit.metric};
    return limit.holds(*value);
}

}  // namespace qs::core
