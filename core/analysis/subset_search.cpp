#include "core/analysis/subset_search.h"

#include "core/base/checks.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace qs::core {

namespace {

constexpr std::size_t kMostThings = 16;
constexpr double kNever = std::numeric_limits<double>::infinity();

Subset only(std::size_t thing)
{
    return Subset{1} << thing;
}

// On the scale on which effects add up.
double scaled(double SubsetFigures::*figure, double value)
{
    return figure == &SubsetFigures::beginSeconds ? value : std::log(value);
}

double unscaled(double SubsetFigures::*figure, double value)
{
    return figure == &SubsetFigures::beginSeconds ? value : std::exp(value);
}

}  // namespace

SubsetSearch::SubsetSearch(std::size_t things, SubsetObjective objective, SubsetBudget budget)
    : m_things(things), m_objective(objective), m_budget(budget)
{
    QS_ASSERT(things >= 1 && things <= kMostThings);
}

bool SubsetSearch::looksAtAll() const
{
    return m_budget.subsets >= std::size_t{1} << m_things;
}

std::optional<Subset> SubsetSearch::next() const
{
    if (m_told.size() >= m_budget.subsets || m_spentSeconds >= m_budget.seconds)
        return std::nullopt;
    if (!m_told.contains(0))
        return 0;
    for (std::size_t i = 0; i < m_things; ++i) {
        if (!m_told.contains(only(i)))
            return only(i);
    }
    if (!looksAtAll() && m_disappointments >= m_things)
        return std::nullopt;
    return bestPrediction();
}

void SubsetSearch::told(Subset subset, const SubsetFigures& figures, bool meetsLimit,
                        double spentSeconds)
{
    const auto before = best();
    const bool predicted = std::popcount(subset) > 1;
    const double leader = before ? cost(*before) : kNever;
    m_told[subset] = figures;
    m_spentSeconds += spentSeconds;
    if (!meetsLimit)
        m_refused.push_back(subset);
    if (predicted)
        m_disappointments = meetsLimit && cost(subset) < leader ? 0 : m_disappointments + 1;
}

bool SubsetSearch::isAllowed(Subset subset) const
{
    return looksAtAll() || std::none_of(m_refused.begin(), m_refused.end(),
                                        [&](Subset each) { return (subset & each) == each; });
}

double SubsetSearch::predicted(Figure figure, Subset subset) const
{
    const auto of = [&](Subset each) { return scaled(figure, m_told.at(each).*figure); };
    const double none = of(0);
    // Of one thing, or of a pair beyond that of its two.
    const auto alone = [&](std::size_t thing) { return of(only(thing)) - none; };
    double sum = none;
    for (std::size_t i = 0; i < m_things; ++i) {
        if ((subset & only(i)) == 0)
            continue;
        sum += alone(i);
        for (std::size_t j = 0; j < i; ++j) {
            const Subset pair = only(i) | only(j);
            if ((subset & only(j)) != 0 && m_told.contains(pair))
                sum += of(pair) - none - alone(i) - alone(j);
        }
    }
    return unscaled(figure, sum);
}

double SubsetSearch::cost(Subset subset) const
{
    const auto found = m_told.find(subset);
    const auto figure = [&](Figure each) {
        return found != m_told.end() ? found->second.*each : predicted(each, subset);
    };
    switch (m_objective) {
    case SubsetObjective::Time:
        return figure(&SubsetFigures::seconds);
    case SubsetObjective::Memory:
        return figure(&SubsetFigures::bytes);
    case SubsetObjective::BreakEven:
        break;
    }
    const SubsetFigures& none = m_told.at(0);
    const double gained = none.seconds - figure(&SubsetFigures::seconds);
    const double begin = figure(&SubsetFigures::beginSeconds) - none.beginSeconds;
    return gained > 0.0 ? std::max(0.0, begin / gained) : kNever;
}

std::optional<Subset> SubsetSearch::bestPrediction() const
{
    std::optional<Subset> chosen;
    for (Subset subset = 1; subset < Subset{1} << m_things; ++subset) {
        if (m_told.contains(subset) || !isAllowed(subset))
            continue;
        if (!chosen || cost(subset) < cost(*chosen))
            chosen = subset;
    }
    return chosen;
}

std::optional<Subset> SubsetSearch::best() const
{
    std::optional<Subset> best;
    for (const auto& [subset, figures] : m_told) {
        const bool refused =
            std::find(m_refused.begin(), m_refused.end(), subset) != m_refused.end();
        if (!refused && std::isfinite(cost(subset)) && (!best || cost(subset) < cost(*best)))
            best = subset;
    }
    return best;
}

}  // namespace qs::core
