#include "app/gui/run_observer_bridge.h"

#include <utility>

namespace qs::app {

template <typename Change>
void RunObserverBridge::tell(Change change)
{
    bool wake = false;
    {
        const std::lock_guard lock(m_mutex);
        change(m_news);
        wake = !std::exchange(m_told, true);
    }
    if (wake)
        m_wake();
}

RunNews RunObserverBridge::take()
{
    const std::lock_guard lock(m_mutex);
    m_told = false;
    return std::exchange(m_news, {});
}

void RunObserverBridge::planned(const core::RunData& data)
{
    // Here and not in the window: a run that is resumed may have a hundred thousand rows. The
    // analysis points into the cells of the plan, which stay where they are when it moves.
    core::RunData copy = data;
    core::Analysis analysis = core::analyse(copy, copy.plan.preset.speedBaseline);
    tell([&](RunNews& news) {
        news.planned = std::move(copy);
        news.analysis = std::move(analysis);
        // All that the run has already is in the copy.
        news.grown.reset();
        news.events.clear();
        news.measurements.clear();
        news.qualities.clear();
    });
}

void RunObserverBridge::planGrew(const core::Plan& plan)
{
    tell([&](RunNews& news) { news.grown = plan; });
}

void RunObserverBridge::progressed(const core::RunProgress& progress)
{
    tell([&](RunNews& news) { news.progress = progress; });
}

void RunObserverBridge::measured(const core::Measurement& row)
{
    tell([&](RunNews& news) { news.measurements.push_back(row); });
}

void RunObserverBridge::qualityKnown(const core::OutputQuality& quality)
{
    tell([&](RunNews& news) { news.qualities.push_back(quality); });
}

void RunObserverBridge::happened(const core::RunEvent& event)
{
    tell([&](RunNews& news) { news.events.push_back(event); });
}

void RunObserverBridge::logged(const std::string& line)
{
    tell([&](RunNews& news) {
        // A worker that floods its log must not fill the memory of the window.
        if (news.lines.size() >= RunNews::kMostLines) {
            news.lines.erase(news.lines.begin(), news.lines.begin() + static_cast<std::ptrdiff_t>(
                                                                          RunNews::kMostLines / 2));
            news.linesLost += static_cast<int>(RunNews::kMostLines / 2);
        }
        news.lines.push_back(line);
    });
}

void RunObserverBridge::finished(const core::Status& status, core::RunData)
{
    tell([&](RunNews& news) { news.finished = status; });
}

}  // namespace qs::app
