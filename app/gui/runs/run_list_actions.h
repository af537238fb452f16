#pragma once

class QAction;
class QMenu;
class QWidget;

namespace qs::app {

// What can be done with runs of the list.
struct RunListActions {
    QAction* open = nullptr;
    QAction* resume = nullptr;
    QAction* compare = nullptr;
    QAction* repeat = nullptr;
    QAction* rename = nullptr;
    QAction* tags = nullptr;
    QAction* note = nullptr;
    QAction* showFolder = nullptr;
    QAction* remove = nullptr;
};

// Why a run stays.
enum class RunKept { No, Example, Running };

// What the actions depend on.
struct RunListFacts {
    bool any = false;  // there is a current run; the following are about it
    bool readable = false;
    bool resumable = false;
    bool labelled = false;       // ours to name
    bool comparable = false;     // one of the selected can be laid beside another run
    RunKept kept = RunKept::No;  // of one of the selected
};

// Children of the list, with keys that work while it has the keyboard.
[[nodiscard]] RunListActions makeRunListActions(QWidget& list);
// All of them, for a click on a row and behind a button. Child of the list.
[[nodiscard]] QMenu* makeRunListMenu(const RunListActions& actions, QWidget& list);
void enableActions(const RunListActions& actions, const RunListFacts& facts);

}  // namespace qs::app
