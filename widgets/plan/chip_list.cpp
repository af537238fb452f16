#include "widgets/plan/chip_list.h"

#include "widgets/layout/roomy_rows.h"
#include "widgets/models/plain_tip.h"

#include <QKeyEvent>
#include <QListWidget>
#include <QScreen>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace qs::widgets {

namespace {

constexpr int kMostRows = 12;        // in sight
constexpr int kLettersOfAValue = 9;  // at least

}  // namespace

ChipList::ChipList(QWidget* parent) : QFrame(parent, Qt::Popup), m_list(new QListWidget)
{
    setObjectName(QStringLiteral("chipList"));
    setAttribute(Qt::WA_DeleteOnClose);
    setFrameShape(QFrame::StyledPanel);
    m_list->setObjectName(QStringLiteral("chipValues"));
    m_list->setAccessibleName(tr("All values"));
    m_list->setAccessibleDescription(tr("A press or Delete removes a value"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setUniformItemSizes(true);
    m_list->setItemDelegate(new RoomyRows(m_list));
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->installEventFilter(this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_list);
    setFocusProxy(m_list);
    connect(m_list, &QListWidget::itemClicked, this, &ChipList::remove);
}

void ChipList::setValues(const QStringList& values,
                         const std::map<std::string, std::string>& reasons)
{
    const int current = std::max(0, m_list->currentRow());
    const int scrolled = m_list->verticalScrollBar()->value();
    m_list->clear();
    for (const QString& value : values) {
        auto* item = new QListWidgetItem(value + QStringLiteral(" ×"), m_list);
        item->setData(Qt::UserRole, value);
        item->setData(Qt::AccessibleTextRole, value);
        const auto reason = reasons.find(value.toStdString());
        if (reason == reasons.end()) {
            item->setToolTip(plainTip(tr("Remove %1").arg(value)));
            continue;
        }
        item->setToolTip(
            plainTip(tr("Cannot run: %1").arg(QString::fromStdString(reason->second))));
        item->setForeground(palette().placeholderText());
        QFont font = m_list->font();
        font.setItalic(true);
        item->setFont(font);
    }
    m_list->setCurrentRow(std::min(current, m_list->count() - 1));
    m_list->verticalScrollBar()->setValue(scrolled);
}

void ChipList::openAt(const QWidget& button)
{
    const int rows = std::clamp(m_list->count(), 1, kMostRows);
    const int width = std::max({button.width(), m_list->sizeHintForColumn(0),
                                fontMetrics().averageCharWidth() * kLettersOfAValue}) +
                      m_list->verticalScrollBar()->sizeHint().width() + 2 * frameWidth();
    resize(width, rows * m_list->sizeHintForRow(0) + 2 * frameWidth());
    const QRect screen = button.screen()->availableGeometry();
    QPoint at = button.mapToGlobal(QPoint(0, button.height()));
    if (at.y() + height() > screen.bottom())
        at = button.mapToGlobal(QPoint(0, -height()));
    at.setX(std::clamp(at.x(), screen.left(), std::max(screen.left(), screen.right() - width)));
    move(at);
    show();
    m_list->setFocus();
}

void ChipList::remove(const QListWidgetItem* item)
{
    // The last one stays.
    if (item != nullptr && m_list->count() > 1)
        Q_EMIT removed(item->data(Qt::UserRole).toString());
}

bool ChipList::eventFilter(QObject* list, QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        switch (static_cast<QKeyEvent*>(event)->key()) {
        case Qt::Key_Delete:
        case Qt::Key_Backspace:
        case Qt::Key_Space:
        case Qt::Key_Return:
        case Qt::Key_Enter:
            remove(m_list->currentItem());
            return true;
        default:  // of another program's enum
            break;
        }
    }
    return QFrame::eventFilter(list, event);
}

}  // namespace qs::widgets

#include "moc_chip_list.cpp"
