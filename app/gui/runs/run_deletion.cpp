#include "app/gui/runs/run_deletion.h"

#include "app/gui/path_text.h"
#include "core/record/run_removal.h"
#include "core/report/report_folder.h"
#include "widgets/background/in_background.h"
#include "widgets/layout/plain_box.h"

#include <QMessageBox>
#include <QPushButton>

namespace qs::app {

namespace {

QString runsAndFolders(const std::vector<RunDeletion::Run>& runs)
{
    constexpr std::size_t kMost = 8;
    QStringList lines;
    for (const RunDeletion::Run& run : runs) {
        if (lines.size() == kMost) {
            lines << RunDeletion::tr("and %1 more").arg(runs.size() - kMost);
            break;
        }
        lines << (runs.size() == 1
                      ? textOf(run.folder)
                      : QStringLiteral("%1 — %2").arg(run.name, textOf(run.folder.filename())));
    }
    return lines.join(QLatin1Char('\n'));
}

}  // namespace

void RunDeletion::ask(const std::vector<Run>& runs)
{
    if (runs.empty())
        return;
    const QString question = runs.size() == 1 ? tr("Delete “%1”?").arg(runs.front().name)
                                              : tr("Delete %1 runs?").arg(runs.size());
    auto* box = new QMessageBox(QMessageBox::Question, tr("Delete runs"), question,
                                QMessageBox::Cancel, &m_window);
    box->setObjectName(QStringLiteral("deleteRunsQuestion"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(
        tr("Measurements and images are removed from the disk. This cannot be undone.\n\n%1")
            .arg(runsAndFolders(runs)));
    QPushButton* agree = box->addButton(tr("Delete"), QMessageBox::DestructiveRole);
    agree->setObjectName(QStringLiteral("deleteRuns"));
    box->setDefaultButton(QMessageBox::Cancel);
    connect(agree, &QPushButton::clicked, this, [this, runs] { remove(runs); });
    widgets::showPlainly(*box);
    box->open();
}

RunDeletion::Outcome RunDeletion::removeAll(const std::vector<Run>& runs)
{
    Outcome outcome;
    for (const Run& run : runs) {
        const auto removable = core::RemovableRun::of(run.folder, core::reportFileNames());
        const core::Status done =
            removable.ok() ? removable.value().remove() : core::Status(removable.error());
        outcome.emplace_back(run.folder,
                             done.ok() ? QString() : QString::fromStdString(done.error().message));
    }
    return outcome;
}

void RunDeletion::remove(const std::vector<Run>& runs)
{
    ++m_busy;
    widgets::inBackground(
        this, [runs] { return removeAll(runs); },
        [this](const Outcome& outcome) {
            --m_busy;
            QStringList problems;
            for (const auto& [folder, problem] : outcome) {
                if (problem.isEmpty())
                    Q_EMIT deleted(textOf(folder));
                else
                    problems << problem;
            }
            Q_EMIT finished(problems.join(QLatin1Char('\n')));
        });
}

}  // namespace qs::app

#include "moc_run_deletion.cpp"
