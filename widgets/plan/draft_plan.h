#pragma once

#include "widgets/plan/engine_state.h"
#include "widgets/plan/planner.h"
#include "widgets/plan/sweep_draft.h"

#include <QTimer>

#include <optional>
#include <vector>

namespace qs::widgets {

// What the draft amounts to: the plan of it on the devices of this computer or, to know what would
// run there, on a GPU that is not in it. Made anew when the draft changes.
class DraftPlan final : public QObject
{
    Q_OBJECT

public:
    // `draft` must outlive the object.
    DraftPlan(const SweepDraft& draft, Planner::Maker maker, std::filesystem::path resourceFolder);

    // None while it is being made, or when it cannot be.
    [[nodiscard]] const std::optional<core::Plan>& plan() const { return m_plan; }
    // Why there is none; empty if there is one, or one is being made.
    [[nodiscard]] const QString& problem() const { return m_problem; }
    // Why a run of it would be refused here: memory, space. Empty if it would not.
    [[nodiscard]] QString objection() const;
    [[nodiscard]] bool isSettled() const { return !m_planner.isPlanning() && !m_soon.isActive(); }

    void setEngine(const EngineState& engine);
    [[nodiscard]] const EngineState& engine() const { return m_engine; }
    // None: for the devices of this computer.
    void setPlannedFor(const std::optional<core::DeviceDescription>& device);
    [[nodiscard]] const std::optional<core::DeviceDescription>& plannedFor() const
    {
        return m_plannedFor;
    }
    // Where runs will be: what they take is compared with the space there, and with the memory.
    void setRunsFolder(const std::filesystem::path& folder) { m_runsFolder = folder; }
    // There is no plan, because of an edit that cannot be.
    void refuse(const QString& problem);

Q_SIGNALS:
    // plan() or problem(), also to none at the beginning of making one.
    void changed();
    // A plan was made, or found to be impossible.
    void planned();
    // Before the plan: values that cannot run.
    void reasonsFound(const qs::widgets::ReasonTexts& reasons);

private:
    void make();
    void receive(const Planner::Answer& answer);
    void followDraft();

    const SweepDraft& m_draft;
    std::filesystem::path m_resourceFolder;
    std::filesystem::path m_runsFolder;
    EngineState m_engine;
    std::optional<core::DeviceDescription> m_plannedFor;
    std::optional<core::Plan> m_plan;
    QString m_problem;
    Planner m_planner;
    QTimer m_soon;
};

}  // namespace qs::widgets
