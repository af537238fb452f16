#include "widgets/plan/line_list.h"

#include "widgets/models/plain_tip.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace qs::widgets {

LineList::LineList(QString name, QWidget* parent)
    : QWidget(parent), m_name(std::move(name)), m_layout(new QVBoxLayout(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(2);
    hide();
}

void LineList::setLines(const QList<Line>& lines, bool removable)
{
    while (QLayoutItem* item = m_layout->takeAt(0)) {
        // The button that was pressed is still on the stack.
        item->widget()->hide();
        for (QObject* part : item->widget()->children())
            part->setObjectName({});
        item->widget()->deleteLater();
        delete item;
    }
    for (int place = 0; place < lines.size(); ++place)
        addLine(place, lines[place], removable);
    setVisible(!lines.isEmpty());
}

void LineList::addLine(int place, const Line& line, bool removable)
{
    auto* row = new QWidget(this);
    auto* label = new QLabel(line.text, row);
    label->setObjectName(m_name);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setToolTip(plainTip(line.toolTip));
    auto* button = new QToolButton(row);
    button->setObjectName(QStringLiteral("remove:") + m_name);
    button->setText(QStringLiteral("×"));
    button->setFocusPolicy(Qt::StrongFocus);
    button->setEnabled(removable);
    button->setToolTip(plainTip(line.removal));
    button->setAccessibleName(line.removal);
    connect(button, &QToolButton::clicked, this, [this, place] { Q_EMIT removed(place); });
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(label, 1);
    layout->addWidget(button);
    m_layout->addWidget(row);
}

}  // namespace qs::widgets

#include "moc_line_list.cpp"
