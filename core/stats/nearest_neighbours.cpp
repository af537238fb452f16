#include "core/stats/nearest_neighbours.h"

#include "core/base/checks.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace qs::core {

namespace {

constexpr double kMostNeighbours = 20.0;

double cosineOf(const std::vector<float>& a, const std::vector<float>& b)
{
    double product = 0.0;
    double ofA = 0.0;
    double ofB = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        product += double{a[i]} * double{b[i]};
        ofA += double{a[i]} * double{a[i]};
        ofB += double{b[i]} * double{b[i]};
    }
    return ofA > 0.0 && ofB > 0.0 ? product / std::sqrt(ofA * ofB) : 0.0;
}

}  // namespace

std::vector<bool> neighboursAgree(const std::vector<std::vector<float>>& vectors,
                                  std::span<const int> labels)
{
    QS_ASSERT(vectors.size() == labels.size());
    const auto count = static_cast<double>(vectors.size());
    const auto neighbours =
        static_cast<std::size_t>(std::clamp(std::round(std::sqrt(count)), 1.0, kMostNeighbours));
    std::vector<bool> agree;
    for (std::size_t i = 0; i < vectors.size(); ++i) {
        std::vector<std::pair<double, int>> others;  // the nearest first
        for (std::size_t j = 0; j < vectors.size(); ++j) {
            if (j != i)
                others.emplace_back(cosineOf(vectors[i], vectors[j]), labels[j]);
        }
        std::stable_sort(others.begin(), others.end(),
                         [](const auto& a, const auto& b) { return a.first > b.first; });
        others.resize(std::min(others.size(), neighbours));
        std::map<int, int> votes;
        int most = 0;
        for (const auto& [cosine, label] : others)
            most = std::max(most, ++votes[label]);
        const auto winner = std::find_if(others.begin(), others.end(), [&](const auto& each) {
            return votes[each.second] == most;
        });
        agree.push_back(winner != others.end() && winner->second == labels[i]);
    }
    return agree;
}

std::vector<float> meanRow(std::span<const float> values, std::size_t width)
{
    QS_ASSERT(width > 0 && !values.empty() && values.size() % width == 0);
    std::vector<double> sums(width, 0.0);
    for (std::size_t i = 0; i < values.size(); ++i)
        sums[i % width] += double{values[i]};
    const auto rows = static_cast<double>(values.size() / width);
    std::vector<float> mean(width);
    for (std::size_t i = 0; i < width; ++i)
        mean[i] = static_cast<float>(sums[i] / rows);
    return mean;
}

}  // namespace qs::core
