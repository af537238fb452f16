#pragma once

#include "app/gui/engine_probe.h"
#include "app/gui/run_controller.h"
#include "app/gui/window/messages.h"
#include "app/gui/window/window_parts.h"

namespace qs::app {

// What the window says of the moment: the running cell or the last notice in the status line, a
// phase that has gone silent, and the log.
class RunStatus final : public QObject
{
    Q_OBJECT

public:
    // Everything given must outlive the object.
    RunStatus(const widgets::RunStore& store, RunController& controller, const EngineProbe& engine,
              const Messages& messages, const WindowParts& parts);

    void update();

private:
    const widgets::RunStore& m_store;
    const RunController& m_controller;
    const EngineProbe& m_engine;
    const Messages& m_messages;
    WindowParts m_parts;
};

}  // namespace qs::app
