#include "app/gui/runs/compare_runs_dialog.h"

#include "app/gui/file_dialog.h"
#include "app/gui/path_text.h"
#include "app/gui/runs/run_catalogue.h"
#include "widgets/layout/roomy_rows.h"
#include "widgets/layout/screen_room.h"
#include "widgets/models/other_runs.h"
#include "widgets/models/plain_tip.h"

#include <QDialogButtonBox>
#include <QFileInfo>
#include <QHash>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace qs::app {

namespace {

constexpr QSize kUsualSize{940, 420};
constexpr int kFolderRole = Qt::UserRole;
enum ListColumn { NameColumn, DateColumn, DeviceColumn, ProgressColumn, FolderColumn, ColumnCount };

QString folderOf(const QTreeWidgetItem& item)
{
    return item.data(NameColumn, kFolderRole).toString();
}

// Newest first, as the list of runs has them; those that were not read yet stay last, as listed.
QStringList newestFirst(QStringList folders, const RunCatalogue& catalogue)
{
    const auto dateOf = [&](const QString& folder) {
        const int row = catalogue.rowOf(folder);
        return row < 0 ? QString()
                       : catalogue.index(row, RunCatalogue::Date)
                             .data(RunCatalogue::SortRole)
                             .toString();
    };
    std::stable_sort(folders.begin(), folders.end(),
                     [&](const QString& a, const QString& b) { return dateOf(a) > dateOf(b); });
    return folders;
}

}  // namespace

CompareRunsDialog::CompareRunsDialog(const QStringList& folders, const QStringList& checked,
                                     const RunCatalogue& catalogue, QWidget* parent)
    : QDialog(parent), m_catalogue(catalogue), m_checked(checked)
{
    setObjectName(QStringLiteral("compareRunsDialog"));
    setWindowTitle(tr("Compare runs"));
    build();
    // Those that are compared already stand on top.
    for (const QString& folder : checked)
        add(folder, true);
    for (const QString& folder : newestFirst(folders, m_catalogue)) {
        if (!checked.contains(folder))
            add(folder, false);
    }
    if (m_list->topLevelItemCount() > 0)
        m_list->setCurrentItem(m_list->topLevelItem(0));
    m_list->setFocus();
    connect(m_list, &QTreeWidget::itemChanged, this, &CompareRunsDialog::update);
    // A double click or Enter: this one, whatever else is ticked.
    connect(m_list, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) {
        item->setCheckState(NameColumn, Qt::Checked);
        finish();
    });
    // The runs are read one after the other.
    connect(&m_catalogue, &QAbstractItemModel::dataChanged, this, &CompareRunsDialog::describeRows);
    connect(&m_catalogue, &RunCatalogue::readingChanged, this, &CompareRunsDialog::sortOnceRead);
    widgets::resizeWithinScreen(*this, kUsualSize);
    update();
}

void CompareRunsDialog::build()
{
    m_list = new QTreeWidget;
    m_list->setObjectName(QStringLiteral("comparableRuns"));
    m_list->setAccessibleName(tr("Runs to lay beside the run in view"));
    m_list->setColumnCount(ColumnCount);
    m_list->setHeaderLabels({runColumnTitle(RunColumn::Name), runColumnTitle(RunColumn::Date),
                             runColumnTitle(RunColumn::Device), runColumnTitle(RunColumn::Progress),
                             tr("Folder")});
    m_list->setItemDelegate(new widgets::RoomyRows(m_list));
    m_list->setTextElideMode(Qt::ElideMiddle);
    m_list->setRootIsDecorated(false);
    m_list->setAlternatingRowColors(true);
    m_list->setAllColumnsShowFocus(true);
    m_hint = new QLabel;
    m_hint->setObjectName(QStringLiteral("compareRunsHint"));
    m_hint->setWordWrap(true);
    m_hint->setTextFormat(Qt::PlainText);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    m_compare = buttons->addButton(tr("Compare"), QDialogButtonBox::AcceptRole);
    m_compare->setObjectName(QStringLiteral("compareChosenRuns"));
    auto* other = buttons->addButton(tr("Other folder…"), QDialogButtonBox::ActionRole);
    other->setObjectName(QStringLiteral("compareOtherFolder"));
    other->setToolTip(widgets::plainTip(tr("Choose a run folder that is not listed")));
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_list, 1);
    column->addWidget(m_hint);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, &CompareRunsDialog::finish);
    connect(other, &QPushButton::clicked, this, &CompareRunsDialog::askForFolder);
}

void CompareRunsDialog::add(const QString& folder, bool checked)
{
    auto* item = new QTreeWidgetItem(m_list);
    item->setData(NameColumn, kFolderRole, folder);
    const QString name = QFileInfo(folder).fileName();
    item->setText(FolderColumn, name);
    item->setToolTip(FolderColumn, widgets::plainTip(folder));
    item->setText(NameColumn, name);  // until it is read
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
    item->setCheckState(NameColumn, checked ? Qt::Checked : Qt::Unchecked);
    describe(*item);
}

void CompareRunsDialog::addRuns(const QStringList& folders)
{
    QStringList listed;
    for (int i = 0; i < m_list->topLevelItemCount(); ++i) {
        describe(*m_list->topLevelItem(i));
        listed << folderOf(*m_list->topLevelItem(i));
    }
    for (const QString& folder : newestFirst(folders, m_catalogue)) {
        if (!listed.contains(folder))
            add(folder, false);
    }
    sortOnceRead();
    if (m_list->currentItem() == nullptr && m_list->topLevelItemCount() > 0)
        m_list->setCurrentItem(m_list->topLevelItem(0));
    update();
}

void CompareRunsDialog::describe(QTreeWidgetItem& item) const
{
    const int row = m_catalogue.rowOf(folderOf(item));
    if (row < 0)
        return;
    const auto text = [&](int column) { return m_catalogue.index(row, column).data().toString(); };
    item.setText(NameColumn, text(RunCatalogue::Name));
    item.setText(DateColumn, text(RunCatalogue::Date));
    item.setText(DeviceColumn, text(RunCatalogue::Device));
    item.setText(ProgressColumn, text(RunCatalogue::Progress));
}

void CompareRunsDialog::describeRows(const QModelIndex& first, const QModelIndex& last)
{
    for (int i = 0; i < m_list->topLevelItemCount(); ++i) {
        QTreeWidgetItem& item = *m_list->topLevelItem(i);
        const int row = m_catalogue.rowOf(folderOf(item));
        if (row >= first.row() && row <= last.row())
            describe(item);
    }
    fitColumns();
}

// Their dates were not known before. Nothing moves for somebody who has begun to choose.
void CompareRunsDialog::sortOnceRead()
{
    if (m_catalogue.isReading() || checkedRuns() != m_checked)
        return;
    const bool onTop = m_list->currentItem() == m_list->topLevelItem(0);
    QStringList folders;
    for (int i = 0; i < m_list->topLevelItemCount(); ++i)
        folders << folderOf(*m_list->topLevelItem(i));
    const QStringList sorted = m_checked + newestFirst(folders.mid(m_checked.size()), m_catalogue);
    if (sorted == folders)
        return;
    QTreeWidgetItem* current = m_list->currentItem();
    QHash<QString, QTreeWidgetItem*> items;
    while (QTreeWidgetItem* item = m_list->takeTopLevelItem(0))
        items.insert(folderOf(*item), item);
    for (const QString& folder : sorted)
        m_list->addTopLevelItem(items.value(folder));
    m_list->setCurrentItem(onTop ? m_list->topLevelItem(0) : current);
}

void CompareRunsDialog::fitColumns()
{
    for (int column = 0; column + 1 < ColumnCount; ++column) {
        m_list->resizeColumnToContents(column);
        const int most = fontMetrics().averageCharWidth() * 44;
        m_list->setColumnWidth(column, std::min(m_list->columnWidth(column) + 8, most));
    }
}

void CompareRunsDialog::askForFolder()
{
    askForFile(*this,
               {.name = "compareFolderDialog",
                .title = tr("Compare with a run folder"),
                .mode = QFileDialog::Directory},
               [this](const QString& path) {
                   for (int i = 0; i < m_list->topLevelItemCount(); ++i) {
                       if (folderOf(*m_list->topLevelItem(i)) == path) {
                           m_list->topLevelItem(i)->setCheckState(NameColumn, Qt::Checked);
                           return;
                       }
                   }
                   add(path, true);
                   update();
               });
}

QStringList CompareRunsDialog::checkedRuns() const
{
    QStringList folders;
    for (int i = 0; i < m_list->topLevelItemCount(); ++i) {
        if (m_list->topLevelItem(i)->checkState(NameColumn) == Qt::Checked)
            folders << folderOf(*m_list->topLevelItem(i));
    }
    return folders;
}

void CompareRunsDialog::update()
{
    const auto checked = static_cast<std::size_t>(checkedRuns().size());
    const bool tooMany = checked > widgets::OtherRuns::kMost;
    // None is a choice where there were some.
    m_compare->setEnabled(!tooMany && (checked > 0 || !m_checked.isEmpty()));
    m_compare->setText(checked == 0 && !m_checked.isEmpty() ? tr("Stop comparing") : tr("Compare"));
    m_compare->setDefault(true);
    if (m_list->topLevelItemCount() == 0)
        m_hint->setText(tr("No other run is known on this computer. Measure a second one, or "
                           "choose the folder of one."));
    else if (tooMany)
        m_hint->setText(tr("At most %1 runs can be laid beside the run in view.")
                            .arg(widgets::OtherRuns::kMost));
    else
        m_hint->setText(tr("Tick the runs to lay beside the run in view. Cells of equal "
                           "configuration are compared."));
    fitColumns();
}

void CompareRunsDialog::finish()
{
    // Enter in the list goes on to the default button.
    if (!m_compare->isEnabled() || result() == QDialog::Accepted)
        return;
    const QStringList folders = checkedRuns();
    accept();
    Q_EMIT chosen(folders);
}

}  // namespace qs::app

#include "moc_compare_runs_dialog.cpp"
