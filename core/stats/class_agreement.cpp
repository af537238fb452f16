#include "core/stats/class_agreement.h"

#include "core/stats/rows.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace qs::core {

namespace {

constexpr std::size_t kFirstClasses = 5;

// The classes with the highest scores, in order.
std::vector<std::size_t> firstClasses(std::span<const float> scores, std::size_t count)
{
    std::vector<std::size_t> order(scores.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count),
                      order.end(), [&](std::size_t a, std::size_t b) {
                          return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
                      });
    order.resize(count);
    return order;
}

}  // namespace

Result<ClassAgreement> classAgreement(std::span<const float> scores,
                                      std::span<const float> reference, std::size_t classes)
{
    QS_RETURN_IF_ERROR(checkRows(scores, reference, classes));
    const std::size_t count = std::min(kFirstClasses, classes);
    std::size_t top1 = 0;
    std::size_t top5 = 0;
    std::size_t shared = 0;
    ClassAgreement result;
    result.samples = scores.size() / classes;
    for (std::size_t sample = 0; sample < result.samples; ++sample) {
        const auto found = firstClasses(scores.subspan(sample * classes, classes), count);
        const auto wanted = firstClasses(reference.subspan(sample * classes, classes), count);
        const auto has = [&](std::size_t which) {
            return std::find(found.begin(), found.end(), which) != found.end();
        };
        top1 += found.front() == wanted.front() ? 1 : 0;
        top5 += has(wanted.front()) ? 1 : 0;
        shared += static_cast<std::size_t>(std::count_if(wanted.begin(), wanted.end(), has));
    }
    const auto samples = static_cast<double>(result.samples);
    result.top1 = static_cast<double>(top1) / samples;
    result.top5 = static_cast<double>(top5) / samples;
    result.top5Overlap = static_cast<double>(shared) / (samples * static_cast<double>(count));
    return result;
}

}  // namespace qs::core
