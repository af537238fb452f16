#include "widgets/compare/compare_heading.h"

#include "widgets/compare/compare_text.h"
#include "widgets/models/cell_text.h"
#include "widgets/models/plain_tip.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace qs::widgets {

QLabel* makeParagraph(const QString& name)
{
    auto* label = new QLabel;
    label->setObjectName(name);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

CompareHeading::CompareHeading(QWidget* parent)
    : QWidget(parent),
      m_verdict(makeParagraph(QStringLiteral("heading"))),
      m_untrained(makeParagraph(QStringLiteral("untrained")))
{
    auto* measured = new QToolButton;
    measured->setObjectName(QStringLiteral("howMeasured"));
    measured->setText(tr("Measurement details"));
    measured->setToolTip(tr("Phases, samples, clocks and every figure of A"));
    measured->setFocusPolicy(Qt::TabFocus);
    measured->setAutoRaise(true);
    connect(measured, &QToolButton::clicked, this, &CompareHeading::measuredWanted);
    auto* row = new QHBoxLayout;
    row->addWidget(m_verdict, 1);
    row->addWidget(measured);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addLayout(row);
    column->addWidget(m_untrained);
}

void CompareHeading::showCell(const core::Analysis& analysis, const core::PlannedCell& cell)
{
    const QString verdict = verdictText(analysis, cell);
    const QString title = tr("A: %1").arg(cellTitle(cell));
    m_verdict->setText(verdict.isEmpty() ? title : tr("%1 — %2").arg(title, verdict));
    m_verdict->setToolTip(plainTip(verdictExplanation(analysis, cell)));
    const QString untrained = untrainedNote(cell);
    m_untrained->setText(untrained);
    m_untrained->setVisible(!untrained.isEmpty());
}

}  // namespace qs::widgets
