#include "app/gui/runs/run_list_text.h"

#include "app/gui/path_text.h"
#include "widgets/models/number_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

namespace qs::app {

namespace {

using Standing = BestCell::Standing;
using widgets::Severity;

struct RunListText {
    Q_DECLARE_TR_FUNCTIONS(RunList)
};

QString progressText(const RunSummary& run, RunActivity activity)
{
    if (activity == RunActivity::Running)
        return RunListText::tr("running");
    if (!run.problem.isEmpty())
        return RunListText::tr("cannot be read");
    const QLocale locale;
    return (run.damaged ? RunListText::tr("%1 of %2, damaged") : RunListText::tr("%1 of %2"))
        .arg(locale.toString(run.cellsMeasured), locale.toString(run.cellsPossible));
}

QString bestText(const RunSummary& run)
{
    if (run.best.standing != Standing::None)
        return run.best.name;
    return run.cellsMeasured == 0 ? QString() : RunListText::tr("no answer yet");
}

QString speedUpText(const BestCell& best)
{
    if (best.standing == Standing::Baseline)
        return RunListText::tr("baseline");
    if (!best.speedup)
        return {};
    const QString ratio = widgets::significantText(*best.speedup, 3) + QStringLiteral("×");
    return best.verdict.isEmpty()
               ? ratio
               : RunListText::tr("%1 %2", "2.1× faster").arg(ratio, best.verdict);
}

// With what a narrow list has no columns for.
QString nameTip(const RunSummary& run, RunActivity activity)
{
    QStringList lines{textOf(run.folder)};
    const auto add = [&](const QString& line) {
        if (!line.isEmpty())
            lines << line;
    };
    if (run.example)
        add(RunListText::tr("An example that comes with QuantScope"));
    if (!run.label.name.empty())
        add(RunListText::tr("Sweep: %1").arg(run.name));
    if (!run.model.isEmpty())
        add(RunListText::tr("Model: %1").arg(run.model));
    for (const RunColumn column :
         {RunColumn::Best, RunColumn::Device, RunColumn::Date, RunColumn::Tags}) {
        if (const QString text = runText(run, column, activity); !text.isEmpty())
            add(RunListText::tr("%1: %2", "heading of a column: its text")
                    .arg(runColumnTitle(column), text));
    }
    add(QString::fromStdString(run.label.note));
    add(run.labelProblem);
    return lines.join(QLatin1Char('\n'));
}

QString progressTip(const RunSummary& run, RunActivity activity)
{
    if (activity == RunActivity::Running)
        return RunListText::tr("This run is in progress.");
    if (run.damaged)
        return RunListText::tr(
            "Part of its journal is unreadable. The command \"quantscope-cli repair\" makes a copy "
            "that can be resumed.");
    if (run.isResumable())
        return RunListText::tr("Incomplete: this run can be resumed.");
    return run.complete ? RunListText::tr("Complete")
                        : RunListText::tr("Incomplete, measured elsewhere");
}

}  // namespace

QString runColumnTitle(RunColumn column)
{
    switch (column) {
    case RunColumn::Name:
        return RunListText::tr("Name");
    case RunColumn::Tags:
        return RunListText::tr("Tags");
    case RunColumn::Progress:
        return RunListText::tr("Progress");
    case RunColumn::Best:
        return RunListText::tr("Best cell");
    case RunColumn::SpeedUp:
        return RunListText::tr("Speed-up");
    case RunColumn::Device:
        return RunListText::tr("Device");
    case RunColumn::Date:
        return RunListText::tr("Date");
    }
    return {};
}

QString runColumnTip(RunColumn column)
{
    switch (column) {
    case RunColumn::Progress:
        return RunListText::tr("Cells measured, of those that are possible");
    case RunColumn::Best:
        return RunListText::tr("The fastest cell, whatever its quality");
    case RunColumn::SpeedUp:
        return RunListText::tr("Of the best cell against the speed baseline, with its verdict");
    case RunColumn::Device:
        return RunListText::tr("Where the run was measured");
    case RunColumn::Date:
        return RunListText::tr("When the measurement began");
    case RunColumn::Name:
    case RunColumn::Tags:
        break;
    }
    return {};
}

QString runText(const RunSummary& run, RunColumn column, RunActivity activity)
{
    switch (column) {
    case RunColumn::Name:
        return run.shownName();
    case RunColumn::Tags:
        return tagsText(run.label);
    case RunColumn::Progress:
        return run.waiting ? RunListText::tr("loading…") : progressText(run, activity);
    case RunColumn::Best:
        return bestText(run);
    case RunColumn::SpeedUp:
        return speedUpText(run.best);
    case RunColumn::Device:
        return run.device;
    case RunColumn::Date:
        return run.date().isValid()
                   ? QLocale().toString(run.date().toLocalTime(), QLocale::ShortFormat)
                   : QString();
    }
    return {};
}

QString runDateMark(const RunSummary& run)
{
    return run.date().isValid()
               ? QLocale().toString(run.date().toLocalTime(), QStringLiteral("d MMM HH:mm"))
               : QString();
}

QString runTip(const RunSummary& run, RunColumn column, RunActivity activity)
{
    if (!run.problem.isEmpty())
        return textOf(run.folder) + QLatin1Char('\n') + run.problem;
    switch (column) {
    case RunColumn::Name:
        return nameTip(run, activity);
    case RunColumn::Progress:
        return run.waiting ? QString() : progressTip(run, activity);
    case RunColumn::Best:
    case RunColumn::SpeedUp:
        return run.best.detail.isEmpty() ? run.best.headline
                                         : run.best.headline + QLatin1Char('\n') + run.best.detail;
    case RunColumn::Tags:
    case RunColumn::Device:
    case RunColumn::Date:
        break;
    }
    return runText(run, column, activity);
}

Severity runSeverity(const RunSummary& run, RunColumn column)
{
    if (column == RunColumn::Progress && !run.waiting) {
        if (!run.problem.isEmpty())
            return Severity::Error;
        if (run.damaged)
            return Severity::Warning;
    }
    const bool quiet = (column == RunColumn::Progress && run.waiting) ||
                       (column == RunColumn::Best && run.best.standing == Standing::None) ||
                       (column == RunColumn::SpeedUp && run.best.standing == Standing::Baseline);
    return quiet ? Severity::Muted : Severity::Ok;
}

QVariant runSortValue(const RunSummary& run, RunColumn column)
{
    const auto textOrNothing = [](const QString& text) {
        return text.isEmpty() ? QVariant() : QVariant(text.toCaseFolded());
    };
    switch (column) {
    case RunColumn::Name:
        return textOrNothing(run.shownName());
    case RunColumn::Tags:
        return textOrNothing(tagsText(run.label));
    case RunColumn::Progress:
        return run.isReadable() && run.cellsPossible > 0
                   ? QVariant(static_cast<double>(run.cellsMeasured) / run.cellsPossible)
                   : QVariant();
    case RunColumn::Best:
        return textOrNothing(run.best.name);
    case RunColumn::SpeedUp:
        if (run.best.standing == Standing::Baseline)
            return 1.0;
        return run.best.speedup ? QVariant(*run.best.speedup) : QVariant();
    case RunColumn::Device:
        return textOrNothing(run.device);
    case RunColumn::Date:
        return run.date().isValid() ? QVariant(static_cast<double>(run.date().toSecsSinceEpoch()))
                                    : QVariant();
    }
    return {};
}

QString runSpokenName(const RunSummary& run)
{
    return run.example ? RunListText::tr("Example: %1").arg(run.shownName()) : run.shownName();
}

QString runSearchText(const RunSummary& run)
{
    // The separator keeps a word from matching across two of them.
    return QStringList{runSpokenName(run),
                       run.name,
                       tagsText(run.label),
                       QString::fromStdString(run.label.note),
                       run.model,
                       run.device,
                       textOf(run.folder.filename())}
        .join(QLatin1Char('\n'))
        .toCaseFolded();
}

QString tagsText(const core::RunLabel& label)
{
    QStringList tags;
    for (const std::string& tag : label.tags)
        tags << QString::fromStdString(tag);
    return tags.join(QStringLiteral(", "));
}

}  // namespace qs::app
