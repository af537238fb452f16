#pragma once

#include "app/gui/run_observer_bridge.h"
#include "core/run/program_paths.h"
#include "core/run/run_session.h"
#include "widgets/models/run_store.h"

#include <QObject>
#include <QStringList>
#include <QTimer>

#include <filesystem>
#include <memory>
#include <optional>

namespace qs::app {

// A running sweep as the window sees it. Lives on the GUI thread; what the run tells arrives in the
// store, at most 30 times a second.
class RunController final : public QObject
{
    Q_OBJECT

public:
    // `store` must outlive the controller and receives the run.
    RunController(core::ProgramPaths paths, widgets::RunStore& store, QObject* parent = nullptr);
    // Stops a run at once and waits for its worker to end; whoever can, waits for finished()
    // before.
    ~RunController() override;

    [[nodiscard]] bool isRunning() const { return m_session != nullptr; }
    [[nodiscard]] const core::RunProgress& progress() const { return m_progress; }
    [[nodiscard]] const std::filesystem::path& folder() const { return m_folder; }
    // The plan of the running sweep; empty before it has begun.
    [[nodiscard]] const core::Plan& plan() const;
    // The store shows the running sweep. Else the store belongs to whoever fills it, and what the
    // run tells is kept until somebody wants to see it.
    [[nodiscard]] bool isInView() const { return isRunning() && !m_parked; }
    // False before another run is put into the store; true puts the running sweep there again.
    void setInView(bool inView);
    // The last run came to its end, and was in view then.
    [[nodiscard]] bool isComplete() const { return m_complete; }
    [[nodiscard]] bool endedInView() const { return m_endedInView; }
    // A stop was asked for and has not come yet.
    [[nodiscard]] bool isStopping() const { return m_stopping; }
    [[nodiscard]] bool isPaused() const { return m_paused; }
    // The run has a folder. False for one that was stopped, or failed, before it began.
    [[nodiscard]] bool hasBegun() const { return m_begun; }

public Q_SLOTS:
    // Ignored while a run goes on. Without `inView` the run in the store stays there.
    void start(const qs::core::Plan& plan, const std::filesystem::path& folder, bool inView = true);
    // Goes on with the run in `folder`; failed cells get a new attempt if wanted. `agreed`: the
    // paths outside of it that the user agreed to, see Note [Path trust].
    void resume(const std::filesystem::path& folder, bool retryFailed,
                const std::vector<std::string>& agreed = {});
    void stopAfterCell();
    void stopNow();
    void setPaused(bool paused);
    void skipCell();
    void skipCompileMode();
    // Makes it the next cell of the round that goes on.
    void bringForward(const QString& cellId);
    // Appends the cells of a plan to the run that goes on, or goes on with the run in `folder` for
    // them.
    void append(const qs::core::Plan& plan);
    void append(const qs::core::Plan& plan, const std::filesystem::path& folder,
                const std::vector<std::string>& agreed);

Q_SIGNALS:
    void started();
    // The first rows may come; the store holds the plan if it is in view.
    void planned();
    void progressChanged(const qs::core::RunProgress& progress);
    void linesLogged(const QStringList& lines);
    // isStopping(), isPaused() or isInView() has changed.
    void stateChanged();
    // The run has ended; empty without an error. If it was in view, the store holds all rows, and
    // its analysis follows within the same turn.
    void runFinished(const QString& error);

private:
    void begin(const core::Plan& plan, core::RunOptions options);
    void scheduleFlush();
    void flush();
    // To the store, or to where the run waits to be seen.
    template <typename Receiver>
    void hand(RunNews& news, Receiver& receiver);
    void end(const core::Status& status);
    void tellLines(const RunNews& news);

    core::ProgramPaths m_paths;
    widgets::RunStore& m_store;
    std::filesystem::path m_folder;
    core::RunProgress m_progress;
    bool m_stopping = false;
    bool m_paused = false;
    bool m_begun = false;
    bool m_complete = false;
    bool m_endedInView = true;
    std::optional<widgets::ParkedRun> m_parked;  // the running sweep while another run is in view
    std::optional<core::Plan> m_leftOver;        // appended when the session was just ending
    QTimer m_flush;
    std::unique_ptr<RunObserverBridge> m_bridge;  // outlives the session
    std::unique_ptr<core::RunSession> m_session;
};

}  // namespace qs::app
