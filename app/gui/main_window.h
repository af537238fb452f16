#pragma once

#include "app/gui/dropped_item.h"
#include "app/gui/engine_probe.h"
#include "app/gui/run_controller.h"
#include "app/gui/run_loader.h"
#include "app/gui/run_queue.h"
#include "app/gui/settings.h"
#include "app/gui/window_actions.h"
#include "core/device/nvml.h"
#include "widgets/models/run_store.h"

#include <QMainWindow>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

class QPlainTextEdit;
class QSplitter;
class QTabWidget;

namespace qs::widgets {
class CellTable;
class CompareView;
class CurveView;
class LayersView;
class PlanPanel;
}  // namespace qs::widgets

namespace qs::app {

class AnswerBar;
class ExampleBanner;
class Exports;
class HelpWindow;
class RunsPage;
class SilentPhaseBar;
class StatusStrip;

struct WindowOptions {
    core::ProgramPaths paths;
    QString settingsFile;              // empty: the user's own
    std::filesystem::path runsFolder;  // where new runs go; empty: as the settings say
    std::string nvmlLibrary = core::Nvml::kLibrary;  // tests bring their own
};

// The one window: the draft on the left, the run that is looked at in the middle and on the right.
class MainWindow final : public QMainWindow
{
    Q_OBJECT

public:
    explicit MainWindow(WindowOptions options);
    ~MainWindow() override;

    // Shows an error box if it cannot be read; the draft stays as it was then.
    void openPreset(const std::filesystem::path& path);
    // Ignored while a run goes on.
    void openRun(const std::filesystem::path& folder);
    // Whatever it is: preset, run folder, model or pictures.
    void openItem(const std::filesystem::path& path);
    // Presses Run as soon as it can be pressed.
    void startWhenReady();
    // The draft that a first start shows.
    void openFirstPreset();
    // The run that was looked at last or, at a first start, the shipped example.
    void openFirstRun();

    // "curves", "table", "layers" or "runs"; ignores other names.
    void showView(const QString& name);

    // Something was thrown that nobody expected.
    void showFault(const QString& problem);

    // Nothing is going on that would still change what is seen.
    [[nodiscard]] bool isSettled() const;
    [[nodiscard]] widgets::RunStore& store() { return m_store; }
    [[nodiscard]] RunController& controller() { return m_controller; }

Q_SIGNALS:
    // An error box was shown.
    void problemShown(const QString& text);

protected:
    void changeEvent(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void build();
    [[nodiscard]] QWidget* buildCentre();
    void connectActions();
    void connectExports();
    void connectRun();
    void connectRuns();
    void connectPlan();
    // Shipped ones and the user's own.
    void fillPresets();
    void browsePresets();
    // False if there is none.
    [[nodiscard]] bool restoreDraft();
    void restoreLayout();
    void saveLayout();

    void showEngine();
    // Queues it while another run goes on.
    void startRun(const core::Plan& plan);
    void startNext();
    void appendToRun(const core::Plan& plan);
    // Gives the open comparisons of the run in view more rounds.
    void settle();
    void updateSettle();
    // Goes on with a run: what is missing, and what failed if wanted.
    void resumeRun(const std::filesystem::path& folder, bool retryFailed);
    // Calls goOn with the paths that the user agrees to, see Note [Path trust]: at once if there is
    // nothing to agree to.
    using GoOn = std::function<void(const std::vector<std::string>& agreed)>;
    void askForPaths(const std::filesystem::path& folder, const GoOn& goOn);
    void askToTrust(const std::vector<std::string>& paths, const GoOn& goOn);
    // Makes the sweep of a run the draft, for the devices of this computer.
    void repeatRun(const core::RunData& data);
    // Tells of a run that was measured elsewhere.
    void showOrigin();
    [[nodiscard]] std::filesystem::path examplesFolder() const;
    // Folders of runs that were open before or are listed, none twice.
    [[nodiscard]] QStringList otherRuns() const;
    void runPlanned();
    void runFinished(const QString& error);
    void runLoaded(const std::shared_ptr<LoadedRun>& run);
    void selectAnswerIfNothingIs();
    void presetEdited();

    void updateActions();
    void updateTitle();
    void updateStatus();
    void fillRecent();
    void showProblem(const QString& title, const QString& text);
    void askBeforeClosing();
    void closeAfterRun(bool now);
    void savePreset(const QString& path);
    void chooseTheme(Theme theme);
    // The page of the view that has the focus.
    void showHelp();
    void checkPicture();
    // A PNG that this program exported holds a preset; any other picture is an input.
    void openPicture(const std::filesystem::path& path);
    void takeEmbeddedPreset(const std::filesystem::path& path, const EmbeddedPreset& found);
    void tell(const core::Status& status, const QString& path);

    WindowOptions m_options;
    Settings m_settings;
    widgets::RunStore m_store;
    RunController m_controller;
    RunQueue m_queue;
    EngineProbe m_engine;
    RunLoader m_loader;
    RunLoader m_repeated;    // the run whose sweep becomes the draft
    int m_picturesRead = 0;  // that are being looked into
    int m_plansRead = 0;     // whose paths are being looked at
    WindowActions m_actions;
    QString m_presetName;
    QString m_notice;            // about what happened last, for the status strip
    bool m_firstPreset = false;  // the draft is the one of openFirstPreset(), untouched
    bool m_startWhenReady = false;
    bool m_closeAfterRun = false;

    widgets::PlanPanel* m_plan = nullptr;
    AnswerBar* m_answer = nullptr;
    ExampleBanner* m_banner = nullptr;
    QTabWidget* m_tabs = nullptr;
    widgets::CurveView* m_curves = nullptr;
    widgets::CellTable* m_table = nullptr;
    widgets::LayersView* m_layers = nullptr;
    RunsPage* m_runs = nullptr;
    widgets::CompareView* m_compare = nullptr;
    Exports* m_exports = nullptr;
    QPlainTextEdit* m_log = nullptr;
    SilentPhaseBar* m_silent = nullptr;
    StatusStrip* m_status = nullptr;
    QSplitter* m_splitter = nullptr;
    HelpWindow* m_help = nullptr;  // made when it is first asked for
};

}  // namespace qs::app
