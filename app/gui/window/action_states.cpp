#include "app/gui/window/action_states.h"

#include <QAction>
#include <QMenu>

#include <utility>

namespace qs::app {

void enableActions(const WindowActions& actions, const WindowFacts& facts)
{
    const auto& [bar, file, exports, run, view] = actions;
    const bool selected = facts.anyRun && facts.cellSelected;
    const std::pair<QAction*, bool> states[] = {
        {file.savePreset, facts.named},
        {exports.tables, facts.anyRun},
        {exports.report, facts.anyRun},
        {exports.curves, facts.anyRun},
        {exports.curvesColumn, facts.anyRun},
        {exports.figure, facts.anyRun},
        {exports.copyFigure, facts.anyRun},
        {exports.pictures, selected},
        {exports.profiles->menuAction(), facts.anyRun},
        {run.start, facts.runnable},
        {run.append, facts.runnable && facts.appendable()},
        // Beside a run it would spoil what is being timed.
        {run.checkPicture, facts.engineReady && !facts.running},
        {run.pause, facts.controllable()},
        {run.skip, facts.controllable()},
        {run.bringForward, facts.controllable() && facts.inView && selected},
        {run.stopAfterCell, facts.controllable()},
        {run.stopNow, facts.running},
        {run.goOn, facts.resumable() && facts.incomplete},
        {run.retryFailed, facts.resumable() && facts.anyFailed}};
    for (const auto& [action, possible] : states)
        action->setEnabled(possible);
    run.pause->setChecked(facts.paused);
    run.controls->setVisible(facts.running);
    run.resume->setVisible(facts.resumable() && facts.incomplete);
    file.recentRuns->setEnabled(!file.recentRuns->isEmpty());
    file.recentPresets->setEnabled(!file.recentPresets->isEmpty());
}

}  // namespace qs::app
