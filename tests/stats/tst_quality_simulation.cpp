// Whether WORSE keeps what it promises where the noise floor is measured itself, by simulated
// sweeps: no more than 1 % of them call any harmless cell worse.

#include "core/stats/paired_difference.h"
#include "core/stats/verdict.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>
#include <vector>

namespace qs::core {
namespace {

// From -1 to 1, roughly normal, and the same with every library.
double deviation(std::mt19937_64& random)
{
    double sum = 0.0;
    for (int i = 0; i < 4; ++i)
        sum += static_cast<double>(random() >> 11U) * 0x1.0p-53 - 0.5;
    return sum / 2.0;
}

struct SweepShares {
    double blamed = 0.0;  // sweeps that call a harmless cell worse
    double found = 0.0;   // sweeps that find the cell at ten times the floor
};

// Forty cells that are no farther than a run of the floor is, with the floor as measured in the
// same sweep, and one that lies ten times as far. `common`: how much of the spread of a picture's
// distance, in logarithms, is the picture's own, the same for all runs.
SweepShares sweepsAgainstTheFloor(int pictures, double spread, double common, int sweeps)
{
    constexpr int kHarmless = 40;
    std::mt19937_64 random(7);
    SweepShares shares;
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        std::vector<double> hardness;
        for (int picture = 0; picture < pictures; ++picture)
            hardness.push_back(spread * common * 2.0 * deviation(random));
        const auto run = [&](double level) {
            std::vector<double> distances;
            for (const double own : hardness)
                distances.push_back(
                    level * std::exp(own + spread * (1.0 - common) * 2.0 * deviation(random)));
            return distances;
        };
        const std::vector<double> floor = run(0.001);
        const double margin = std::accumulate(floor.begin(), floor.end(), 0.0) / pictures;
        std::vector<QualityEvidence> evidence;
        std::vector<double> claims;
        for (int cell = 0; cell <= kHarmless; ++cell) {
            evidence.push_back(
                weighAgainstFloor(run(cell < kHarmless ? 0.001 : 0.01), floor, margin));
            claims.push_back(evidence.back().claim());
        }
        const std::vector<double> adjusted = holmAdjusted(claims);
        bool any = false;
        for (std::size_t i = 0; i < kHarmless; ++i)
            any = any || judge(evidence[i], adjusted[i]) == QualityVerdict::Worse;
        shares.blamed += any ? 1.0 / sweeps : 0.0;
        shares.found +=
            judge(evidence.back(), adjusted.back()) == QualityVerdict::Worse ? 1.0 / sweeps : 0.0;
    }
    return shares;
}

TEST(QualityVerdictSimulation, AFloorThatIsMeasuredItselfBlamesHardlyAnySweep)
{
    for (const int pictures : {6, 8, 16}) {
        const int sweeps = pictures == 16 ? 200 : 1000;  // of 16 each takes a hundred times as long
        for (const double spread : {0.2, 0.6, 1.0}) {
            for (const double common : {0.0, 0.5, 0.9}) {
                const SweepShares shares = sweepsAgainstTheFloor(pictures, spread, common, sweeps);
                EXPECT_LE(shares.blamed, 0.01) << pictures << ", " << spread << ", " << common;
                if (pictures == 16) {
                    EXPECT_GE(shares.found, 0.99) << spread << ", " << common;
                }
                if (pictures == 8 && spread < 0.5) {
                    EXPECT_GE(shares.found, 0.99) << common;
                }
            }
        }
    }
}

}  // namespace
}  // namespace qs::core
