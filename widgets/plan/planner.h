#pragma once

#include "core/sweep/plan.h"
#include "widgets/plan/reason_texts.h"

#include <QObject>
#include <QThreadPool>

#include <atomic>
#include <functional>
#include <memory>

namespace qs::widgets {

// Makes plans on a worker, because that opens models and hashes their weights, and finds out which
// values cannot run. Lives on the GUI thread. Only the answer to the newest request is told.
class Planner final : public QObject
{
    Q_OBJECT

public:
    using Answer = std::shared_ptr<const core::Result<core::Plan>>;
    // Called on a worker thread; replaced in tests.
    using Maker =
        std::function<core::Result<core::Plan>(const core::Preset&, const core::PlanOptions&)>;

    explicit Planner(Maker maker = core::makePlan, QObject* parent = nullptr);
    // Waits for the plan that is being made, if any.
    ~Planner() override;

    void request(const core::Preset& preset, const core::PlanOptions& options);
    [[nodiscard]] bool isPlanning() const { return m_planning; }

Q_SIGNALS:
    // Before the plan: it needs headers alone, and no plan can be made of a broken draft.
    void reasonsFound(const qs::widgets::ReasonTexts& reasons);
    void planned(const qs::widgets::Planner::Answer& answer);

private:
    void receive(quint64 job, const Answer& answer);

    Maker m_maker;
    QThreadPool m_pool;
    std::shared_ptr<std::atomic<quint64>>
        m_newest;  // read by workers: what is superseded is not begun
    bool m_planning = false;
};

}  // namespace qs::widgets
