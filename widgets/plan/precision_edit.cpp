#include "widgets/plan/precision_edit.h"

#include "core/quant/scheme.h"
#include "widgets/plan/choice_list.h"

#include <QCheckBox>
#include <QLabel>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>

namespace qs::widgets {

namespace {

QList<ChoiceList::Choice> choices()
{
    QList<ChoiceList::Choice> all;
    for (const core::Scheme& scheme : core::offeredSchemes()) {
        const QString text = QString::fromStdString(scheme.text());
        all << ChoiceList::Choice{text, text, QString::fromStdString(scheme->description)};
    }
    return all;
}

bool isPair(const QString& value)
{
    return value.contains(QLatin1Char('/'));
}

// The diagonal of what was chosen; of pairs alone, the first stage of the first.
QStringList diagonalOf(const QStringList& values)
{
    QStringList diagonal;
    std::copy_if(values.begin(), values.end(), std::back_inserter(diagonal),
                 [](const QString& value) { return !isPair(value); });
    for (qsizetype i = 0; diagonal.isEmpty() && i < values.size(); ++i)
        diagonal << values[i].section(QLatin1Char('/'), 0, 0);
    return diagonal;
}

}  // namespace

PrecisionEdit::PrecisionEdit(QWidget* parent)
    : QWidget(parent),
      m_list(new ChoiceList(choices(), this)),
      m_pairs(new PrecisionPairs(this)),
      m_matrix(new PrecisionMatrix(*m_pairs, this)),
      m_linked(new QCheckBox(this)),
      m_legend(new QLabel(this))
{
    m_linked->setObjectName(QStringLiteral("precisionLinked"));
    m_linked->setChecked(true);
    m_linked->setToolTip(tr("Off: choose pairs, such as an int8 encoder with a bf16 decoder. On: "
                            "both stages have the same precision, the diagonal of the matrix"));
    m_list->setObjectName(QStringLiteral("precisionList"));
    m_legend->setForegroundRole(QPalette::PlaceholderText);
    m_legend->setTextFormat(Qt::PlainText);
    m_legend->setWordWrap(true);
    setFocusProxy(m_list);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_list);
    layout->addWidget(m_legend);
    layout->addWidget(m_matrix);
    layout->addWidget(m_linked);
    setStages({tr("encoder"), tr("decoder")});
    showEditor(true);
    const auto edited = [this](const QStringList& values) {
        m_values = values;
        Q_EMIT valuesEdited(values);
    };
    connect(m_list, &ChoiceList::valuesEdited, this, edited);
    connect(m_pairs, &PrecisionPairs::valuesEdited, this, edited);
    connect(m_linked, &QCheckBox::toggled, this, &PrecisionEdit::setLinked);
}

void PrecisionEdit::setStages(const QStringList& stages)
{
    const bool two = stages.size() == 2;
    m_linked->setEnabled(two || !m_linked->isChecked());
    if (!two)
        return;
    m_pairs->setStages(stages[0], stages[1]);
    m_linked->setText(tr("Same for %1 and %2").arg(stages[0], stages[1]));
    m_legend->setText(tr("Rows: %1 · columns: %2").arg(stages[0], stages[1]));
}

void PrecisionEdit::setReasons(const Reasons& reasons)
{
    m_list->setReasons(reasons);
    m_pairs->setReasons(reasons);
}

void PrecisionEdit::setValues(const QStringList& values)
{
    m_values = values;
    const bool pairs = std::any_of(values.begin(), values.end(), isPair);
    // The matrix stays while a person works in it, even on the diagonal alone.
    const QSignalBlocker blocker(m_linked);
    if (pairs)
        m_linked->setChecked(false);
    showEditor(m_linked->isChecked());
}

void PrecisionEdit::showEditor(bool linked)
{
    m_list->setValues(linked ? m_values : QStringList{});
    if (!linked)
        m_pairs->setValues(m_values);
    m_list->setVisible(linked);
    m_matrix->setVisible(!linked);
    m_legend->setVisible(!linked);
    setFocusProxy(linked ? static_cast<QWidget*>(m_list) : m_matrix);
}

void PrecisionEdit::setLinked(bool linked)
{
    const QStringList before = m_values;
    if (linked)
        m_values = diagonalOf(m_values);
    showEditor(linked);
    if (m_values != before)
        Q_EMIT valuesEdited(m_values);
}

}  // namespace qs::widgets
