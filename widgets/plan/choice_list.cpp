#include "widgets/plan/choice_list.h"

#include "widgets/models/plain_tip.h"
#include "widgets/plan/scheme_box.h"

#include <QCheckBox>
#include <QEvent>
#include <QGridLayout>
#include <QSignalBlocker>

#include <algorithm>
#include <utility>

namespace qs::widgets {

namespace {

constexpr int kColumns = 2;
constexpr qsizetype kLongLabel = 16;  // letters that two columns of a narrow plan have room for
constexpr int kLongestLabel = 36;     // letters that a narrow plan has room for
constexpr const char* kValueProperty = "value";
constexpr const char* kAboutProperty = "about";

QString valueOf(const QCheckBox* box)
{
    return box->property(kValueProperty).toString();
}

}  // namespace

ChoiceList::ChoiceList(QList<Choice> choices, QWidget* parent, Describe describe)
    : QWidget(parent), m_describe(std::move(describe)), m_layout(new QGridLayout(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setVerticalSpacing(2);
    for (const Choice& choice : choices)
        addBox(choice);
    m_knownCount = m_boxes.size();
}

QCheckBox* ChoiceList::addBox(const Choice& choice)
{
    // A text of any length: the box does not widen the plan.
    auto* box =
        new QCheckBox(fontMetrics().elidedText(choice.label, Qt::ElideMiddle,
                                               fontMetrics().averageCharWidth() * kLongestLabel),
                      this);
    box->setObjectName(QStringLiteral("choice:") + choice.value);
    box->setAccessibleName(choice.label);
    box->setProperty(kValueProperty, choice.value);
    box->setProperty(kAboutProperty, choice.toolTip);
    showReason(box);
    // A long label has a row for itself.
    const int width = choice.label.size() > kLongLabel ? kColumns : 1;
    if (m_place % kColumns + width > kColumns)
        ++m_place;
    m_layout->addWidget(box, m_place / kColumns, m_place % kColumns, 1, width);
    m_place += width;
    if (m_boxes.isEmpty())
        setFocusProxy(box);
    m_boxes << box;
    connect(box, &QCheckBox::toggled, this, [this, box] { boxToggled(box); });
    return box;
}

void ChoiceList::removeLast()
{
    QCheckBox* box = m_boxes.takeLast();
    int row = 0;
    int column = 0;
    int rows = 0;
    int columns = 0;
    m_layout->getItemPosition(m_layout->indexOf(box), &row, &column, &rows, &columns);
    m_place = row * kColumns + column;
    delete box;
}

void ChoiceList::setValues(const QStringList& values)
{
    while (m_boxes.size() > m_knownCount)
        removeLast();
    for (QCheckBox* box : std::as_const(m_boxes)) {
        const QSignalBlocker blocker(box);
        box->setChecked(values.contains(valueOf(box)));
    }
    for (const QString& value : values) {
        const bool known = std::any_of(m_boxes.cbegin(), m_boxes.cend(),
                                       [&](const QCheckBox* box) { return valueOf(box) == value; });
        if (known)
            continue;
        QCheckBox* box =
            addBox(m_describe ? m_describe(value) : Choice{value, value, tr("From the preset")});
        const QSignalBlocker blocker(box);
        box->setChecked(true);
    }
}

QStringList ChoiceList::values() const
{
    QStringList values;
    for (const QCheckBox* box : m_boxes) {
        if (box->isChecked())
            values << valueOf(box);
    }
    return values;
}

void ChoiceList::showReason(QCheckBox* box) const
{
    const QString about = box->property(kAboutProperty).toString();
    const auto reason = m_reasons.find(valueOf(box).toStdString());
    const bool impossible = reason != m_reasons.end();
    const QString toolTip =
        impossible ? tr("Cannot run: %1").arg(QString::fromStdString(reason->second)) : about;
    box->setToolTip(plainTip(toolTip));
    box->setAccessibleDescription(toolTip);
    showImpossible(*box, impossible);
}

void ChoiceList::setReasons(const std::map<std::string, std::string>& reasons)
{
    m_reasons = reasons;
    for (QCheckBox* box : std::as_const(m_boxes))
        showReason(box);
}

void ChoiceList::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        setReasons(std::map(m_reasons));
}

void ChoiceList::boxToggled(QCheckBox* box)
{
    if (values().isEmpty()) {
        // A sweep over nothing is no sweep.
        const QSignalBlocker blocker(box);
        box->setChecked(true);
        return;
    }
    Q_EMIT valuesEdited(values());
}

}  // namespace qs::widgets

#include "moc_choice_list.cpp"
