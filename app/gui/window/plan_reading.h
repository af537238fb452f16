#pragma once

#include "app/gui/run_controller.h"
#include "app/gui/window/messages.h"
#include "widgets/background/in_background.h"

#include <QCoreApplication>

#include <memory>
#include <utility>

namespace qs::app {

// What a question before a run goes on has to read of its plan, on the pool.
class PlanReading final
{
    Q_DECLARE_TR_FUNCTIONS(PlanReading)

public:
    // `owner` has it as a member; everything given must outlive it.
    PlanReading(QObject& owner, const RunController& controller, Messages& messages)
        : m_owner(owner), m_controller(controller), m_messages(messages)
    {
    }

    // Calls `then` with what `read` has found, which is a Result. Not at all if a run has begun
    // meanwhile, or if it has failed, which is said.
    template <typename Read, typename Then>
    void start(Read read, Then then)
    {
        using Found = decltype(read());
        ++m_reading;
        widgets::inBackground(
            &m_owner, [read = std::move(read)] { return std::make_shared<Found>(read()); },
            [this, then = std::move(then)](const std::shared_ptr<Found>& found) {
                --m_reading;
                if (m_controller.isRunning())
                    return;
                if (found != nullptr && found->ok())
                    then(found->value());
                else
                    m_messages.showProblem(tr("Cannot resume the run"),
                                           found == nullptr
                                               ? tr("Not enough memory.")
                                               : QString::fromStdString(found->error().message));
            });
    }
    [[nodiscard]] bool isReading() const { return m_reading > 0; }

private:
    QObject& m_owner;
    const RunController& m_controller;
    Messages& m_messages;
    int m_reading = 0;
};

}  // namespace qs::app
