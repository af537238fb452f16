#include "app/gui/runs/compared_runs_bar.h"

#include "core/report/words/comparison_text.h"
#include "widgets/layout/elided_paragraph.h"
#include "widgets/models/other_runs.h"
#include "widgets/models/plain_tip.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace qs::app {

namespace {

constexpr int kLines = 2;

QString sentenceOf(const widgets::RunBeside& beside)
{
    return QStringLiteral("%1: %2").arg(
        beside.run->name, QString::fromStdString(core::comparisonAnswer(beside.comparison)));
}

}  // namespace

ComparedRunsBar::ComparedRunsBar(widgets::RunStore& store, QWidget* parent)
    : QFrame(parent), m_store(store)
{
    setObjectName(QStringLiteral("comparedRuns"));
    setFrameShape(QFrame::StyledPanel);
    build();
    connect(&store.others(), &widgets::OtherRuns::changed, this, &ComparedRunsBar::update);
    connect(m_shown, &QComboBox::currentIndexChanged, this, [this](int place) {
        m_store.others().show(static_cast<std::size_t>(std::max(0, place)));
    });
    connect(&store.others(), &widgets::OtherRuns::shownChanged, this,
            &ComparedRunsBar::updateShown);
    update();
}

void ComparedRunsBar::build()
{
    m_text = new widgets::ElidedParagraph(kLines, this);
    m_text->setObjectName(QStringLiteral("comparedRunsText"));
    m_problem = new widgets::ElidedParagraph(1, this);
    m_problem->setObjectName(QStringLiteral("comparedRunsProblem"));
    m_shown = new QComboBox(this);
    m_shown->setObjectName(QStringLiteral("comparedRunShown"));
    m_shown->setAccessibleName(tr("Run whose images are shown as B"));
    m_shown->setToolTip(widgets::plainTip(tr("Run whose images are shown as B")));
    m_shown->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_shown->setMinimumContentsLength(12);
    m_problem->setFixedHeight(m_problem->fontMetrics().lineSpacing());
    auto* change = new QPushButton(tr("Change…"), this);
    change->setObjectName(QStringLiteral("changeComparedRuns"));
    change->setToolTip(widgets::plainTip(tr("Choose the runs that are compared with this one")));
    auto* leave = new QPushButton(tr("Stop comparing"), this);
    leave->setObjectName(QStringLiteral("stopComparing"));
    leave->setToolTip(widgets::plainTip(tr("Look at the run in view alone again (Ctrl+Shift+D)")));
    auto* texts = new QVBoxLayout;
    texts->setSpacing(0);
    texts->addStretch(1);
    texts->addWidget(m_text);
    texts->addWidget(m_problem);
    texts->addStretch(1);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 2, 8, 2);
    row->addLayout(texts, 1);
    for (QWidget* widget : {static_cast<QWidget*>(m_shown), static_cast<QWidget*>(change),
                            static_cast<QWidget*>(leave)})
        row->addWidget(widget);
    connect(change, &QPushButton::clicked, this, &ComparedRunsBar::changeRequested);
    connect(leave, &QPushButton::clicked, this, &ComparedRunsBar::leaveRequested);
}

void ComparedRunsBar::setReading(bool reading)
{
    m_reading = reading;
    update();
}

void ComparedRunsBar::setProblem(const QString& problem)
{
    m_problemText = problem.simplified();
    update();
}

void ComparedRunsBar::update()
{
    const widgets::OtherRuns& others = m_store.others();
    QStringList lines;
    for (const auto& beside : others.beside())
        lines << sentenceOf(*beside);
    const bool waiting = m_reading || (!others.laid().empty() && others.beside().empty());
    if (waiting)
        lines = QStringList{m_reading ? tr("Reading runs…") : tr("Comparing runs…")};
    m_text->setText(lines.join(QStringLiteral(". ")));
    m_text->setToolTip(widgets::plainTip(
        lines.join(QLatin1Char('\n')) +
        (lines.isEmpty() || waiting
             ? QString()
             : QLatin1Char('\n') + QString::fromStdString(core::comparisonExplanation()))));
    m_text->setVisible(!lines.isEmpty());
    // What stands below may not move when the comparison or a problem arrives.
    const int line = m_text->fontMetrics().lineSpacing();
    m_text->setFixedHeight(m_problemText.isEmpty() ? kLines * line : (kLines - 1) * line);
    m_problem->setText(m_problemText);
    m_problem->setToolTip(widgets::plainTip(m_problemText));
    m_problem->setVisible(!m_problemText.isEmpty());
    const QSignalBlocker quiet(m_shown);
    m_shown->clear();
    for (const auto& beside : others.beside())
        m_shown->addItem(tr("B: %1").arg(beside->run->name));
    m_shown->setVisible(m_shown->count() > 1);
    updateShown();
    setVisible(!lines.isEmpty() || !m_problemText.isEmpty());
}

void ComparedRunsBar::updateShown()
{
    const QSignalBlocker quiet(m_shown);
    const auto& beside = m_store.others().beside();
    for (std::size_t i = 0; i < beside.size(); ++i) {
        if (beside[i].get() == m_store.others().shown())
            m_shown->setCurrentIndex(static_cast<int>(i));
    }
}

}  // namespace qs::app

#include "moc_compared_runs_bar.cpp"
