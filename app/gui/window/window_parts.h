#pragma once

#include "app/gui/settings.h"
#include "app/gui/window_actions.h"
#include "widgets/models/run_store.h"

#include <QString>

#include <filesystem>

class QMainWindow;
class QPlainTextEdit;
class QSplitter;

namespace qs::widgets {
class CellTable;
class CompareView;
class CompileCostView;
class CurveView;
class LayersView;
class DivisionView;
class ParetoView;
class PlanPanel;
class ViewTabs;
}  // namespace qs::widgets

namespace qs::app {

class AnswerBar;
class ComparedRunsBar;
class ComparisonRoom;
class ExampleBanner;
class LiveStrip;
class NoOutputsStrip;
class PlanDrawer;
class RunsPage;
class SilentPhaseBar;
class StatusStrip;
class UsualSplit;

// What the window is made of: on the left the views of the run that is looked at, with the plan as
// a drawer over them, on the right its images. Children of the window.
struct WindowParts {
    widgets::PlanPanel* plan = nullptr;
    PlanDrawer* drawer = nullptr;
    widgets::ViewTabs* tabs = nullptr;
    widgets::CurveView* curves = nullptr;
    widgets::ParetoView* pareto = nullptr;
    widgets::DivisionView* time = nullptr;
    widgets::CompileCostView* compile = nullptr;
    widgets::CellTable* table = nullptr;
    widgets::LayersView* layers = nullptr;
    RunsPage* runs = nullptr;
    widgets::CompareView* compare = nullptr;
    AnswerBar* answer = nullptr;
    ExampleBanner* banner = nullptr;
    ComparedRunsBar* compared = nullptr;
    NoOutputsStrip* noOutputs = nullptr;
    QPlainTextEdit* log = nullptr;
    LiveStrip* live = nullptr;
    SilentPhaseBar* silent = nullptr;
    StatusStrip* status = nullptr;
    QSplitter* views = nullptr;     // of the tabs and the table under them
    QSplitter* left = nullptr;      // of plan and views
    QSplitter* splitter = nullptr;  // of that and the images
    UsualSplit* split = nullptr;    // of the splitter
    ComparisonRoom* room = nullptr;
};

struct PartFolders {
    std::filesystem::path resources;
    std::filesystem::path examples;
    std::filesystem::path runs;
};

// Lays them out as the central widget.
[[nodiscard]] WindowParts makeParts(QMainWindow& window, widgets::RunStore& store,
                                    const Settings& settings, const PartFolders& folders);
// "curves", "pareto", "time", "table", "layers", "compile" or "runs"; ignores other names.
void showView(const WindowParts& parts, const QString& name);

// What shows and finds parts: views, the keyboard's way through the window, the log, the theme.
void connectViews(QMainWindow& window, const ViewActions& actions, const WindowParts& parts,
                  Settings& settings);

// Sizes and columns as they were at the last end.
void restoreLayout(QMainWindow& window, const WindowParts& parts, const Settings& settings);
void saveLayout(const QMainWindow& window, const WindowParts& parts, Settings& settings);

}  // namespace qs::app
