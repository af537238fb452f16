#include "core/stats/ranking.h"

#include "core/stats/rows.h"

#include <algorithm>
#include <cmath>

namespace qs::core {

namespace {

// Keeps the best `count` of what comes, in order; `before` is a strict order.
template <typename Value, typename Before>
void keepBest(std::vector<Value>& best, const Value& value, std::size_t count, const Before& before)
{
    if (count == 0 || (best.size() == count && !before(value, best.back())))
        return;
    if (best.size() == count)
        best.pop_back();
    best.insert(std::upper_bound(best.begin(), best.end(), value, before), value);
}

}  // namespace

Result<std::vector<RankedScore>> highestScores(std::span<const float> scores, std::size_t count)
{
    if (scores.empty())
        return Error{ErrorCode::InvalidArgument, "there are no scores"};
    QS_RETURN_IF_ERROR(checkFinite(scores, "the result"));
    std::vector<RankedScore> best;
    const auto higher = [](const RankedScore& a, const RankedScore& b) {
        return a.score > b.score;
    };
    // Without overflow: the largest score is taken out first.
    const auto largest = static_cast<double>(*std::max_element(scores.begin(), scores.end()));
    double sum = 0.0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
        const auto score = static_cast<double>(scores[i]);
        sum += std::exp(score - largest);
        keepBest(best, {i, score, 0.0}, count, higher);
    }
    for (RankedScore& each : best)
        each.probability = std::exp(each.score - largest) / sum;
    return best;
}

Result<std::vector<ValueDifference>> largestDifferences(std::span<const float> values,
                                                        std::span<const float> reference,
                                                        std::size_t count)
{
    QS_RETURN_IF_ERROR(checkRows(values, reference, 1));
    std::vector<ValueDifference> best;
    const auto larger = [](const ValueDifference& a, const ValueDifference& b) {
        return std::abs(a.difference()) > std::abs(b.difference());
    };
    for (std::size_t i = 0; i < values.size(); ++i) {
        const ValueDifference difference{i, values[i], reference[i]};
        if (difference.difference() != 0.0)
            keepBest(best, difference, count, larger);
    }
    return best;
}

}  // namespace qs::core
