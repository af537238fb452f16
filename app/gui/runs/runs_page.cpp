#include "app/gui/runs/runs_page.h"

#include "widgets/layout/flow_layout.h"
#include "widgets/layout/roomy_rows.h"
#include "widgets/models/plain_tip.h"

#include <QDesktopServices>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTreeView>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace qs::app {

namespace {

QString folderOf(const RunSummary& run)
{
    return QString::fromStdString(run.folder.string());
}

}  // namespace

RunsPage::RunsPage(std::filesystem::path runs, std::filesystem::path examples, QWidget* parent)
    : QWidget(parent), m_catalogue(std::move(runs), std::move(examples))
{
    setObjectName(QStringLiteral("runsPage"));
    build();
    connect(&m_catalogue, &QAbstractItemModel::modelReset, this, [this] {
        fitColumns();
        updateButtons();
    });
    connect(&m_catalogue, &RunCatalogue::readingChanged, this, &RunsPage::updateButtons);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &RunsPage::updateButtons);
    connect(m_list->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &RunsPage::updateButtons);
    connect(m_compare, &QPushButton::clicked, this, [this] { Q_EMIT compareRequested(chosen()); });
    connect(m_list, &QTreeView::activated, this, [this] { m_open->click(); });
    const auto ask = [this](QPushButton* button, auto signal) {
        connect(button, &QPushButton::clicked, this, [this, signal] {
            if (const RunSummary* run = current())
                Q_EMIT(this->*signal)(folderOf(*run));
        });
    };
    ask(m_open, &RunsPage::openRequested);
    ask(m_resume, &RunsPage::resumeRequested);
    ask(m_repeat, &RunsPage::repeatRequested);
    connect(m_showFolder, &QPushButton::clicked, this, [this] {
        if (const RunSummary* run = current())
            QDesktopServices::openUrl(QUrl::fromLocalFile(folderOf(*run)));
    });
    updateButtons();
}

void RunsPage::build()
{
    m_list = new QTreeView(this);
    m_list->setObjectName(QStringLiteral("runsList"));
    m_list->setAccessibleName(tr("Runs"));
    m_list->setModel(&m_catalogue);
    m_list->setItemDelegate(new widgets::RoomyRows(m_list));
    // Names of runs often differ at their end.
    m_list->setTextElideMode(Qt::ElideMiddle);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setAlternatingRowColors(true);
    m_list->setAllColumnsShowFocus(true);
    m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_list->header()->setStretchLastSection(true);
    m_hint = new QLabel(this);
    m_hint->setObjectName(QStringLiteral("runsHint"));
    m_hint->setTextFormat(Qt::PlainText);
    m_hint->setWordWrap(true);

    // In as many rows as it takes: no button may force a width on the window.
    auto* row = new QWidget(this);
    auto* buttons = new widgets::FlowLayout(row, fontMetrics().averageCharWidth());
    const auto add = [&](const char* name, const QString& text, const QString& toolTip) {
        auto* button = new QPushButton(text, this);
        button->setObjectName(QString::fromLatin1(name));
        button->setToolTip(widgets::plainTip(toolTip));
        buttons->addWidget(button);
        return button;
    };
    m_open = add("openSelectedRun", tr("Open"), tr("Open this run (Enter)"));
    m_resume = add("resumeRun", tr("Resume"),
                   tr("Measure the missing cells of this run; finished cells are not repeated"));
    m_repeat = add("repeatRun", tr("Load this sweep"),
                   tr("Load the sweep of this run as the draft, to measure it on this computer"));
    m_compare = add("compareSelectedRuns", tr("Compare"),
                    tr("Lay this run beside the run in view; of several selected runs (Ctrl and a "
                       "click) the others beside the run in view, or else beside the first"));
    m_showFolder = add("showRunFolder", tr("Show folder"), tr("Open the folder of this run"));
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_hint);
    layout->addWidget(row);
    setFocusProxy(m_list);
}

// As wide as their texts, but no name or model pushes the rest out of sight.
void RunsPage::fitColumns()
{
    const int most = fontMetrics().averageCharWidth() * 36;
    for (int column = 0; column < RunCatalogue::Answer; ++column) {
        m_list->resizeColumnToContents(column);
        m_list->setColumnWidth(column, std::min(m_list->columnWidth(column), most));
    }
}

void RunsPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

void RunsPage::setRunning(bool running)
{
    m_running = running;
    updateButtons();
}

const RunSummary* RunsPage::current() const
{
    const QModelIndex index = m_list->currentIndex();
    return index.isValid() ? &m_catalogue.run(index.row()) : nullptr;
}

QStringList RunsPage::chosen() const
{
    QList<int> rows;
    for (const QModelIndex& index : m_list->selectionModel()->selectedRows())
        rows << index.row();
    std::sort(rows.begin(), rows.end());
    QStringList folders;
    for (const int row : rows) {
        if (const RunSummary& run = m_catalogue.run(row); run.problem.isEmpty())
            folders << folderOf(run);
    }
    return folders;
}

void RunsPage::updateButtons()
{
    const RunSummary* run = current();
    const bool readable = run != nullptr && run->problem.isEmpty();
    m_open->setEnabled(readable);
    m_resume->setEnabled(readable && !m_running && !run->complete && !run->example);
    m_repeat->setEnabled(readable);
    m_compare->setEnabled(!chosen().isEmpty());
    m_showFolder->setEnabled(run != nullptr);
    if (m_catalogue.isReading() && m_catalogue.rowCount() == 0)
        m_hint->setText(tr("Loading runs…"));
    else if (m_catalogue.rowCount() == 0)
        m_hint->setText(tr("No runs yet. Press Run to measure the sweep on the left, or drop a run "
                           "folder on the window."));
    else if (run != nullptr && !run->problem.isEmpty())
        m_hint->setText(run->problem);
    else
        m_hint->clear();
    m_hint->setVisible(!m_hint->text().isEmpty());
}

}  // namespace qs::app
