#include "widgets/compare/compare_heading.h"

#include "widgets/compare/compare_text.h"
#include "widgets/layout/elided_paragraph.h"
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
    : QWidget(parent), m_verdict(new ElidedParagraph(1)), m_untrained(new ElidedParagraph(1))
{
    m_verdict->setObjectName(QStringLiteral("heading"));
    m_untrained->setObjectName(QStringLiteral("untrained"));
    auto* measured = new QToolButton;
    measured->setObjectName(QStringLiteral("howMeasured"));
    measured->setText(tr("Measurement details"));
    measured->setToolTip(tr("Phases, samples, clocks and every figure of A"));
    measured->setFocusPolicy(Qt::TabFocus);
    measured->setAutoRaise(true);
    connect(measured, &QToolButton::clicked, this, &CompareHeading::measuredWanted);
    // One line, whatever it says: nothing above it may move.
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_verdict, 1);
    row->addWidget(m_untrained, 1);
    row->addWidget(measured);
}

void CompareHeading::showCell(const core::Analysis& analysis, const core::PlannedCell& cell)
{
    const QString verdict = verdictText(analysis, cell);
    const QString title = tr("A: %1").arg(cellTitle(cell));
    m_verdict->setText(verdict.isEmpty() ? title : tr("%1 — %2").arg(title, verdict));
    m_verdict->setToolTip(plainTip(verdictExplanation(analysis, cell)));
    const QString untrained = untrainedNote(cell);
    m_untrained->setText(untrained);
    m_untrained->setToolTip(plainTip(untrained));
    m_untrained->setVisible(!untrained.isEmpty());
}

}  // namespace qs::widgets
