#include "core/stats/moderated_variance.h"

#include "core/stats/polygamma.h"
#include "core/stats/verdict.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace qs::core {
namespace {

// As the formulae of Smyth 2004 are published: nothing is held back.
constexpr PriorRule kPublished{
    .standardErrors = 0.0, .samplesPerFreedom = 0.0, .fewestSamples = 2, .fewestForSpread = 2};

const std::vector<double> kVariances{1.1e-6, 9.0e-6, 2.3e-6, 0.15e-6, 9.0e-6, 3.1e-6,
                                     1.5e-6, 1.9e-6, 40e-6,  8.8e-6,  0.2e-6, 16.1e-6};
const std::vector<double> kFreedoms{2, 2, 2, 4, 2, 2, 4, 2, 2, 2, 2, 2};
const std::vector<double> kSpreads{-13.0, -12.5, -11.9, -12.9, -13.5, -12.4,
                                   -12.2, -12.8, -11.9, -12.6, -12.3, -12.7};

std::vector<VarianceSample> samples(bool withSpreads)
{
    std::vector<VarianceSample> all;
    for (std::size_t i = 0; i < kVariances.size(); ++i) {
        all.push_back({.variance = kVariances[i], .freedom = kFreedoms[i]});
        if (withSpreads)
            all.back().spread = kSpreads[i];
    }
    return all;
}

// scipy.special.digamma and polygamma.
TEST(Polygamma, AgreesWithScipy)
{
    struct Row {
        double x;
        double first;
        double second;
        double fourth;
    };
    for (const Row& row :
         {Row{0.05, -20.49784499129987, 401.53235734211506, 960005.3883223129},
          Row{0.5, -1.9635100260214235, 4.93480220054468, 97.40909103400242},
          Row{1.0, -0.5772156649015329, 1.6449340668482266, 6.493939402266829},
          Row{3.7, 1.1671535393615113, 0.31003785767003833, 0.05827921795656364},
          Row{25.0, 3.198742512851974, 0.04081066325722558, 0.0001358846365082737},
          Row{400.0, 5.990214026274974, 0.002503127604163412, 3.136738281188965e-08}}) {
        EXPECT_NEAR(digamma(row.x), row.first, 1e-13 * std::abs(row.first) + 1e-14) << row.x;
        EXPECT_NEAR(trigamma(row.x), row.second, 1e-13 * row.second) << row.x;
        EXPECT_NEAR(pentagamma(row.x), row.fourth, 1e-12 * row.fourth) << row.x;
        EXPECT_NEAR(inverseTrigamma(row.second), row.x, 1e-8 * row.x);
    }
    EXPECT_NEAR(inverseTrigamma(1e-9), 1e9, 1.0);
    EXPECT_NEAR(trigamma(inverseTrigamma(1e9)), 1e9, 1e5);
}

// The published formulae in numpy and scipy: moments of the logarithms, scipy.optimize.brentq for
// the inverse of trigamma.
TEST(VariancePrior, AgreesWithSmyth)
{
    const VariancePrior prior = fitVariancePrior(samples(false), 12, kPublished);
    EXPECT_NEAR(prior.freedom(), 2.0659882109884613, 1e-8);
    EXPECT_NEAR(prior.varianceAt({}), 2.7801516104728245e-06, 1e-14);
    EXPECT_NEAR(prior.moderated(samples(false)[0]).variance, 1.953709661658432e-06, 1e-14);
    EXPECT_NEAR(prior.moderated(samples(false)[8]).variance, 2.1088049448906967e-05, 1e-13);
    EXPECT_NEAR(prior.moderated(samples(false)[8]).freedom, 4.0659882109884613, 1e-8);
}

TEST(VariancePrior, FollowsTheSpreadWithinRounds)
{
    const VariancePrior prior = fitVariancePrior(samples(true), 12, kPublished);
    EXPECT_NEAR(prior.freedom(), 1.8542979409832578, 1e-8);
    EXPECT_NEAR(prior.varianceAt(kSpreads[0]), 2.185850216793889e-06, 1e-14);
    EXPECT_NEAR(prior.varianceAt(kSpreads[8]), 3.3292648380486953e-06, 1e-13);
    EXPECT_NEAR(prior.moderated(samples(true)[0]).variance, 1.6224011874659275e-06, 1e-14);
    EXPECT_NEAR(prior.moderated(samples(true)[8]).variance, 2.2357754966965066e-05, 1e-13);
}

// More spread within rounds never foretells less between them.
TEST(VariancePrior, IsFlatWhereTheSpreadTellsTheContrary)
{
    std::vector<VarianceSample> contrary = samples(true);
    for (VarianceSample& sample : contrary)
        sample.spread = -25.0 - *sample.spread;
    const VariancePrior prior = fitVariancePrior(contrary, 12, kPublished);
    const VariancePrior flat = fitVariancePrior(samples(false), 12, kPublished);
    EXPECT_EQ(prior.freedom(), flat.freedom());
    EXPECT_EQ(prior.varianceAt(-10.0), flat.varianceAt({}));
    contrary.front().spread.reset();
    EXPECT_EQ(fitVariancePrior(contrary, 12, kPublished).freedom(), flat.freedom());
}

TEST(VariancePrior, LendsLessThanItSees)
{
    const VariancePrior prior = fitVariancePrior(samples(false), 12);
    EXPECT_LT(prior.freedom(), 2.0659882109884613);
    EXPECT_GT(prior.freedom(), 0.0);
    // Equal variances lend a quarter of their number, and never more than the baseline's half
    // allows: 4 · 2 / (1 / 1 + 3 / 40).
    const std::vector<VarianceSample> equal(40, {.variance = 2e-6, .freedom = 2.0});
    const VariancePrior sharp = fitVariancePrior(equal, 40);
    EXPECT_EQ(sharp.freedom(), 10.0);
    EXPECT_EQ(sharp.moderated(equal[0]).freedom, 12.0);
    EXPECT_NEAR(fitVariancePrior(equal, 1).moderated(equal[0]).freedom, 8.0 / (1.0 + 3.0 / 40.0),
                1e-12);
}

TEST(VariancePrior, LendsNothingOfFewOrOfRoundsWithoutSpread)
{
    const std::vector<VarianceSample> few(7, {.variance = 2e-6, .freedom = 2.0});
    EXPECT_EQ(fitVariancePrior(few, 1).freedom(), 0.0);
    EXPECT_EQ(fitVariancePrior({}, 1).freedom(), 0.0);
    const std::vector<VarianceSample> exact(40, {.variance = 0.0, .freedom = 2.0});
    EXPECT_EQ(fitVariancePrior(exact, 1).freedom(), 0.0);
    const VarianceSample own{.variance = 3e-6, .freedom = 2.0};
    EXPECT_EQ(VariancePrior().moderated(own).variance, own.variance);
    EXPECT_EQ(VariancePrior().moderated(own).freedom, own.freedom);
}

// One comparison of three rounds among the twelve: scipy.stats.t of the moderated variance.
TEST(Moderated, AgreesWithScipy)
{
    const std::vector<double> ones{1.0, 1.0, 1.0};
    const double reach = std::sqrt(1.1e-6);
    const std::vector<double> seconds{std::exp(-0.02 - reach), std::exp(-0.02),
                                      std::exp(-0.02 + reach)};
    const RatioEvidence own = weighRatio(ones, seconds);
    EXPECT_NEAR(own.logVariance.variance, 1.1e-6, 1e-17);
    const VariancePrior prior = fitVariancePrior(samples(false), 12, kPublished);
    const RatioEvidence shared = moderated(own, prior);
    EXPECT_NEAR(shared.faster, 2.175632652736088e-05, 1e-12);
    EXPECT_NEAR(shared.ratio.interval->lower, 1.0179325905677215, 1e-9);
    EXPECT_EQ(shared.ratio.value, own.ratio.value);
    EXPECT_EQ(moderated(own, VariancePrior()).faster, own.faster);
}

}  // namespace
}  // namespace qs::core
