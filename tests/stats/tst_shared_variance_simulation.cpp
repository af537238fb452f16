// What a run finds with three rounds when its comparisons share what they know of the variance. See
// Note [Moderated variances] in core/stats/moderated_variance.h.

#include "core/stats/verdict.h"
#include "tests/stats/simulated_sweep.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <set>
#include <string>
#include <vector>

namespace qs::core {
namespace {

using tests::CellNoise;
using tests::Machine;
using tests::Normal;
using tests::Sweep;

// Cells that wait for the device alone, recorded as a graph: over the shipped runs of an H200 the
// log ratio of two of them varies by 0.06 % between rounds (median), here by 0.1 %.
constexpr Machine kDeviceBound{
    .betweenProcesses = 0.0005, .betweenSamples = 0.0015, .wander = 0.0001};
constexpr Machine kNoisy{.betweenProcesses = 0.02, .betweenSamples = 0.05, .wander = 0.001};

constexpr std::size_t kComparisons = 80;
constexpr std::size_t kBaselines = 5;  // one for each batch
constexpr std::size_t kEach = kComparisons / kBaselines;
constexpr std::size_t kCandidates = 16;  // of a batch's kEach + 1 cells
constexpr int kRounds = 3;

enum class HostBound { None, SeenInside, NotSeenInside };
enum class BaselineOf { TheFirst, TheBest };

struct Found {
    int threePercent = 0;
    int onePercent = 0;
    int ofThree = 0;
    int ofOne = 0;
    int wrongRuns = 0;
    int runs = 0;

    [[nodiscard]] double shareOfThree() const { return double(threePercent) / ofThree; }
    [[nodiscard]] double shareOfOne() const { return double(onePercent) / ofOne; }
    [[nodiscard]] double wrong() const { return double(wrongRuns) / runs; }
};

// A baseline and kEach cells for each batch: cell i of a batch is slowdowns[i % size] slower.
struct DrawnRun {
    std::vector<double> truth;
    std::vector<std::size_t> baselines;  // of each cell; its own number for a baseline
    std::vector<CellNoise> noise;
    int others = 1;  // that each cell's baseline could have been among, see RatioEvidence
};

DrawnRun drawRun(const std::vector<double>& slowdowns, HostBound hostBound, Normal& normal)
{
    DrawnRun run;
    for (std::size_t batch = 0; batch < kBaselines; ++batch) {
        const std::size_t baseline = run.truth.size();
        for (std::size_t i = 0; i <= kEach; ++i) {
            run.truth.push_back(i == 0 ? 1.0 : 1.0 + slowdowns[(i - 1) % slowdowns.size()]);
            run.baselines.push_back(baseline);
        }
    }
    run.noise.resize(run.truth.size());
    if (hostBound == HostBound::None)
        return run;
    // A tenth of them, the baselines as well as the others.
    std::set<std::size_t> chosen;
    while (chosen.size() < run.truth.size() / 10)
        chosen.insert(normal.below(run.truth.size()));
    for (const std::size_t cell : chosen)
        run.noise[cell] = {.betweenProcesses = 10.0,
                           .betweenSamples = hostBound == HostBound::SeenInside ? 10.0 : 1.0};
    return run;
}

double spreadOf(const std::vector<double>& first, const std::vector<double>& second)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < first.size(); ++i)
        sum += first[i] + second[i];
    return std::log(sum / static_cast<double>(first.size()));
}

// The fastest of the first kCandidates cells of each batch becomes its baseline, whatever the
// truth.
void chooseTheBest(const std::vector<std::vector<double>>& seconds, DrawnRun& run)
{
    const auto logSum = [&](std::size_t cell) {
        double sum = 0.0;
        for (const double round : seconds[cell])
            sum += std::log(round);
        return sum;
    };
    for (std::size_t first = 0; first < seconds.size(); first += kEach + 1) {
        std::size_t best = first;
        for (std::size_t cell = first + 1; cell < first + kCandidates; ++cell)
            best = logSum(cell) < logSum(best) ? cell : best;
        std::fill_n(run.baselines.begin() + static_cast<std::ptrdiff_t>(first), kEach + 1, best);
    }
    run.others = static_cast<int>(kCandidates) - 1;
}

// As judgeSpeeds() does it.
std::vector<Verdict> judgeTogether(const std::vector<std::vector<double>>& seconds,
                                   const std::vector<std::vector<double>>& variances,
                                   const DrawnRun& run, std::vector<std::size_t>& cells)
{
    std::vector<RatioEvidence> evidence;
    std::vector<VarianceSample> samples;
    for (std::size_t cell = 0; cell < seconds.size(); ++cell) {
        const std::size_t baseline = run.baselines[cell];
        if (baseline == cell)
            continue;
        cells.push_back(cell);
        evidence.push_back(weighRatio(seconds[baseline], seconds[cell]));
        evidence.back().logVariance.spread = spreadOf(variances[baseline], variances[cell]);
        evidence.back().candidates = run.others;
        samples.push_back(evidence.back().logVariance);
    }
    const VariancePrior prior = fitVariancePrior(samples, kBaselines);
    std::vector<double> claims;
    for (RatioEvidence& each : evidence) {
        each = moderated(each, prior);
        claims.push_back(each.claim());
    }
    const std::vector<double> adjusted = holmAdjusted(claims);
    std::vector<Verdict> verdicts;
    for (std::size_t i = 0; i < evidence.size(); ++i)
        verdicts.push_back(judge(evidence[i], std::nullopt, adjusted[i]));
    return verdicts;
}

bool isHostBound(const DrawnRun& run, std::size_t cell)
{
    return run.noise[cell].betweenProcesses > 1.0 ||
           run.noise[run.baselines[cell]].betweenProcesses > 1.0;
}

Found simulate(const Machine& machine, const std::vector<double>& slowdowns, HostBound hostBound,
               int runs, std::uint64_t seed, BaselineOf baseline = BaselineOf::TheFirst)
{
    Normal normal(seed);
    Found found;
    for (found.runs = 0; found.runs < runs; ++found.runs) {
        DrawnRun run = drawRun(slowdowns, hostBound, normal);
        Sweep sweep(machine, run.truth, kRounds, normal, {}, run.noise);
        const auto& seconds = sweep.interleaved();
        if (baseline == BaselineOf::TheBest)
            chooseTheBest(seconds, run);
        std::vector<std::size_t> cells;
        const std::vector<Verdict> verdicts = judgeTogether(seconds, sweep.variances(), run, cells);
        bool wrong = false;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const double slowdown = run.truth[cells[i]] / run.truth[run.baselines[cells[i]]] - 1.0;
            const bool slower = verdicts[i] == Verdict::Slower;
            wrong = wrong || verdicts[i] == Verdict::Faster || (slower && slowdown < 0.005);
            if (isHostBound(run, cells[i]))
                continue;
            found.ofThree += slowdown > 0.02 ? 1 : 0;
            found.threePercent += slowdown > 0.02 && slower ? 1 : 0;
            found.ofOne += slowdown > 0.005 && slowdown < 0.02 ? 1 : 0;
            found.onePercent += slowdown > 0.005 && slowdown < 0.02 && slower ? 1 : 0;
        }
        found.wrongRuns += wrong ? 1 : 0;
    }
    return found;
}

TEST(SharedVarianceSimulation, ThreeRoundsFindSmallSlowdowns)
{
    for (const HostBound hostBound : {HostBound::None, HostBound::SeenInside}) {
        const Found found = simulate(kDeviceBound, {0.0, 0.03, 0.01, 0.0}, hostBound, 200, 41);
        std::printf("%s: 3 %% found in %.1f %%, 1 %% in %.1f %%, %d of %d runs wrong\n",
                    hostBound == HostBound::None ? "all wait for the device"
                                                 : "a tenth waits "
                                                   "for the host",
                    100.0 * found.shareOfThree(), 100.0 * found.shareOfOne(), found.wrongRuns,
                    found.runs);
        EXPECT_GE(found.shareOfThree(), 0.95);
        EXPECT_GE(found.shareOfOne(), 0.60);
        EXPECT_LE(found.wrong(), 0.01);
    }
}

// One percent of runs is what is promised. Noise that nothing foretells comes close to it: 0.89 %
// of 20000 runs with other random numbers; fewer runs tell it give or take two standard errors.
TEST(SharedVarianceSimulation, EqualCellsGetNoVerdictInNinetyNineOfAHundredRuns)
{
    for (const HostBound hostBound :
         {HostBound::None, HostBound::SeenInside, HostBound::NotSeenInside}) {
        for (const Machine& machine : {Machine{}, kNoisy}) {
            const bool isUnforeseen = hostBound == HostBound::NotSeenInside;
            const Found found = simulate(machine, {0.0}, hostBound, isUnforeseen ? 2000 : 1000, 42);
            std::printf("noise %.2f %%, host bound %d: %d of %d runs with a wrong verdict\n",
                        100.0 * machine.betweenProcesses, static_cast<int>(hostBound),
                        found.wrongRuns, found.runs);
            EXPECT_LE(found.wrong(), isUnforeseen ? 0.0145 : 0.01);
        }
    }
}

// See Note [The best as baseline]: an equal cell is not slower than the luckiest of sixteen.
TEST(SharedVarianceSimulation, TheBestOfManyMakesNoMoreWrongClaimsInThreeRounds)
{
    for (const HostBound hostBound :
         {HostBound::None, HostBound::SeenInside, HostBound::NotSeenInside}) {
        const Found found = simulate(kNoisy, {0.0}, hostBound, 1000, 44, BaselineOf::TheBest);
        std::printf("host bound %d, against the best: %d of %d runs with a wrong verdict\n",
                    static_cast<int>(hostBound), found.wrongRuns, found.runs);
        EXPECT_LE(found.wrong(), 0.01);
    }
}

// What the protection against luck costs: one percent is found in 40 to 54 rather than 70 of 100
// comparisons, three percent in 99.
TEST(SharedVarianceSimulation, ThreeRoundsFindSlowdownsAgainstTheBestOfMany)
{
    for (const HostBound hostBound : {HostBound::None, HostBound::SeenInside}) {
        const Found found =
            simulate(kDeviceBound, {0.0, 0.03, 0.01, 0.0}, hostBound, 200, 45, BaselineOf::TheBest);
        std::printf("against the best, host bound %d: 3 %% found in %.1f %%, 1 %% in %.1f %%\n",
                    static_cast<int>(hostBound), 100.0 * found.shareOfThree(),
                    100.0 * found.shareOfOne());
        EXPECT_GE(found.shareOfThree(), 0.95);
        EXPECT_GE(found.shareOfOne(), 0.35);
        EXPECT_LE(found.wrong(), 0.01);
    }
}

// What it is for: each comparison alone knows its variance with two degrees of freedom.
TEST(SharedVarianceSimulation, AloneThreeRoundsFindNothing)
{
    Normal normal(43);
    int found = 0;
    int all = 0;
    for (int i = 0; i < 20; ++i) {
        const DrawnRun run = drawRun({0.03}, HostBound::None, normal);
        Sweep sweep(kDeviceBound, run.truth, kRounds, normal);
        const auto& seconds = sweep.interleaved();
        std::vector<double> claims;
        std::vector<RatioEvidence> evidence;
        for (std::size_t cell = 0; cell < seconds.size(); ++cell) {
            if (run.baselines[cell] == cell)
                continue;
            evidence.push_back(weighRatio(seconds[run.baselines[cell]], seconds[cell]));
            claims.push_back(evidence.back().claim());
        }
        const std::vector<double> adjusted = holmAdjusted(claims);
        for (std::size_t each = 0; each < evidence.size(); ++each, ++all)
            found += judge(evidence[each], std::nullopt, adjusted[each]) == Verdict::Slower;
    }
    EXPECT_LT(found, all / 2);
}

}  // namespace
}  // namespace qs::core
