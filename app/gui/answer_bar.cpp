#include "app/gui/answer_bar.h"

#include "app/gui/answer_cell.h"
#include "app/gui/answer_why.h"
#include "app/gui/run_warnings.h"
#include "widgets/models/cell_text.h"
#include "widgets/models/plain_tip.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

namespace qs::app {

namespace {

constexpr int kWhyRefreshMs = 1000;
const QString kBestBf16 = QStringLiteral("best-bf16");
const QString kBf16Eager = QStringLiteral("bf16-eager");
const QString kSelectedCell = QStringLiteral("selected-cell");  // of the chooser alone

}  // namespace

AnswerBar::AnswerBar(widgets::RunStore& store, const core::AnswerQuestion& question,
                     QWidget* parent)
    : QFrame(parent), m_store(store), m_question(question)
{
    setObjectName(QStringLiteral("answerBar"));
    setFrameShape(QFrame::StyledPanel);
    buildTexts();
    buildQuestion();
    buildBaseline();
    layOut();
    m_whyRefresh.setSingleShot(true);
    m_whyRefresh.setInterval(kWhyRefreshMs);
    connect(&m_whyRefresh, &QTimer::timeout, this, [this] {
        if (m_why != nullptr && m_why->isVisible())
            m_why->showAnswer(m_answer, m_question, questionText());
    });
    // In an event of its own: every view of ten thousand cells takes its time.
    connect(&m_store, &widgets::RunStore::analysisChanged, this, &AnswerBar::update,
            Qt::QueuedConnection);
    connect(&m_store, &widgets::RunStore::selectionChanged, this, &AnswerBar::updateBaseline);
    update();
}

void AnswerBar::buildTexts()
{
    m_headline = new QLabel(this);
    m_headline->setObjectName(QStringLiteral("answerHeadline"));
    m_headline->setTextFormat(Qt::PlainText);
    m_headline->setWordWrap(true);
    QFont font = m_headline->font();
    font.setBold(true);
    font.setPointSizeF(font.pointSizeF() * 1.2);
    m_headline->setFont(font);
    m_detail = new QLabel(this);
    m_detail->setObjectName(QStringLiteral("answerDetail"));
    m_detail->setTextFormat(Qt::PlainText);
    m_detail->setWordWrap(true);
    for (QLabel* label : {m_headline, m_detail})
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
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
    m_settle->show();
}

void AnswerBar::buildQuestion()
{
    m_objective = new QComboBox(this);
    m_objective->setObjectName(QStringLiteral("answerObjective"));
    m_objective->setAccessibleName(tr("Quantity to optimise"));
    m_objective->setToolTip(tr("What to optimise for"));
    m_objective->addItem(tr("Throughput, any batch"), int(core::AnswerObjective::Throughput));
    m_objective->addItem(tr("Latency, batch 1"), int(core::AnswerObjective::Latency));
    m_objective->addItem(tr("Memory peak"), int(core::AnswerObjective::Memory));
    m_limit = new QComboBox(this);
    m_limit->setObjectName(QStringLiteral("qualityLimit"));
    m_limit->setAccessibleName(tr("Quality limit"));
    m_limit->addItem(tr("≤ 2× noise floor"), int(core::QualityLimit::WithinNoise));
    m_limit->addItem(tr("Mean SSIM ≥"), int(core::QualityLimit::MinimumSsim));
    m_limit->addItem(tr("Any quality"), int(core::QualityLimit::None));
    m_ssim = new QDoubleSpinBox(this);
    m_ssim->setObjectName(QStringLiteral("minimumSsim"));
    m_ssim->setAccessibleName(tr("Smallest mean SSIM"));
    m_ssim->setToolTip(tr("Mean over images of the SSIM against the bf16 reference; 1 is equal"));
    m_ssim->setRange(0.0, 1.0);
    m_ssim->setDecimals(4);
    m_ssim->setSingleStep(0.001);
    m_ssim->setKeyboardTracking(false);
    m_objective->setCurrentIndex(m_objective->findData(int(m_question.objective)));
    m_limit->setCurrentIndex(m_limit->findData(int(m_question.limit)));
    m_ssim->setValue(m_question.minimumSsim);
    connect(m_objective, &QComboBox::activated, this, &AnswerBar::ask);
    connect(m_limit, &QComboBox::activated, this, &AnswerBar::ask);
    connect(m_ssim, &QDoubleSpinBox::valueChanged, this, &AnswerBar::ask);
}

void AnswerBar::buildBaseline()
{
    m_baseline = new QComboBox(this);
    m_baseline->setObjectName(QStringLiteral("speedBaseline"));
    m_baseline->setAccessibleName(tr("Speed baseline"));
    m_baseline->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    constexpr int kLetters = 14;
    m_baseline->setMinimumContentsLength(kLetters);
    m_baseline->setToolTip(tr("The cell that every ratio in every view, table and export is "
                              "relative to, at the same batch and size"));
    connect(m_baseline, &QComboBox::activated, this, &AnswerBar::chooseBaseline);
}

void AnswerBar::layOut()
{
    auto* texts = new QVBoxLayout;
    texts->setSpacing(2);
    texts->addWidget(m_headline);
    texts->addWidget(m_detail);
    texts->addWidget(new RunWarnings(m_store, this));
    auto* question = new QHBoxLayout;
    question->addWidget(m_objective, 1);
    question->addWidget(m_limit, 1);
    question->addWidget(m_ssim);
    auto* ratios = new QHBoxLayout;
    auto* label = new QLabel(tr("v&s", "ratios relative to"), this);
    label->setBuddy(m_baseline);
    ratios->addWidget(label);
    ratios->addWidget(m_baseline, 1);
    ratios->addWidget(m_settle);
    ratios->addWidget(m_whyButton);
    ratios->addWidget(m_show);
    auto* controls = new QVBoxLayout;
    controls->setSpacing(4);
    controls->addLayout(question);
    controls->addLayout(ratios);
    auto* layout = new QHBoxLayout(this);
    layout->addLayout(texts, 1);
    layout->addLayout(controls);
}

void AnswerBar::setRunning(bool running)
{
    m_running = running;
    update();
}

void AnswerBar::ask()
{
    const core::AnswerQuestion question{
        .objective = static_cast<core::AnswerObjective>(m_objective->currentData().toInt()),
        .limit = static_cast<core::QualityLimit>(m_limit->currentData().toInt()),
        .minimumSsim = m_ssim->value()};
    if (question == m_question)
        return;
    m_question = question;
    update();
    Q_EMIT questionChanged(m_question);
    // Who looked at the answer looks at the new one; who had chosen a cell keeps it.
    if (!m_selectedByBar.isEmpty() && m_store.selectedCell() == m_selectedByBar)
        selectFirst();
}

void AnswerBar::update()
{
    if (m_store.isEmpty()) {
        m_answer = {};
        m_headline->setText(tr("No run yet"));
        m_detail->setText(m_running
                              ? tr("The run is being prepared…")
                              : tr("Press Run to measure the sweep on the left, or open a run "
                                   "folder. Drop presets, run folders, models and images here."));
    } else {
        m_answer = answerInWords(m_store.data(), m_store.analysis(), m_store.baseline(), m_question,
                                 m_running);
        m_headline->setText(m_answer.progress.isEmpty()
                                ? m_answer.headline
                                : tr("%1 (%2)").arg(m_answer.headline, m_answer.progress));
        m_detail->setText(m_answer.detail);
    }
    m_detail->setVisible(!m_detail->text().isEmpty());
    m_headline->setToolTip(widgets::plainTip(m_answer.explanation));
    m_detail->setToolTip(widgets::plainTip(m_answer.explanation));
    m_show->setEnabled(!m_answer.cellId.isEmpty());
    m_whyButton->setEnabled(!m_answer.found.candidates.empty());
    updateQuestion();
    updateBaseline();
    if (m_why != nullptr && m_why->isVisible() && !m_whyRefresh.isActive())
        m_whyRefresh.start();
}

void AnswerBar::updateQuestion()
{
    const bool judged = m_store.isEmpty() || m_answer.trained;
    m_ssim->setVisible(m_question.limit == core::QualityLimit::MinimumSsim);
    m_ssim->setEnabled(judged);
    m_limit->setEnabled(judged);
    m_limit->setToolTip(widgets::plainTip(
        judged ? tr("Only cells that meet this limit can be the answer. The noise floor is the "
                    "change caused by rounding alone (bf16 again, compiled, fp32); twice that is "
                    "allowed, in the mean and for the worst image.")
               : tr("The weights of this run are untrained: there are no quality figures")));
}

void AnswerBar::updateBaseline()
{
    const QString baseline = m_store.baseline();
    const bool named = baseline != kBestBf16 && baseline != kBf16Eager;
    const QString& selected = m_store.selectedCell();
    const QSignalBlocker quiet(m_baseline);
    m_baseline->clear();
    m_baseline->addItem(tr("best bf16"), kBestBf16);
    m_baseline->addItem(tr("bf16 eager"), kBf16Eager);
    if (named)
        m_baseline->addItem(widgets::baselineText(m_store.analysis(), baseline), baseline);
    if (!selected.isEmpty() && selected != baseline)
        m_baseline->addItem(tr("the selected cell"), kSelectedCell);
    m_baseline->setCurrentIndex(m_baseline->findData(baseline));
}

void AnswerBar::chooseBaseline(int index)
{
    const QString chosen = m_baseline->itemData(index).toString();
    m_store.setBaseline(chosen == kSelectedCell ? m_store.selectedCell() : chosen);
}

QString AnswerBar::questionText() const
{
    QString limit = m_limit->currentText();
    if (m_question.limit == core::QualityLimit::MinimumSsim)
        limit += QLatin1Char(' ') + m_ssim->text();
    return m_limit->isEnabled() ? tr("Requested: %1, %2.").arg(m_objective->currentText(), limit)
                                : tr("Requested: %1.").arg(m_objective->currentText());
}

void AnswerBar::showWhy()
{
    if (m_why == nullptr)
        m_why = new AnswerWhy(m_store, this);
    m_why->showAnswer(m_answer, m_question, questionText());
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
