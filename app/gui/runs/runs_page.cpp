#include "app/gui/runs/runs_page.h"

#include "app/gui/path_text.h"
#include "app/gui/runs/run_note_dialog.h"
#include "widgets/models/plain_tip.h"

#include <QAction>
#include <QDesktopServices>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QTreeView>
#include <QUrl>

#include <algorithm>
#include <utility>

namespace qs::app {

RunsPage::RunsPage(std::filesystem::path runs, std::filesystem::path examples, QWidget* parent)
    : QWidget(parent), m_catalogue(std::move(runs), std::move(examples)), m_deletion(*this)
{
    setObjectName(QStringLiteral("runsPage"));
    m_filter.setSourceModel(&m_catalogue);
    build();
    connectList();
    connectActions();
    update();
}

void RunsPage::connectList()
{
    connect(&m_filter, &QAbstractItemModel::modelAboutToBeReset, this, &RunsPage::keepPlace);
    connect(&m_filter, &QAbstractItemModel::modelReset, this, [this] {
        findPlace();
        m_columns->fit();
        update();
    });
    connect(&m_filter, &QAbstractItemModel::rowsInserted, this, &RunsPage::update);
    connect(&m_filter, &QAbstractItemModel::rowsRemoved, this, &RunsPage::update);
    connect(&m_filter, &QAbstractItemModel::dataChanged, this, &RunsPage::update);
    connect(&m_catalogue, &RunCatalogue::readingChanged, this, [this] {
        // Names may have become those of several runs.
        m_list->viewport()->update();
        m_columns->fit();
        update();
    });
    connect(&m_catalogue, &RunCatalogue::labelled, this, &RunsPage::labelled);
    connect(&m_catalogue, &RunCatalogue::labelFailed, this, [this](const QString& problem) {
        Q_EMIT problemFound(tr("Cannot keep the name, tags or note"), problem);
    });
    const QItemSelectionModel* selection = m_list->selectionModel();
    connect(selection, &QItemSelectionModel::currentChanged, this, &RunsPage::update);
    connect(selection, &QItemSelectionModel::selectionChanged, this, &RunsPage::update);
}

void RunsPage::connectActions()
{
    const auto ask = [this](QAction* action, auto signal) {
        connect(action, &QAction::triggered, this, [this, signal] {
            if (const int row = current(); row >= 0)
                Q_EMIT(this->*signal)(textOf(m_catalogue.run(row).folder));
        });
    };
    ask(m_actions.open, &RunsPage::openRequested);
    ask(m_actions.resume, &RunsPage::resumeRequested);
    ask(m_actions.repeat, &RunsPage::repeatRequested);
    const auto on = [this](QAction* action, auto slot) {
        connect(action, &QAction::triggered, this, slot);
    };
    on(m_actions.compare, [this] { Q_EMIT compareRequested(chosen()); });
    on(m_actions.rename, [this] { edit(RunCatalogue::Name); });
    on(m_actions.tags, [this] { edit(RunCatalogue::Tags); });
    on(m_actions.note, [this] { askForNote(); });
    on(m_actions.remove, [this] { askToDelete(); });
    on(m_actions.showFolder, [this] {
        if (const int row = current(); row >= 0)
            QDesktopServices::openUrl(QUrl::fromLocalFile(textOf(m_catalogue.run(row).folder)));
    });
    connect(&m_deletion, &RunDeletion::deleted, this, &RunsPage::deleted);
    connect(&m_deletion, &RunDeletion::finished, this, [this](const QString& problem) {
        refresh();
        if (!problem.isEmpty())
            Q_EMIT problemFound(tr("Cannot delete the run"), problem);
    });
}

QByteArray RunsPage::columnState() const
{
    return m_columns->state();
}

void RunsPage::restoreColumnState(const QByteArray& state)
{
    m_columns->restore(state);
}

void RunsPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

bool RunsPage::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_search || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Down:
    case Qt::Key_Return:
    case Qt::Key_Enter:
        goIntoList();
        return true;
    case Qt::Key_Escape:
        if (m_search->text().isEmpty())
            break;
        m_search->clear();
        return true;
    default:
        break;
    }
    return QWidget::eventFilter(watched, event);
}

void RunsPage::goIntoList()
{
    if (m_filter.rowCount() == 0)
        return;
    if (!m_list->currentIndex().isValid())
        m_list->setCurrentIndex(m_filter.index(0, 0));
    m_list->setFocus(Qt::ShortcutFocusReason);
}

void RunsPage::setRunning(const std::filesystem::path& folder)
{
    m_catalogue.setRunning(folder);
    update();
}

int RunsPage::current() const
{
    // One that merely has the frame of the keyboard looks like any other.
    const QModelIndex shown = m_list->currentIndex();
    if (!shown.isValid() || !m_list->selectionModel()->isSelected(shown))
        return -1;
    return m_filter.mapToSource(shown).row();
}

QList<int> RunsPage::selected() const
{
    QList<int> rows;
    for (const QModelIndex& index : m_list->selectionModel()->selectedRows())
        rows << index.row();
    std::sort(rows.begin(), rows.end());
    for (int& row : rows)
        row = m_filter.mapToSource(m_filter.index(row, 0)).row();
    return rows;
}

QStringList RunsPage::chosen() const
{
    QStringList folders;
    for (const int row : selected()) {
        if (const RunSummary& run = m_catalogue.run(row); run.problem.isEmpty())
            folders << textOf(run.folder);
    }
    return folders;
}

RunListFacts RunsPage::facts() const
{
    RunListFacts facts;
    if (const int row = current(); row >= 0) {
        facts.any = true;
        facts.readable = m_catalogue.run(row).problem.isEmpty();
        facts.resumable = m_catalogue.isResumable(row);
        facts.labelled = m_catalogue.isLabelled(row);
    }
    facts.comparable = !chosen().isEmpty();
    for (const int row : selected()) {
        if (m_catalogue.isRunning(row))
            facts.kept = RunKept::Running;
        else if (m_catalogue.run(row).example)
            facts.kept = RunKept::Example;
    }
    return facts;
}

QString RunsPage::hint() const
{
    if (m_catalogue.rowCount() == 0)
        return m_catalogue.isReading()
                   ? tr("Loading runs…")
                   : tr("No runs yet. Press Run to measure the sweep on the left, or drop a run "
                        "folder on the window.");
    if (m_filter.rowCount() == 0)
        return tr("No run contains these words.");
    const int row = current();
    if (row < 0)
        return {};
    const RunSummary& run = m_catalogue.run(row);
    return run.problem.isEmpty() ? QString::fromStdString(run.label.note) : run.problem;
}

void RunsPage::keepPlace()
{
    const int row = current();
    m_place = row < 0 ? Place()
                      : Place{.folder = textOf(m_catalogue.run(row).folder),
                              .row = m_list->currentIndex().row()};
}

void RunsPage::findPlace()
{
    if (m_place.row < 0 || m_filter.rowCount() == 0)
        return;
    QModelIndex index;
    if (const int row = m_catalogue.rowOf(m_place.folder); row >= 0)
        index = m_filter.mapFromSource(m_catalogue.index(row, 0));
    // In the place of one that is gone.
    if (!index.isValid())
        index = m_filter.index(std::min(m_place.row, m_filter.rowCount() - 1), 0);
    m_list->setCurrentIndex(index);
}

void RunsPage::edit(RunCatalogue::Column column)
{
    const QModelIndex index = m_list->currentIndex().siblingAtColumn(column);
    if (!index.isValid())
        return;
    m_columns->show(column);
    m_list->scrollTo(index);
    m_list->edit(index);
}

void RunsPage::askForNote()
{
    const int row = current();
    if (row < 0)
        return;
    const RunSummary& run = m_catalogue.run(row);
    auto* dialog = new RunNoteDialog(run.shownName(), QString::fromStdString(run.label.note), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &RunNoteDialog::saved, this,
            [this, folder = textOf(run.folder)](const QString& note) {
                const int now = m_catalogue.rowOf(folder);
                if (now < 0)
                    return;
                core::RunLabel label = m_catalogue.run(now).label;
                label.note = note.toStdString();
                m_catalogue.setLabel(now, label);
            });
    dialog->open();
}

void RunsPage::askToDelete()
{
    std::vector<RunDeletion::Run> runs;
    for (const int row : selected())
        runs.push_back({m_catalogue.run(row).shownName(), m_catalogue.run(row).folder});
    m_deletion.ask(runs);
}

void RunsPage::update()
{
    enableActions(m_actions, facts());
    const int hidden = m_filter.hidden();
    m_hidden->setText(hidden == 0   ? QString()
                      : hidden == 1 ? tr("1 run hidden")
                                    : tr("%1 runs hidden").arg(locale().toString(hidden)));
    m_hidden->setVisible(hidden > 0);
    m_hint->setText(hint());
    m_hint->setToolTip(widgets::plainTip(m_hint->text()));
    m_hint->setVisible(!m_hint->text().isEmpty());
}

}  // namespace qs::app

#include "moc_runs_page.cpp"
