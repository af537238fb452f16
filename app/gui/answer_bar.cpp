#include "app/gui/answer_bar.h"

#include "app/gui/answer_cell.h"
#include "app/gui/answer_line.h"
#include "app/gui/answer_question.h"
#include "app/gui/answer_why.h"
#include "app/gui/run_warnings.h"
#include "app/gui/status_light.h"
#include "widgets/layout/menu_button.h"
#include "widgets/models/plain_tip.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>

namespace qs::app {

namespace {

constexpr int kWhyRefreshMs = 1000;

core::OutputKind outputsOf(const widgets::RunStore& store)
{
    const std::vector<core::PlannedCell>& cells = store.data().plan.cells;
    return cells.empty() ? core::OutputKind::Image : cells.front().output;
}

}  // namespace

AnswerBar::AnswerBar(widgets::RunStore& store, const core::AnswerQuestion& asked, QWidget* parent)
    : QWidget(parent), m_store(store), m_question(new AnswerQuestionPanel(store, asked, this))
{
    setObjectName(QStringLiteral("answerBar"));
    m_light = new StatusLight(this);
    m_line = new AnswerLine(this);
    buildButtons();
    layOut();
    m_whyRefresh.setSingleShot(true);
    m_whyRefresh.setInterval(kWhyRefreshMs);
    connect(&m_whyRefresh, &QTimer::timeout, this, [this] {
        if (m_why != nullptr && m_why->isVisible())
            m_why->showAnswer(m_answer, question(), questionText());
    });
    // In an event of its own: every view of ten thousand cells takes its time.
    connect(&m_store, &widgets::RunStore::analysisChanged, this, &AnswerBar::update,
            Qt::QueuedConnection);
    connect(&m_store, &widgets::RunStore::selectionChanged, m_question,
            &AnswerQuestionPanel::updateBaseline);
    connect(m_question, &AnswerQuestionPanel::questionChanged, this, &AnswerBar::ask);
    update();
}

void AnswerBar::buildButtons()
{
    m_ask = new widgets::MenuButton(this);
    m_ask->setObjectName(QStringLiteral("answerAsk"));
    m_ask->setFocusPolicy(Qt::StrongFocus);
    connect(m_ask, &QToolButton::clicked, this, [this] {
        m_question->adjustSize();
        m_question->move(m_ask->mapToGlobal(QPoint(0, m_ask->height())));
        m_question->show();
    });
    m_whyButton = new QPushButton(tr("&Why?"), this);
    m_whyButton->setObjectName(QStringLiteral("answerWhy"));
    m_whyButton->setToolTip(tr("All candidates: which came close, which were excluded and why"));
    m_settle = new QToolButton(this);
    m_settle->setObjectName(QStringLiteral("settleButton"));
    m_settle->setToolButtonStyle(Qt::ToolButtonTextOnly);
    m_settle->setFocusPolicy(Qt::StrongFocus);
    m_settle->hide();
    m_show = new QPushButton(tr("Show"), this);
    m_show->setObjectName(QStringLiteral("showAnswer"));
    m_show->setToolTip(tr("Select this cell in every view, with the cell it is compared with"));
    connect(m_show, &QPushButton::clicked, this, &AnswerBar::selectAnswer);
    connect(m_whyButton, &QPushButton::clicked, this, &AnswerBar::showWhy);
}

void AnswerBar::offerSettling(QAction* settle)
{
    m_settle->setDefaultAction(settle);
    // The number comes and goes while rows arrive: its room is kept, so that nothing beside it
    // moves.
    const QString widest = tr("Repeat %1 unclear").arg(999);
    m_settle->setMinimumWidth(fontMetrics().horizontalAdvance(widest) +
                              3 * fontMetrics().averageCharWidth());
    m_settle->show();
}

// One line, whatever is said: nothing below it may move while a run goes on.
void AnswerBar::layOut()
{
    auto* warnings = new RunWarnings(m_store, this);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(4, 0, 0, 0);
    layout->addWidget(m_light);
    layout->addWidget(m_line, 1);
    for (QWidget* widget : {static_cast<QWidget*>(m_ask), static_cast<QWidget*>(m_settle),
                            static_cast<QWidget*>(m_whyButton), static_cast<QWidget*>(m_show),
                            static_cast<QWidget*>(warnings)})
        layout->addWidget(widget);
    setFixedHeight(std::max({m_whyButton->sizeHint().height(), m_ask->sizeHint().height(),
                             warnings->sizeHint().height()}));
}

const core::AnswerQuestion& AnswerBar::question() const
{
    return m_question->question();
}

void AnswerBar::setRunning(bool running)
{
    m_running = running;
    update();
}

void AnswerBar::ask()
{
    update();
    Q_EMIT questionChanged(question());
    // Who looked at the answer looks at the new one; who had chosen a cell keeps it.
    if (!m_selectedByBar.isEmpty() && m_store.selectedCell() == m_selectedByBar)
        selectFirst();
}

void AnswerBar::update()
{
    QString headline = tr("No run yet");
    QString detail = m_running
                         ? tr("The run is being prepared…")
                         : tr("Press Run to measure the sweep on the left, or open a run folder. "
                              "Drop presets, run folders, models and images here.");
    m_answer = {};
    if (!m_store.isEmpty()) {
        m_answer = answerInWords(m_store.data(), m_store.analysis(), m_store.baseline(), question(),
                                 m_running);
        headline = m_answer.progress.isEmpty()
                       ? m_answer.headline
                       : tr("%1 (%2)").arg(m_answer.headline, m_answer.progress);
        detail = m_answer.detail;
    }
    m_line->setTexts(headline, detail, m_answer.figure);
    // The line may be too short for it.
    const QString whole =
        QStringList{headline, detail, m_answer.explanation}.join(QLatin1Char('\n'));
    m_line->setWhole(whole.trimmed());
    m_light->setStanding(m_answer.found.support.standing);
    m_show->setEnabled(!m_answer.cellId.isEmpty());
    m_whyButton->setEnabled(!m_answer.found.candidates.empty());
    m_question->setJudged(m_store.isEmpty() || m_answer.trained, outputsOf(m_store));
    m_question->setSamples(m_answer.found.samples, m_answer.found.sample);
    m_question->setEnergyKnown(m_answer.found.energyKnown);
    m_question->updateBaseline();
    updateAsk();
    if (m_why != nullptr && m_why->isVisible() && !m_whyRefresh.isActive())
        m_whyRefresh.start();
}

void AnswerBar::updateAsk()
{
    m_ask->setText(m_question->shortText());
    // It never gets narrower: runs without a limit would move it.
    m_ask->setMinimumWidth(std::max(m_ask->minimumWidth(), m_ask->sizeHint().width()));
    m_ask->setToolTip(widgets::plainTip(tr("What is asked: %1; ratios relative to %2")
                                            .arg(m_question->text(), m_question->baselineText())));
}

QString AnswerBar::questionText() const
{
    return tr("Requested: %1.").arg(m_question->text());
}

void AnswerBar::showWhy()
{
    if (m_why == nullptr)
        m_why = new AnswerWhy(m_store, this);
    m_why->showAnswer(m_answer, question(), questionText());
    m_why->show();
    m_why->raise();
    m_why->activateWindow();
}

void AnswerBar::selectAnswer()
{
    select(m_answer.cellId.toStdString());
}

void AnswerBar::selectFirst()
{
    select(cellToShowFirst(m_store.data(), m_store.analysis(), m_answer.found));
}

void AnswerBar::select(const std::string& cellId)
{
    if (cellId.empty())
        return;
    const QString id = QString::fromStdString(cellId);
    m_store.selectPicture(pictureToShowFirst(m_store.data(), m_store.analysis(), cellId));
    m_selectedByBar = id;
    m_store.compareWith(id == m_answer.cellId ? m_answer.otherId : m_answer.cellId);
    m_store.selectCell(id);
}

}  // namespace qs::app

#include "moc_answer_bar.cpp"
