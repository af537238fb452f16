#include "widgets/plan/range_edit.h"

#include "widgets/plan/chip_row.h"
#include "widgets/plan/message_line.h"
#include "widgets/plan/preset_edit.h"

#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QStackedLayout>
#include <QVBoxLayout>

#include <utility>

namespace qs::widgets {

RangeEdit::RangeEdit(std::string axis, QWidget* parent)
    : QWidget(parent),
      m_axis(std::move(axis)),
      m_edit(new QLineEdit(this)),
      m_chips(new ChipRow(this)),
      m_place(new QStackedLayout),
      m_message(newMessageLine(QStringLiteral("rangeMessage"), this))
{
    m_edit->setObjectName(QStringLiteral("rangeText"));
    m_edit->setToolTip(
        tr("Numbers and ranges: \"1, 4, 16\", \"1..64 pow2\", \"1-64*2\" (multiply), "
           "\"8-64+8\" (add)"));
    // Both have one place, which has the height of the chips whichever is seen.
    QSizePolicy policy = m_chips->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    m_chips->setSizePolicy(policy);
    m_place->addWidget(m_chips);
    m_place->addWidget(m_message);
    setFocusProxy(m_edit);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_edit);
    layout->addLayout(m_place);
    connect(m_edit, &QLineEdit::textEdited, this, [this] { read(true); });
    connect(m_chips, &ChipRow::removed, this, &RangeEdit::remove);
}

void RangeEdit::setValues(const QStringList& values)
{
    m_edit->setText(rangeText(values));
    m_edit->setCursorPosition(0);
    read(false);
}

void RangeEdit::setReasons(const std::map<std::string, std::string>& reasons)
{
    m_reasons = reasons;
    m_chips->setReasons(reasons);
    showChips();
}

// One value that can run stands in the line already.
void RangeEdit::showChips()
{
    const bool one = m_values.size() == 1 && !m_reasons.contains(m_values.front().toStdString());
    m_place->setCurrentWidget(m_valid && !one ? static_cast<QWidget*>(m_chips) : m_message);
}

void RangeEdit::remove(const QString& value)
{
    QStringList rest = m_values;
    rest.removeAll(value);
    if (rest.isEmpty())
        return;
    setValues(rest);
    m_edit->setFocus();  // the chip that had it is gone
    Q_EMIT valuesEdited(rest);
}

void RangeEdit::read(bool byPerson)
{
    // "1 2 4" is as good as "1, 2, 4"; the words of a range stay with their number.
    static const QRegularExpression kBlanks(QStringLiteral("(?<=\\d)\\s+(?=\\d)"));
    const auto numbers =
        numbersFromText(m_axis, QString(m_edit->text()).replace(kBlanks, QStringLiteral(", ")));
    const bool wasValid = m_valid;
    m_valid = numbers.ok();
    QString message;
    m_values.clear();
    if (m_valid) {
        m_values = numbers.value();
        m_chips->setValues(m_values);
    } else {
        message = QString::fromStdString(numbers.error().message);
    }
    showMessage(*m_message, message);
    showChips();
    m_edit->setAccessibleDescription(m_valid ? m_values.join(QStringLiteral(", ")) : message);
    if (m_valid != wasValid)
        Q_EMIT validityChanged();
    if (m_valid && byPerson)
        Q_EMIT valuesEdited(m_values);
}

}  // namespace qs::widgets

#include "moc_range_edit.cpp"
