#pragma once

#include "app/gui/run_queue.h"
#include "app/gui/window/path_agreement.h"
#include "app/gui/window/program_agreement.h"
#include "app/gui/window_actions.h"

namespace qs::app {

// What becomes of sweeps: they are begun or wait for the running one, are appended to a run or
// gone on with, and end; a window that is closed while one runs asks first.
class RunFlow final : public QObject
{
    Q_OBJECT

public:
    // `window` is closed when the run has ended that closing was asked in. Everything given must
    // outlive the object.
    RunFlow(const widgets::RunStore& store, RunController& controller, Messages& messages,
            QWidget& window, std::filesystem::path runsFolder, const core::ProgramPaths& paths);

    // But those that the draft answers.
    void connectActions(const RunActions& actions);
    [[nodiscard]] RunQueue& queue() { return m_queue; }
    // Queues it while another run goes on.
    void start(const core::Plan& plan);
    // To the run in view.
    void append(const core::Plan& plan);
    // Goes on with a run: what is missing, and what failed if wanted.
    void resume(const std::filesystem::path& folder, bool retryFailed);
    // Asks what is to become of the running sweep before the window closes.
    void askBeforeClosing();
    // Paths of a plan are being looked at.
    // A run has ended, and what its last rows say is not known yet.
    [[nodiscard]] bool isEnding() const { return m_isEnding; }
    [[nodiscard]] bool isReading() const
    {
        return m_agreement.isReading() || m_programs.isReading();
    }

Q_SIGNALS:
    // In a new folder.
    void begun();
    void resumed();
    // With all rows, and what they say: their analysis is made in the background.
    void ended();

private:
    // Gives the open comparisons of the run in view more rounds.
    void settle();
    enum class Show { Run, WhatIsInView };
    void begin(const core::Plan& plan, Show show);
    void beginTrusted(const core::Plan& plan, Show show);
    void appendTrusted(const core::Plan& plan);
    void startNext(Show show);
    void finish(const QString& error);
    void closeAfterRun(bool now);

    const widgets::RunStore& m_store;
    RunController& m_controller;
    Messages& m_messages;
    QWidget& m_window;
    std::filesystem::path m_runsFolder;
    RunQueue m_queue;
    PathAgreement m_agreement;
    ProgramAgreement m_programs;
    bool m_closeAfterRun = false;
    bool m_isEnding = false;  // waits for the analysis
};

}  // namespace qs::app
