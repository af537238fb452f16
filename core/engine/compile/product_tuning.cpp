#include "core/engine/compile/product_tuning.h"

#include <algorithm>
#include <limits>

namespace qs::engine {

using core::Result;

Result<std::size_t> fastestLaunch(Backend& backend, const std::vector<std::function<void()>>& ways)
{
    constexpr int kInARow = 20;
    constexpr int kTurns = 5;
    std::vector<std::unique_ptr<RecordedWork>> recorded;
    for (const std::function<void()>& way : ways) {
        QS_TRY(auto work, backend.record([&way] {
            for (int i = 0; i < kInARow; ++i)
                way();
        }));
        recorded.push_back(std::move(work));
    }
    std::vector<double> least(ways.size(), std::numeric_limits<double>::infinity());
    for (int turn = 0; turn < kTurns; ++turn) {
        for (std::size_t i = 0; i < recorded.size(); ++i) {
            SamplePlan plan;
            plan.steps = {[&] { recorded[i]->launch(); }};
            plan.held = backend.holdsStreams();
            least[i] = std::min(least[i], backend.timeSample(plan).seconds());
        }
    }
    return static_cast<std::size_t>(std::min_element(least.begin(), least.end()) - least.begin());
}

}  // namespace qs::engine
