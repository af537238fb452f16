#include "core/stats/logit_distance.h"

#include "core/stats/rows.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace qs::core {

namespace {

// log(sum(exp(x))), without overflow: the largest score is taken out first.
double logSumExp(std::span<const float> scores)
{
    const auto largest = static_cast<double>(*std::max_element(scores.begin(), scores.end()));
    double sum = 0.0;
    for (const float score : scores)
        sum += std::exp(static_cast<double>(score) - largest);
    return largest + std::log(sum);
}

double divergence(std::span<const float> logits, std::span<const float> reference)
{
    const double normalizer = logSumExp(logits);
    const double referenceNormalizer = logSumExp(reference);
    double sum = 0.0;
    for (std::size_t i = 0; i < logits.size(); ++i) {
        const double wanted = static_cast<double>(reference[i]) - referenceNormalizer;
        const double found = static_cast<double>(logits[i]) - normalizer;
        sum += std::exp(wanted) * (wanted - found);
    }
    return std::max(0.0, sum);  // rounding can leave it a hair below
}

}  // namespace

Result<LogitDistance> logitDistance(std::span<const float> logits, std::span<const float> reference,
                                    std::size_t vocabulary)
{
    QS_RETURN_IF_ERROR(checkRows(logits, reference, vocabulary));
    LogitDistance result;
    result.positions = logits.size() / vocabulary;
    double absolute = 0.0;
    double divergences = 0.0;
    for (std::size_t position = 0; position < result.positions; ++position) {
        const auto row = logits.subspan(position * vocabulary, vocabulary);
        const auto wanted = reference.subspan(position * vocabulary, vocabulary);
        double rowAbsolute = 0.0;
        for (std::size_t i = 0; i < vocabulary; ++i) {
            const double error =
                std::abs(static_cast<double>(row[i]) - static_cast<double>(wanted[i]));
            rowAbsolute += error;
            result.maxAbsolute = std::max(result.maxAbsolute, error);
        }
        absolute += rowAbsolute;
        const double here = divergence(row, wanted);
        divergences += here;
        if (here > result.maxDivergence) {
            result.maxDivergence = here;
            result.worstPosition = position;
        }
    }
    result.meanAbsolute = absolute / static_cast<double>(logits.size());
    result.meanDivergence = divergences / static_cast<double>(result.positions);
    return result;
}

Result<double> crossEntropy(std::span<const float> logits, std::span<const std::int64_t> targets,
                            std::size_t vocabulary)
{
    QS_RETURN_IF_ERROR(checkRows(logits, logits, vocabulary));
    if (logits.size() / vocabulary != targets.size())
        return Error{ErrorCode::InvalidArgument, std::to_string(targets.size()) + " tokens for " +
                                                     std::to_string(logits.size() / vocabulary) +
                                                     " rows of scores"};
    double sum = 0.0;
    for (std::size_t position = 0; position < targets.size(); ++position) {
        const std::int64_t target = targets[position];
        if (target < 0 || static_cast<std::size_t>(target) >= vocabulary)
            return Error{ErrorCode::InvalidArgument,
                         "the token " + std::to_string(target) + " is none of the vocabulary"};
        const auto row = logits.subspan(position * vocabulary, vocabulary);
        sum += logSumExp(row) - static_cast<double>(row[static_cast<std::size_t>(target)]);
    }
    return sum / static_cast<double>(targets.size());
}

}  // namespace qs::core
