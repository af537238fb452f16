#include "app/gui/runs/run_list_actions.h"

#include "widgets/models/plain_tip.h"

#include <QAction>
#include <QCoreApplication>
#include <QMenu>

namespace qs::app {

namespace {

struct RunListActionText {
    Q_DECLARE_TR_FUNCTIONS(RunListActions)
};

QAction* addListAction(QWidget& list, const char* name, const QString& text, const QString& toolTip)
{
    auto* action = new QAction(text, &list);
    action->setObjectName(QString::fromLatin1(name));
    action->setToolTip(widgets::plainTip(toolTip));
    list.addAction(action);
    return action;
}

void setListKey(QAction& action, const QKeySequence& key)
{
    action.setShortcut(key);
    // Not in a name that is being typed, nor elsewhere in the window.
    action.setShortcutContext(Qt::WidgetShortcut);
}

QString removalTip(RunKept kept)
{
    switch (kept) {
    case RunKept::Example:
        return RunListActionText::tr("Examples come with QuantScope and stay");
    case RunKept::Running:
        return RunListActionText::tr("A run that is in progress cannot be deleted");
    case RunKept::No:
        break;
    }
    return RunListActionText::tr("Remove the folder of this run, or of all selected runs, after a "
                                 "question (Del)");
}

}  // namespace

RunListActions makeRunListActions(QWidget& list)
{
    const auto add = [&list](const char* name, const QString& text, const QString& toolTip) {
        return addListAction(list, name, text, toolTip);
    };
    RunListActions actions;
    actions.open = add("runOpen", RunListActionText::tr("Open"),
                       RunListActionText::tr("Open this run (Enter)"));
    actions.resume = add("runResume", RunListActionText::tr("Resume"),
                         RunListActionText::tr("Measure the missing cells of this run; finished "
                                               "cells are not repeated"));
    actions.compare =
        add("runCompare", RunListActionText::tr("Compare"),
            RunListActionText::tr(
                "Lay this run beside the run in view; of several selected runs (Ctrl and a click) "
                "the others beside the run in view, or else beside the first"));
    actions.repeat = add("runRepeat", RunListActionText::tr("Load this sweep"),
                         RunListActionText::tr("Load the sweep of this run as the draft, to "
                                               "measure it on this computer"));
    actions.rename = add("runRename", RunListActionText::tr("Rename"), {});
    actions.tags = add("runTags", RunListActionText::tr("Tags"), {});
    actions.note = add("runNote", RunListActionText::tr("Note…"), {});
    actions.showFolder = add("runShowFolder", RunListActionText::tr("Show folder"),
                             RunListActionText::tr("Open the folder of this run"));
    actions.remove = add("runDelete", RunListActionText::tr("Delete…"), {});
    setListKey(*actions.rename, Qt::Key_F2);
    setListKey(*actions.remove, QKeySequence::Delete);
    return actions;
}

QMenu* makeRunListMenu(const RunListActions& actions, QWidget& list)
{
    auto* menu = new QMenu(&list);
    menu->setObjectName(QStringLiteral("runRowMenu"));
    menu->setToolTipsVisible(true);
    menu->addActions({actions.open, actions.resume, actions.compare, actions.repeat});
    menu->addSeparator();
    menu->addActions({actions.rename, actions.tags, actions.note});
    menu->addSeparator();
    menu->addActions({actions.showFolder, actions.remove});
    return menu;
}

void enableActions(const RunListActions& actions, const RunListFacts& facts)
{
    actions.open->setEnabled(facts.readable);
    actions.resume->setEnabled(facts.resumable);
    actions.repeat->setEnabled(facts.readable);
    actions.compare->setEnabled(facts.comparable);
    actions.showFolder->setEnabled(facts.any);
    for (QAction* action : {actions.rename, actions.tags, actions.note})
        action->setEnabled(facts.any && facts.labelled);
    const bool example = facts.any && !facts.labelled;
    const auto tell = [example](QAction* action, const QString& toolTip) {
        action->setToolTip(widgets::plainTip(
            example ? RunListActionText::tr("Examples keep their name") : toolTip));
    };
    tell(actions.rename, RunListActionText::tr("Give this run a name of its own (F2)"));
    tell(actions.tags, RunListActionText::tr("Words to find this run by, separated by commas"));
    tell(actions.note, RunListActionText::tr("What you want to remember of this run"));
    actions.remove->setEnabled(facts.any && facts.kept == RunKept::No);
    actions.remove->setToolTip(widgets::plainTip(removalTip(facts.kept)));
}

}  // namespace qs::app
