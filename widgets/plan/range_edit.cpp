#include "widgets/plan/range_edit.h"

#include "core/sweep/axis.h"
#include "widgets/plan/preset_edit.h"

#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

namespace qs::widgets {

RangeEdit::RangeEdit(QWidget* parent)
    : QWidget(parent), m_edit(new QLineEdit(this)), m_message(new QLabel(this))
{
    m_edit->setObjectName(QStringLiteral("rangeText"));
    m_edit->setToolTip(
        tr("Numbers and ranges: \"1, 4, 16\", \"1..64 pow2\", \"1-64*2\" (multiply), "
           "\"8-64+8\" (add)"));
    m_message->setObjectName(QStringLiteral("rangeMessage"));
    m_message->setWordWrap(true);
    m_message->setForegroundRole(QPalette::PlaceholderText);
    setFocusProxy(m_edit);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_edit);
    layout->addWidget(m_message);
    connect(m_edit, &QLineEdit::textEdited, this, [this] { read(true); });
}

void RangeEdit::setValues(const QStringList& values)
{
    m_edit->setText(rangeText(values));
    read(false);
}

void RangeEdit::read(bool byPerson)
{
    const auto numbers = core::expandRange(m_edit->text().toStdString());
    const bool wasValid = m_valid;
    m_valid = numbers.ok();
    QString message;
    QStringList values;
    if (m_valid) {
        for (const std::int64_t number : numbers.value())
            values << QString::number(number);
        const QString spelled = values.join(QStringLiteral(", "));
        // Said only where the dialect hides it.
        message = spelled == m_edit->text() ? QString() : spelled;
    } else {
        message = QString::fromStdString(numbers.error().message);
    }
    m_message->setText(message);
    m_message->setForegroundRole(m_valid ? QPalette::PlaceholderText : QPalette::WindowText);
    m_message->setVisible(!message.isEmpty());
    m_edit->setAccessibleDescription(message);
    if (m_valid != wasValid)
        Q_EMIT validityChanged();
    if (m_valid && byPerson)
        Q_EMIT valuesEdited(values);
}

}  // namespace qs::widgets
