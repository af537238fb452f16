#include "core/analysis/sample_figures.h"

#include "core/stats/moments.h"
#include "core/stats/summary.h"

#include <algorithm>
#include <cmath>

namespace qs::core {

namespace {

void addRound(const SampleSummary& round, SampleFigures& figures)
{
    figures.outliers.mild += round.outliers.mild;
    figures.outliers.severe += round.outliers.severe;
    figures.effectiveCount += round.effectiveCount;
    if (std::abs(round.trend) > std::abs(figures.trend))
        figures.trend = round.trend;
    figures.drifting = figures.drifting || round.isDrifting();
}

void describeAll(std::vector<double> samples, SampleFigures& figures)
{
    const Moments moments = momentsOf(samples);
    figures.count = moments.count();
    figures.mean = moments.mean();
    if (moments.count() > 1)
        figures.standardDeviation = moments.standardDeviation();
    figures.minimum = moments.minimum();
    figures.maximum = moments.maximum();
    std::sort(samples.begin(), samples.end());
    figures.p90 = percentile(samples, 90);
    figures.p95 = percentile(samples, 95);
    figures.p99 = percentile(samples, 99);
}

}  // namespace

std::optional<SampleFigures> sampleFigures(const std::vector<CountedRound>& rounds)
{
    std::vector<double> all;
    std::vector<double> autocorrelations;
    SampleFigures figures;
    figures.significantDigits = 0;
    for (const CountedRound& each : rounds) {
        if (!each.row->ok())
            continue;
        const std::vector<double>& samples = each.row->passes;
        const auto round = summarize(samples);
        if (!round)
            continue;
        all.insert(all.end(), samples.begin(), samples.end());
        autocorrelations.push_back(round->autocorrelation);
        figures.significantDigits =
            figures.significantDigits == 0
                ? round->significantDigits
                : std::min(figures.significantDigits, round->significantDigits);
        addRound(*round, figures);
    }
    if (all.empty())
        return std::nullopt;
    figures.autocorrelation = median(autocorrelations);
    describeAll(std::move(all), figures);
    return figures;
}

}  // namespace qs::core
