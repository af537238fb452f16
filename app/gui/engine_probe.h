#pragma once

#include "widgets/plan/engine_state.h"

#include <QObject>

#include <filesystem>
#include <stop_token>

namespace qs::app {

// Asks the engine, on a thread of the pool, what it is and which devices it sees.
class EngineProbe final : public QObject
{
    Q_OBJECT

public:
    explicit EngineProbe(QObject* parent = nullptr);
    // Ends a question that is still open: the program need not wait for a slow answer to end.
    ~EngineProbe() override;

    void start(const std::filesystem::path& workerProgram);
    [[nodiscard]] const widgets::EngineState& state() const { return m_state; }

Q_SIGNALS:
    void stateChanged();

private:
    std::stop_source m_stop;
    widgets::EngineState m_state;
};

}  // namespace qs::app
