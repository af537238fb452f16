#include "core/analysis/subset_search.h"

#include "core/base/result.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace qs::core {

namespace {

constexpr std::size_t kMostThings = 16;

Subset only(std::size_t thing)
{
    return Subset{1} << thing;
}

}  // namespace

SubsetSearch::SubsetSearch(std::size_t things, std::size_t budget)
    : m_things(things), m_budget(budget)
{
    QS_ASSERT(things >= 1 && things <= kMostThings);
}

std::optional<Subset> SubsetSearch::next() const
{
    if (m_seconds.size() >= m_budget)
        return std::nullopt;
    if (!m_seconds.contains(0))
        return 0;
    for (std::size_t i = 0; i < m_things; ++i) {
        if (!m_seconds.contains(only(i)))
            return only(i);
    }
    const bool all = m_budget >= std::size_t{1} << m_things;
    if (!all && m_disappointments >= m_things)
        return std::nullopt;
    return bestPrediction();
}

void SubsetSearch::told(Subset subset, double seconds, bool meetsLimit)
{
    const auto before = best();
    const bool predicted = std::popcount(subset) > 1;
    const double leader = before ? m_seconds.at(*before) : std::numeric_limits<double>::infinity();
    m_seconds[subset] = seconds;
    if (!meetsLimit)
        m_refused.push_back(subset);
    if (predicted)
        m_disappointments = meetsLimit && seconds < leader ? 0 : m_disappointments + 1;
}

// What misses the limit misses it with more chosen, too: each of them adds to the distance.
bool SubsetSearch::isAllowed(Subset subset) const
{
    return std::none_of(m_refused.begin(), m_refused.end(),
                        [&](Subset each) { return (subset & each) == each; });
}

// Of the logarithm of the time, beyond that of its parts.
double SubsetSearch::effect(Subset subset) const
{
    const auto found = m_seconds.find(subset);
    if (found == m_seconds.end())
        return 0.0;
    double logarithm = std::log(found->second / m_seconds.at(0));
    for (std::size_t i = 0; i < m_things; ++i) {
        if ((subset & only(i)) != 0)
            logarithm -= std::log(m_seconds.at(only(i)) / m_seconds.at(0));
    }
    return logarithm;
}

double SubsetSearch::seconds(Subset subset) const
{
    if (const auto found = m_seconds.find(subset); found != m_seconds.end())
        return found->second;
    double logarithm = std::log(m_seconds.at(0));
    for (std::size_t i = 0; i < m_things; ++i) {
        if ((subset & only(i)) == 0)
            continue;
        logarithm += std::log(m_seconds.at(only(i)) / m_seconds.at(0));
        for (std::size_t j = 0; j < i; ++j) {
            if ((subset & only(j)) != 0)
                logarithm += effect(only(i) | only(j));
        }
    }
    return std::exp(logarithm);
}

std::optional<Subset> SubsetSearch::bestPrediction() const
{
    std::optional<Subset> chosen;
    for (Subset subset = 1; subset < Subset{1} << m_things; ++subset) {
        if (m_seconds.contains(subset) || !isAllowed(subset))
            continue;
        if (!chosen || seconds(subset) < seconds(*chosen))
            chosen = subset;
    }
    return chosen;
}

std::optional<Subset> SubsetSearch::best() const
{
    std::optional<Subset> best;
    for (const auto& [subset, seconds] : m_seconds) {
        const bool refused =
            std::find(m_refused.begin(), m_refused.end(), subset) != m_refused.end();
        if (!refused && (!best || seconds < m_seconds.at(*best)))
            best = subset;
    }
    return best;
}

}  // namespace qs::core
