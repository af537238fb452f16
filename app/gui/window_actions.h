#pragma once

class QAction;
class QActionGroup;
class QMainWindow;
class QMenu;
class QPalette;

namespace qs::app {

// Every action of the window, with its place in menus and tool bar. Children of the window.
struct WindowActions {
    QAction* openPreset = nullptr;
    QAction* openRun = nullptr;
    QMenu* recentPresets = nullptr;
    QMenu* recentRuns = nullptr;
    QAction* savePreset = nullptr;
    QMenu* exportMenu = nullptr;
    QAction* exportTables = nullptr;
    QAction* exportReport = nullptr;
    QAction* exportCurves = nullptr;        // two columns wide
    QAction* exportCurvesColumn = nullptr;  // one column
    QAction* exportPictures = nullptr;
    QAction* quit = nullptr;

    QAction* checkPicture = nullptr;
    QAction* run = nullptr;
    QAction* append = nullptr;
    QAction* settle = nullptr;  // its texts follow what there is to settle
    QAction* pause = nullptr;
    QAction* skip = nullptr;
    QAction* bringForward = nullptr;
    QAction* stopAfterCell = nullptr;
    QAction* stopNow = nullptr;
    QAction* goOn = nullptr;
    QAction* retryFailed = nullptr;

    QAction* curves = nullptr;
    QAction* table = nullptr;
    QAction* layers = nullptr;
    QAction* runs = nullptr;
    QAction* comparison = nullptr;
    QAction* measured = nullptr;
    QAction* environments = nullptr;
    QAction* nextPart = nullptr;
    QAction* previousPart = nullptr;
    QAction* log = nullptr;
    QAction* palette = nullptr;
    QAction* help = nullptr;
    QActionGroup* themes = nullptr;  // their data is the number of a Theme
};

[[nodiscard]] WindowActions makeActions(QMainWindow& window);
// Again after the palette has changed.
void paintIcons(const WindowActions& actions, const QPalette& palette);

}  // namespace qs::app
