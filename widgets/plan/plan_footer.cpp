#include "widgets/plan/plan_footer.h"

#include "widgets/layout/drawn_icon.h"
#include "widgets/layout/elided_paragraph.h"
#include "widgets/models/plain_tip.h"
#include "widgets/plan/plan_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QRegularExpression>
#include <QScrollArea>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

namespace qs::widgets {

namespace {

constexpr int kSummaryLines = 3;
constexpr int kImpossibleLines = 8;  // in view; the others scroll

}  // namespace

PlanFooter::PlanFooter(QWidget* parent)
    : QWidget(parent),
      m_icon(new QLabel(this)),
      m_summary(new ElidedParagraph(kSummaryLines, this)),
      m_toggle(new QToolButton(this)),
      m_cells(new QToolButton(this)),
      m_impossible(new QLabel(this)),
      m_impossibleArea(new QScrollArea(this))
{
    const int iconSize = style()->pixelMetric(QStyle::PM_SmallIconSize, nullptr, this);
    m_icon->setPixmap(drawnIcon(DrawnIcon::Warning).pixmap(iconSize));
    m_icon->setAccessibleName(tr("Problem"));
    m_icon->setAlignment(Qt::AlignTop);
    m_summary->setObjectName(QStringLiteral("planSummary"));
    // Room for what it may say: the buttons under it stay where they are.
    m_summary->setFixedHeight(m_summary->sizeHint().height());
    m_cells->setObjectName(QStringLiteral("showCells"));
    m_cells->setText(tr("Cells…"));
    m_cells->setFocusPolicy(Qt::StrongFocus);
    m_cells->setToolTip(
        tr("List every cell of this sweep: its role, its estimated time, and why it "
           "cannot run"));
    m_cells->setEnabled(false);
    buildImpossible();
    layOut();
    connect(m_cells, &QToolButton::clicked, this, &PlanFooter::cellsRequested);
    showPlanning();
}

void PlanFooter::buildImpossible()
{
    m_toggle->setObjectName(QStringLiteral("impossibleToggle"));
    m_toggle->setCheckable(true);
    m_toggle->setAutoRaise(true);
    m_toggle->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_toggle->setArrowType(Qt::RightArrow);
    m_toggle->setToolTip(tr("Which cells cannot run on this device, and why"));
    m_impossible->setObjectName(QStringLiteral("impossibleCells"));
    m_impossible->setWordWrap(true);
    m_impossible->setTextFormat(Qt::PlainText);
    m_impossible->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_toggle->setFocusPolicy(Qt::StrongFocus);
    QSizePolicy kept = m_toggle->sizePolicy();
    kept.setRetainSizeWhenHidden(true);  // it is a little higher than the button beside it
    m_toggle->setSizePolicy(kept);
    m_toggle->hide();
    m_impossible->setAlignment(Qt::AlignTop);
    // Many reasons must not push the editors out of a small window.
    m_impossibleArea->setWidget(m_impossible);
    m_impossibleArea->setWidgetResizable(true);
    m_impossibleArea->setFrameShape(QFrame::NoFrame);
    m_impossibleArea->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_impossibleArea->setFixedHeight(kImpossibleLines * fontMetrics().lineSpacing());
    m_impossibleArea->hide();
    connect(m_toggle, &QToolButton::toggled, this, [this](bool open) {
        m_toggle->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
        m_impossibleArea->setVisible(open);
    });
}

void PlanFooter::layOut()
{
    auto* row = new QHBoxLayout;
    row->addWidget(m_icon);
    row->addWidget(m_summary, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(row);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_toggle);
    buttons->addStretch(1);
    buttons->addWidget(m_cells);
    layout->addLayout(buttons);
    layout->addWidget(m_impossibleArea);
}

void PlanFooter::setProblemVisible(bool visible)
{
    m_icon->setVisible(visible);
}

void PlanFooter::showPlanning()
{
    setProblemVisible(false);
    m_summary->setToolTip(plainTip(QString()));
    m_summary->setText(tr("Counting cells…"));
    m_cells->setEnabled(false);
}

void PlanFooter::showProblem(const QString& problem)
{
    setProblemVisible(true);
    // Where in the file it stands is for files; the rest is a line further on.
    static const QRegularExpression kPlace(QStringLiteral("^\\$[^\\s:]*: "));
    // What is wrong with a model stands below its field.
    const bool ofModel = problem.startsWith(QStringLiteral("$.defaults.model: "));
    const QStringList lines = ofModel ? QStringList(tr("This model cannot be used"))
                                      : QString(problem).remove(kPlace).split(QLatin1Char('\n'));
    // A list stands behind its heading as far as there is room.
    const bool isHeading = lines.front().endsWith(QLatin1Char(':'));
    m_summary->setText(isHeading ? lines.join(QLatin1Char(' ')).simplified() : lines.front());
    m_summary->setToolTip(plainTip(problem));
    m_cells->setEnabled(false);
    m_toggle->setChecked(false);
    m_toggle->hide();
}

void PlanFooter::showPlan(const core::Plan& plan, const QString& objection)
{
    const PlanCounts counts = countPlan(plan);
    setProblemVisible(counts.possible == 0 || !objection.isEmpty());
    const QString summary = planSummary(plan);
    QString text = objection.isEmpty() ? summary : summary + QStringLiteral(" · ") + objection;
    // A line ends with a dot, none begins with one.
    m_summary->setText(text.replace(QStringLiteral(" ·"), QStringLiteral("\u00a0·")));
    m_summary->setToolTip(plainTip(m_summary->text()));
    m_cells->setEnabled(true);
    fillImpossible(plan);
}

void PlanFooter::fillImpossible(const core::Plan& plan)
{
    constexpr int kNamed = 12;  // of one reason; the rest is a number
    int cells = 0;
    int added = 0;
    QStringList paragraphs;
    for (const ImpossibleCells& group : impossibleCells(plan)) {
        (group.added ? added : cells) += static_cast<int>(group.cells.size());
        QString names = group.cells.mid(0, kNamed).join(QStringLiteral("\n    "));
        if (group.cells.size() > kNamed)
            names += tr("\n    and %1 more").arg(QLocale().toString(group.cells.size() - kNamed));
        const QString reason =
            group.added ? tr("%1 (references and noise floor)").arg(group.reason) : group.reason;
        paragraphs << reason + QStringLiteral("\n    ") + names;
    }
    m_impossible->setText(paragraphs.join(QLatin1Char('\n')));
    m_toggle->setText(cells > 0 ? tr("%1 cannot run here").arg(cellsText(cells))
                                : tr("A reference cannot run here"));
    m_toggle->setVisible(cells + added > 0);
    if (cells + added == 0)
        m_toggle->setChecked(false);
}

}  // namespace qs::widgets

#include "moc_plan_footer.cpp"
