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
    : QWidget(parent),
      m_verdict(new ElidedParagraph(1)),
      m_untrained(new ElidedParagraph(1)),
      m_details(new QToolButton(this))
{
    m_verdict->setObjectName(QStringLiteral("heading"));
    m_untrained->setObjectName(QStringLiteral("untrained"));
    m_details->setObjectName(QStringLiteral("howMeasured"));
    m_details->setText(tr("Measurement details"));
    m_details->setToolTip(tr("Phases, samples, clocks and every figure of A"));
    m_details->setFocusPolicy(Qt::TabFocus);
    m_details->setAutoRaise(true);
    connect(m_details, &QToolButton::clicked, this, &CompareHeading::measuredWanted);
    // One line, whatever it says: nothing above it may move.
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_verdict, 1);
    row->addWidget(m_untrained, 1);
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

#include "moc_compare_heading.cpp"
