#pragma once

#include "app/gui/engine_probe.h"
#include "app/gui/run_controller.h"
#include "app/gui/settings.h"
#include "app/gui/window/draft_flow.h"
#include "app/gui/window/item_opener.h"
#include "app/gui/window/run_flow.h"
#include "app/gui/window/run_name.h"
#include "app/gui/window/run_opening.h"
#include "app/gui/window/run_status.h"
#include "app/gui/window/window_parts.h"
#include "app/gui/window_actions.h"
#include "core/device/nvml.h"
#include "widgets/models/run_store.h"

#include <QMainWindow>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace qs::app {

class CompareRuns;
class Exports;
class FollowRun;
class HelpWindow;
class LayerSearchFlow;
class RunHere;

struct WindowOptions {
    core::ProgramPaths paths;
    QString settingsFile;              // empty: the user's own
    std::filesystem::path runsFolder;  // where new runs go; empty: as the settings say
    QString commit = {};               // of the sources that the program was built from
    std::string nvmlLibrary = core::Nvml::kLibrary;  // tests bring their own
};

// The one window: brings its parts, its actions and what they do together.
class MainWindow final : public QMainWindow
{
    Q_OBJECT

public:
    explicit MainWindow(WindowOptions options);

    // Shows an error box if it cannot be read; the draft stays as it was then.
    void openPreset(const std::filesystem::path& path) { m_draft.open(path); }
    void openRun(const std::filesystem::path& folder) { m_opening.open(folder); }
    // Whatever it is: preset, run folder, model or pictures.
    void openItem(const std::filesystem::path& path) { m_items.open(path); }
    void openItems(const std::vector<std::filesystem::path>& paths) { m_items.openAll(paths); }
    // Presses Run as soon as it can be pressed.
    void startWhenReady();
    // The draft that a first start shows.
    void openFirstPreset() { m_draft.openFirst(m_engine.state().hasGpu()); }
    // The run that was looked at last or, at a first start, the shipped example.
    void openFirstRun() { m_opening.openFirst(); }
    // "curves", "pareto", "time", "table", "layers", "compile" or "runs"; ignores other names.
    void showView(const QString& name) { app::showView(m_parts, name); }
    // As the program was asked to begin: the run that it opens does not leave it.
    void beginWithView(const QString& name);
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
    void closeEvent(QCloseEvent* event) override;

private:
    void addServices();
    void connectFileActions();
    void connectRunActions();
    void connectRun();
    void connectFlows();
    // Those of layers and their sensitivity.
    void connectLayers();
    // Those that were measured before.
    void connectRuns();

    void updateActions();
    void updateSettle();
    void updateTitle();
    void fillRecent();
    // Asked for by hand: whoever looks at the list of runs wants to see this one.
    void startRun(const core::Plan& plan);
    // The run in view may be gone.
    void runDeleted(const QString& folder);
    // Makes the sweep of a run the draft, for the devices of this computer.
    void repeatRun(const core::RunData& data);
    // What it would cost to measure the run in view here, if it was measured elsewhere.
    void offerRunHere();
    void showRunHere();
    // Unless the user has chosen something.
    void selectAnswer();
    // The page of the view that has the focus.
    void showHelp();
    void checkPicture();

    WindowOptions m_options;
    Settings m_settings;
    widgets::RunStore m_store;
    RunName m_name;
    RunController m_controller;
    EngineProbe m_engine;
    Messages m_messages;
    WindowActions m_actions;
    WindowParts m_parts;
    DraftFlow m_draft;
    RunFlow m_flow;
    RunOpening m_opening;
    ItemOpener m_items;
    RunStatus m_status;
    Exports* m_exports = nullptr;
    RunHere* m_runHere = nullptr;
    CompareRuns* m_compareRuns = nullptr;
    FollowRun* m_follow = nullptr;
    LayerSearchFlow* m_layerSearch = nullptr;
    HelpWindow* m_help = nullptr;  // made when it is first asked for
    bool m_startWhenReady = false;
    bool m_viewIsAsked = false;  // and no run has been opened yet
    // The analysis, and the obstacle, for which it was said what it would take to settle the run.
    std::optional<std::pair<quint64, QString>> m_settleShown;
};

}  // namespace qs::app
