#include "widgets/plan/precision_edit.h"

#include "widgets/plan/precision_matrix.h"
#include "widgets/plan/precision_pairs.h"
#include "widgets/plan/scheme_grid.h"
#include "widgets/plan/scheme_lines.h"
#include "widgets/plan/variant_panel.h"

#include <QCheckBox>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>

namespace qs::widgets {

namespace {

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

QStringList sorted(QStringList values)
{
    values.sort();
    return values;
}

}  // namespace

PrecisionEdit::PrecisionEdit(QWidget* parent)
    : QWidget(parent),
      m_grid(new SchemeGrid(m_swept, this)),
      m_pairs(new PrecisionPairs(m_swept, this)),
      m_matrix(new PrecisionMatrix(*m_pairs, this)),
      m_lines(new SchemeLines(m_swept, this)),
      m_linked(new QCheckBox(this))
{
    build();
    connectParts();
    setStages({tr("encoder"), tr("decoder")});
    showEditor();
}

void PrecisionEdit::build()
{
    m_linked->setObjectName(QStringLiteral("precisionLinked"));
    m_linked->setChecked(true);
    m_linked->setToolTip(tr("Off: choose pairs, such as an int8 encoder with a bf16 decoder. On: "
                            "both stages have the same precision, the diagonal of the matrix"));
    m_grid->setObjectName(QStringLiteral("precisionList"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_grid);
    layout->addWidget(m_matrix);
    layout->addWidget(m_lines);
    layout->addWidget(m_linked);
}

void PrecisionEdit::connectParts()
{
    const auto edited = [this] {
        refresh();
        tell(tr("precision"), false);
    };
    connect(m_grid, &SchemeGrid::edited, this, edited);
    connect(m_lines, &SchemeLines::edited, this, edited);
    connect(m_pairs, &PrecisionPairs::edited, this, [this] { tell(tr("precision"), false); });
    connect(m_linked, &QCheckBox::toggled, this, &PrecisionEdit::setLinked);
    connect(m_grid, &SchemeGrid::optionsRequested, this, &PrecisionEdit::openOptions);
    connect(m_lines, &SchemeLines::optionsRequested, this, &PrecisionEdit::openOptions);
    connect(m_matrix, &PrecisionMatrix::optionsRequested, this, &PrecisionEdit::openOptions);
}

void PrecisionEdit::setStages(const QStringList& stages)
{
    const bool two = stages.size() == 2;
    m_linked->setEnabled(two || !m_linked->isChecked());
    if (!two)
        return;
    m_pairs->setStages(stages[0], stages[1]);
    m_linked->setText(tr("Same for %1 and %2").arg(stages[0], stages[1]));
    m_matrix->setLegend(tr("Rows: %1\nColumns: %2").arg(stages[0], stages[1]));
}

void PrecisionEdit::setReasons(const Reasons& reasons)
{
    m_grid->setReasons(reasons);
    m_lines->setReasons(reasons);
    m_pairs->setReasons(reasons);
}

void PrecisionEdit::setValues(const QStringList& values)
{
    // What it shows is no longer there.
    if (m_panel != nullptr)
        m_panel->close();
    m_values = values;
    m_swept.setValues(values);
    const bool pairs = std::any_of(values.begin(), values.end(), isPair);
    // The matrix stays while a person works in it, even on the diagonal alone.
    const QSignalBlocker blocker(m_linked);
    if (pairs)
        m_linked->setChecked(false);
    showEditor();
}

void PrecisionEdit::showEditor()
{
    const bool linked = m_linked->isChecked();
    m_lines->setVariantsShown(linked);
    refresh();
    m_grid->setVisible(linked);
    m_matrix->setVisible(!linked);
    setFocusProxy(linked ? static_cast<QWidget*>(m_grid) : m_matrix);
}

void PrecisionEdit::refresh()
{
    m_grid->refresh();
    m_lines->refresh();
    m_pairs->refresh();
}

void PrecisionEdit::tell(const QString& what, bool typing)
{
    const QStringList values = m_swept.values();
    // Another order alone, that of a preset, is no edit.
    if (sorted(values) == sorted(m_values))
        return;
    m_values = values;
    Q_EMIT valuesEdited(values, what, typing);
}

void PrecisionEdit::setLinked(bool linked)
{
    if (linked)
        m_swept.setValues(diagonalOf(m_values));
    showEditor();
    tell(tr("precision"), false);
}

void PrecisionEdit::openOptions(std::size_t entry, const QRect& place)
{
    const std::size_t offered = m_swept.entries()[entry].offered;
    m_panel = new VariantPanel(m_swept, offered, this);
    connect(m_panel, &VariantPanel::edited, this, [this](const QString& what, bool typing) {
        refresh();
        tell(what, typing);
    });
    connect(m_panel, &VariantPanel::closed, this, [this, offered] { optionsClosed(offered); });
    m_panel->openAt(place, entry);
}

void PrecisionEdit::optionsClosed(std::size_t offered)
{
    m_panel = nullptr;
    m_swept.dropRepeated();
    refresh();
    tell(tr("precision"), false);
    // The line that was pressed may be another one now.
    if (m_linked->isChecked() && m_grid->optionsButton(offered) != nullptr)
        m_grid->optionsButton(offered)->setFocus();
    else
        m_matrix->setFocus();
}

}  // namespace qs::widgets

#include "moc_precision_edit.cpp"
