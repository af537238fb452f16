#include "widgets/compare/sample_list.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QScopedValueRollback>
#include <QScrollBar>

#include <algorithm>

namespace qs::widgets {

namespace {

constexpr int kWidestName = 150;

bool isOfTheList(int key)
{
    return key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_PageUp ||
           key == Qt::Key_PageDown || key == Qt::Key_Home || key == Qt::Key_End;
}

}  // namespace

SampleList::SampleList(QWidget* parent) : QTableView(parent), m_rows(new ValueTableModel(this))
{
    setModel(m_rows);
    setUpValueTable(*this, QStringLiteral("samples"), tr("Samples, worst first"));
    setToolTip(tr("Farthest from the reference first; the arrow keys choose"));
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    verticalHeader()->setMaximumWidth(kWidestName);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
}

void SampleList::setSamples(const core::RunData& data, core::OutputKind kind,
                            const std::vector<ComparedSample>& samples)
{
    const QScopedValueRollback showing(m_showing, true);
    m_samples.clear();
    for (const ComparedSample& each : samples)
        m_samples.push_back(each.sample);
    m_rows->setTable(sampleTable(data, kind, samples));
    resizeColumnsToContents();
    setFixedWidth(sizeHint().width());
}

void SampleList::showSample(int sample)
{
    const QScopedValueRollback showing(m_showing, true);
    const auto found = std::find(m_samples.begin(), m_samples.end(), sample);
    if (found == m_samples.end()) {
        clearSelection();
        return;
    }
    const auto row = static_cast<int>(found - m_samples.begin());
    if (currentIndex().row() != row)
        setCurrentIndex(m_rows->index(row, std::max(0, currentIndex().column())));
}

QSize SampleList::sizeHint() const
{
    return {std::min(verticalHeader()->sizeHint().width(), kWidestName) +
                horizontalHeader()->length() + verticalScrollBar()->sizeHint().width() +
                2 * frameWidth(),
            240};
}

void SampleList::keyPressEvent(QKeyEvent* event)
{
    if (isOfTheList(event->key()))
        QTableView::keyPressEvent(event);
    else
        event->ignore();
}

void SampleList::currentChanged(const QModelIndex& current, const QModelIndex& previous)
{
    QTableView::currentChanged(current, previous);
    const auto row = static_cast<std::size_t>(current.row());
    if (!m_showing && current.isValid() && row < m_samples.size())
        Q_EMIT sampleChosen(m_samples[row]);
}

}  // namespace qs::widgets

#include "moc_sample_list.cpp"
