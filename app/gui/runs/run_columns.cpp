#include "app/gui/runs/run_columns.h"

#include <QEvent>
#include <QHeaderView>
#include <QResizeEvent>
#include <QScopedValueRollback>
#include <QTreeView>

#include <algorithm>

namespace qs::app {

namespace {

constexpr int kLettersOfAll = 110;  // what most lists need for all columns
constexpr int kLettersOfName = 30;  // tell most runs apart
constexpr int kFewestOfName = 20;

}  // namespace

RunColumns::RunColumns(QTreeView& list) : m_list(list)
{
    order();
    m_list.viewport()->installEventFilter(this);
    connect(m_list.header(), &QHeaderView::sectionResized, this, [this](int column, int, int) {
        // The last one follows the width of the list.
        if (!m_fitting && column != lastInSight())
            m_widthsKept = true;
    });
}

void RunColumns::order()
{
    QHeaderView* header = m_list.header();
    header->setStretchLastSection(true);
    header->setSectionsMovable(true);
    // What came out stands beside the name: most windows do not show all columns at once.
    header->moveSection(header->visualIndex(kLastSeen), RunCatalogue::ColumnCount - 1);
    header->moveSection(header->visualIndex(RunCatalogue::SpeedUp),
                        header->visualIndex(RunCatalogue::Best));
    constexpr int kRowsToFit = 100;
    header->setResizeContentsPrecision(kRowsToFit);
}

QByteArray RunColumns::state() const
{
    return m_widthsKept ? m_list.header()->saveState() : QByteArray();
}

void RunColumns::restore(const QByteArray& state)
{
    if (!state.isEmpty() && m_list.header()->restoreState(state))
        m_widthsKept = true;
}

void RunColumns::fit()
{
    const int letter = m_list.fontMetrics().averageCharWidth();
    const int room = m_list.viewport()->width();
    const bool narrow = room < letter * kLettersOfAll;
    const QScopedValueRollback<bool> guard(m_fitting, true);
    if (!m_widthsKept || !narrow)
        showAll();
    if (m_widthsKept)
        return;
    int rest = room;
    for (const int column : {RunCatalogue::Progress, RunCatalogue::SpeedUp}) {
        fitTo(column, room);
        rest -= m_list.columnWidth(column);
    }
    // The most useful first, and a few tags beside them: as many as leave the names.
    fitTo(RunCatalogue::Name, letter * kLettersOfName);
    const int name = m_list.columnWidth(RunCatalogue::Name);
    for (const int column : {RunCatalogue::Best, RunCatalogue::Device, RunCatalogue::Date}) {
        fitTo(column, letter * (narrow ? 22 : 32));
        const bool fits = rest - m_list.columnWidth(column) >= name;
        rest -= fits ? m_list.columnWidth(column) : 0;
        m_list.setColumnHidden(column, !fits);
    }
    const int tags = m_list.header()->defaultSectionSize();
    const bool tagged = rest - tags >= name;
    m_list.setColumnHidden(kLastSeen, !tagged);
    fitTo(RunCatalogue::Name, std::max(letter * kFewestOfName, tagged ? rest - tags : rest));
}

void RunColumns::fitTo(int column, int most)
{
    m_list.resizeColumnToContents(column);
    m_list.setColumnWidth(column, std::min(m_list.columnWidth(column), most));
}

void RunColumns::show(RunCatalogue::Column column)
{
    const QScopedValueRollback<bool> guard(m_fitting, true);
    m_list.setColumnHidden(column, false);
}

void RunColumns::showAll()
{
    for (int column = 0; column < RunCatalogue::ColumnCount; ++column)
        m_list.setColumnHidden(column, false);
}

int RunColumns::lastInSight() const
{
    const QHeaderView& header = *m_list.header();
    int place = header.count() - 1;
    while (place > 0 && header.isSectionHidden(header.logicalIndex(place)))
        --place;
    return header.logicalIndex(place);
}

bool RunColumns::eventFilter(QObject* watched, QEvent* event)
{
    // The headings take their new width after the list. The height is no matter of columns: the bar
    // below that a column brings must not hide it again, with what is typed in it.
    if (event->type() == QEvent::Resize) {
        const auto& resize = static_cast<const QResizeEvent&>(*event);
        if (resize.oldSize().width() != resize.size().width())
            QMetaObject::invokeMethod(this, &RunColumns::fit, Qt::QueuedConnection);
    }
    return QObject::eventFilter(watched, event);
}

}  // namespace qs::app

#include "moc_run_columns.cpp"
