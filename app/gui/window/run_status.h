#pragma once

#include "app/gui/engine_probe.h"
#include "app/gui/run_controller.h"
#include "app/gui/window/messages.h"
#include "app/gui/window/run_name.h"
#include "app/gui/window/window_parts.h"

namespace qs::app {

// What the window says of the moment: the running cell or the last notice in the status line, a
// phase that has gone silent, and the log.
class RunStatus final : public QObject
{
    Q_OBJECT

public:
    // Everything given must outlive the object.
    RunStatus(const RunName& inView, RunController& controller, const EngineProbe& engine,
              const Messages& messages, const WindowParts& parts);

    void update();

private:
    // The run that goes on has begun, or has more cells.
    void readRun();
    void showRunning();

    const RunName& m_inView;
    const RunController& m_controller;
    const EngineProbe& m_engine;
    const Messages& m_messages;
    WindowParts m_parts;
    core::CellLabels m_labels;
    std::size_t m_labelled = 0;  // cells of the plan
};

}  // namespace qs::app
