#pragma once

#include <QString>

#include <functional>
#include <vector>

class QAction;
class QActionGroup;
class QMainWindow;
class QMenu;
class QPalette;
class QToolBar;

namespace qs::app {

struct FileActions {
    QAction* openPreset = nullptr;
    QMenu* recentPresets = nullptr;
    QAction* savePreset = nullptr;
    QAction* openRun = nullptr;
    QMenu* recentRuns = nullptr;
    QAction* caches = nullptr;
    QAction* quit = nullptr;
};

struct ExportActions {
    QMenu* menu = nullptr;
    QAction* tables = nullptr;
    QAction* report = nullptr;
    QAction* curves = nullptr;        // two columns wide
    QAction* curvesColumn = nullptr;  // one column
    QAction* figure = nullptr;        // with a choice of width, type and legend
    QAction* copyFigure = nullptr;
    QAction* pictures = nullptr;
    QMenu* profiles = nullptr;  // the files of documents, one action each
};

struct RunActions {
    QAction* start = nullptr;
    QAction* append = nullptr;
    QAction* settle = nullptr;  // its texts follow what there is to settle
    QAction* checkPicture = nullptr;
    QAction* pause = nullptr;
    QAction* skip = nullptr;
    QAction* bringForward = nullptr;
    QAction* stopAfterCell = nullptr;
    QAction* stopNow = nullptr;
    QAction* goOn = nullptr;
    QAction* retryFailed = nullptr;
    QAction* controls = nullptr;  // the part of the tool bar with pause, skip and stop
    QAction* resume = nullptr;    // that with goOn
};

struct ViewActions {
    QAction* plan = nullptr;
    QAction* curves = nullptr;
    QAction* pareto = nullptr;
    QAction* time = nullptr;
    QAction* compile = nullptr;
    QAction* table = nullptr;
    QAction* layers = nullptr;
    QAction* runs = nullptr;
    QAction* comparison = nullptr;
    QAction* largeImages = nullptr;
    QAction* largeView = nullptr;
    QAction* measured = nullptr;
    QAction* environments = nullptr;
    QAction* references = nullptr;
    QAction* compareRuns = nullptr;
    QAction* stopComparing = nullptr;
    QAction* logarithmicY = nullptr;
    QMenu* edit = nullptr;   // undo and redo of the draft
    QMenu* image = nullptr;  // what the comparison does
    QAction* nextPart = nullptr;
    QAction* previousPart = nullptr;
    QAction* log = nullptr;
    QActionGroup* themes = nullptr;  // their data is the number of a Theme
    QAction* help = nullptr;
    QAction* palette = nullptr;
    QAction* about = nullptr;
};

// Every action of the window, with its place in menus and tool bar. Children of the window.
struct WindowActions {
    QToolBar* bar = nullptr;
    FileActions file;
    ExportActions exports;
    RunActions run;
    ViewActions view;
};

[[nodiscard]] WindowActions makeActions(QMainWindow& window);

// For an action that is called so: a name with an ampersand has no key of its own.
[[nodiscard]] QString menuText(QString name);

struct NamedPath {
    QString path;
    QString name;
};

// One action for each path, which `open` is called with.
void fillWithPaths(QMenu& menu, const std::vector<NamedPath>& paths,
                   const std::function<void(const QString&)>& open);

}  // namespace qs::app
