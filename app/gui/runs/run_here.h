#pragma once

#include "core/sweep/preset.h"
#include "widgets/plan/planner.h"

#include <QObject>

#include <optional>

class QWidget;

namespace qs::app {

// Measuring the run in view again on this computer: what it would cost, all of it or a quick
// variant, and the question before anything long begins. The draft has no part in it. Lives on the
// GUI thread.
class RunHere final : public QObject
{
    Q_OBJECT

public:
    // A run beyond this is asked about.
    static constexpr double kSecondsWithoutAsking = 300.0;

    // `window` must outlive the object.
    RunHere(QWidget& window, std::filesystem::path resourceFolder,
            const widgets::Planner::Maker& maker = core::makePlan);

    // Plans the sweep for these devices; offerChanged() follows. None: there is no such run.
    void offer(const std::optional<core::Preset>& preset,
               const std::vector<core::DeviceDescription>& devices);
    [[nodiscard]] bool isPlanning() const { return m_whole.isPlanning() || m_quick.isPlanning(); }
    // "Run here (40 cells, about 92 h)…".
    [[nodiscard]] QString buttonText() const;
    // Why it cannot be run; empty if it can.
    [[nodiscard]] QString obstacle() const;
    // Asks first if it takes long; runRequested() follows for what was chosen.
    void ask();

Q_SIGNALS:
    void offerChanged();
    void runRequested(const qs::core::Plan& plan);

private:
    void receive(std::optional<core::Plan>& plan, const widgets::Planner::Answer& answer);
    [[nodiscard]] bool isOffered() const;
    [[nodiscard]] bool isLong() const;
    void showQuestion();

    QWidget& m_window;
    std::filesystem::path m_resourceFolder;
    widgets::Planner m_whole;
    widgets::Planner m_quick;
    std::optional<core::Plan> m_wholePlan;
    std::optional<core::Plan> m_quickPlan;
    QString m_problem;  // of the whole sweep's plan
};

}  // namespace qs::app
