#include "app/gui/answer_question.h"

#include "widgets/models/cell_text.h"
#include "widgets/models/plain_tip.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QSignalBlocker>
#include <QStandardItemModel>

namespace qs::app {

namespace {

const QString kBestBf16 = QStringLiteral("best-bf16");
const QString kBf16Eager = QStringLiteral("bf16-eager");
const QString kSelectedCell = QStringLiteral("selected-cell");  // of the chooser alone

}  // namespace

AnswerQuestionPanel::AnswerQuestionPanel(widgets::RunStore& store,
                                         const core::AnswerQuestion& question, QWidget* parent)
    : QFrame(parent, Qt::Popup), m_store(store), m_question(question)
{
    setObjectName(QStringLiteral("answerQuestion"));
    setFrameShape(QFrame::StyledPanel);
    build();
    layOut();
    updateBaseline();
    setJudged(true);
    setEnergyKnown(false);
}

void AnswerQuestionPanel::build()
{
    m_objective = new QComboBox(this);
    m_objective->setObjectName(QStringLiteral("answerObjective"));
    m_objective->setAccessibleName(tr("Quantity to optimise"));
    m_objective->setToolTip(tr("What to optimise for"));
    m_objective->addItem(tr("Throughput, any batch"), int(core::AnswerObjective::Throughput));
    m_objective->addItem(tr("Latency, batch 1"), int(core::AnswerObjective::Latency));
    m_objective->addItem(tr("Memory peak"), int(core::AnswerObjective::Memory));
    m_objective->addItem(tr("Energy"), int(core::AnswerObjective::Energy));
    m_sample = new QComboBox(this);
    m_sample->setObjectName(QStringLiteral("answerSample"));
    m_sample->setAccessibleName(tr("Samples"));
    m_sample->setToolTip(tr("Rates of different sizes or workloads do not compare: the answer is "
                            "for one of them"));
    m_limit = new QComboBox(this);
    m_limit->setObjectName(QStringLiteral("qualityLimit"));
    m_limit->setAccessibleName(tr("Quality limit"));
    m_limit->addItem(tr("≤ 2× noise floor"), int(core::QualityLimit::WithinNoise));
    m_limit->addItem(QString(), int(core::QualityLimit::MinimumLikeness));
    m_limit->addItem(tr("Any quality"), int(core::QualityLimit::None));
    m_likeness = new QDoubleSpinBox(this);
    m_likeness->setObjectName(QStringLiteral("minimumLikeness"));
    m_likeness->setRange(0.0, 1.0);
    m_likeness->setDecimals(4);
    m_likeness->setSingleStep(0.001);
    m_likeness->setKeyboardTracking(false);
    m_objective->setCurrentIndex(m_objective->findData(int(m_question.objective)));
    m_limit->setCurrentIndex(m_limit->findData(int(m_question.limit)));
    m_likeness->setValue(m_question.minimumLikeness);
    m_baseline = new QComboBox(this);
    m_baseline->setObjectName(QStringLiteral("speedBaseline"));
    m_baseline->setAccessibleName(tr("Speed baseline"));
    m_baseline->setToolTip(tr("The cell that every ratio in every view, table and export is "
                              "relative to, at the same batch and size"));
    connect(m_objective, &QComboBox::activated, this, &AnswerQuestionPanel::ask);
    connect(m_sample, &QComboBox::activated, this, &AnswerQuestionPanel::ask);
    connect(m_limit, &QComboBox::activated, this, &AnswerQuestionPanel::ask);
    connect(m_likeness, &QDoubleSpinBox::valueChanged, this, &AnswerQuestionPanel::ask);
    connect(m_baseline, &QComboBox::activated, this, &AnswerQuestionPanel::chooseBaseline);
}

void AnswerQuestionPanel::layOut()
{
    auto* limit = new QHBoxLayout;
    limit->addWidget(m_limit, 1);
    limit->addWidget(m_likeness);
    auto* form = new QFormLayout(this);
    form->addRow(tr("&Best in"), m_objective);
    form->addRow(tr("&For"), m_sample);
    form->addRow(tr("&Quality"), limit);
    // A form does not look into a row of two fields.
    qobject_cast<QLabel*>(form->labelForField(limit))->setBuddy(m_limit);
    form->addRow(tr("Ratios v&s"), m_baseline);
}

void AnswerQuestionPanel::ask()
{
    const core::AnswerQuestion question{
        .objective = static_cast<core::AnswerObjective>(m_objective->currentData().toInt()),
        .limit = static_cast<core::QualityLimit>(m_limit->currentData().toInt()),
        .minimumLikeness = m_likeness->value(),
        .sample = m_sample->currentText().toStdString()};
    if (question == m_question)
        return;
    m_question = question;
    m_likeness->setVisible(m_question.limit == core::QualityLimit::MinimumLikeness);
    Q_EMIT questionChanged(m_question);
}

void AnswerQuestionPanel::setSamples(const std::vector<std::string>& samples,
                                     const std::string& asked)
{
    QStringList texts;
    for (const std::string& sample : samples)
        texts << QString::fromStdString(sample);
    const QSignalBlocker quiet(m_sample);
    // Not while rows arrive: its list may be open.
    if (texts != m_samples) {
        m_sample->clear();
        m_sample->addItems(texts);
        m_samples = texts;
    }
    m_sample->setCurrentText(QString::fromStdString(asked));
    m_question.sample = asked;
    const bool several = samples.size() > 1;
    m_sample->setVisible(several);
    qobject_cast<QFormLayout*>(layout())->labelForField(m_sample)->setVisible(several);
}

void AnswerQuestionPanel::setJudged(bool judged, core::OutputKind outputs)
{
    const core::OutputMetric& likeness = core::metricRegistry().likenessOf(outputs);
    m_likenessTitle = QString::fromStdString(likeness.title);
    m_limit->setItemText(m_limit->findData(int(core::QualityLimit::MinimumLikeness)),
                         tr("Mean %1 ≥").arg(m_likenessTitle));
    m_likeness->setAccessibleName(tr("Smallest mean %1").arg(m_likenessTitle));
    m_likeness->setToolTip(widgets::plainTip(
        tr("Mean over the outputs. %1").arg(QString::fromStdString(likeness.about))));
    m_likeness->setVisible(m_question.limit == core::QualityLimit::MinimumLikeness);
    m_likeness->setEnabled(judged);
    m_limit->setEnabled(judged);
    m_limit->setToolTip(widgets::plainTip(
        judged ? tr("Only cells that meet this limit can be the answer. The noise floor is the "
                    "change caused by rounding alone (bf16 again, compiled, fp32); twice that is "
                    "allowed, in the mean and for the worst output.")
               : tr("The weights or inputs of this run are random: there are no quality figures")));
}

void AnswerQuestionPanel::setEnergyKnown(bool known)
{
    const int row = m_objective->findData(int(core::AnswerObjective::Energy));
    auto* rows = qobject_cast<QStandardItemModel*>(m_objective->model());
    rows->item(row)->setEnabled(known);
    m_objective->setItemData(row,
                             known ? tr("Joules per image, token or sample, with what the device "
                                        "takes when idle; at any batch")
                                   : tr("This run recorded no energy: the device has no counter "
                                        "of it, or passes were too short"),
                             Qt::ToolTipRole);
}

void AnswerQuestionPanel::updateBaseline()
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

void AnswerQuestionPanel::chooseBaseline(int index)
{
    const QString chosen = m_baseline->itemData(index).toString();
    m_store.setBaseline(chosen == kSelectedCell ? m_store.selectedCell() : chosen);
}

QString AnswerQuestionPanel::text() const
{
    QStringList parts{m_objective->currentText()};
    if (m_samples.size() > 1)
        parts << m_sample->currentText();
    if (!m_limit->isEnabled())
        return parts.join(QStringLiteral(", "));
    QString limit = m_limit->currentText();
    if (m_question.limit == core::QualityLimit::MinimumLikeness)
        limit += QLatin1Char(' ') + m_likeness->text();
    parts << limit;
    return parts.join(QStringLiteral(", "));
}

QString AnswerQuestionPanel::shortText() const
{
    QString objective;
    switch (m_question.objective) {
    case core::AnswerObjective::Throughput:
        objective = tr("Throughput");
        break;
    case core::AnswerObjective::Latency:
        objective = tr("Latency");
        break;
    case core::AnswerObjective::Memory:
        objective = tr("Memory");
        break;
    case core::AnswerObjective::Energy:
        objective = tr("Energy");
        break;
    }
    if (!m_limit->isEnabled() || m_question.limit == core::QualityLimit::None)
        return objective;
    const QString limit =
        m_question.limit == core::QualityLimit::WithinNoise
            ? m_limit->currentText()
            : tr("%1 ≥ %2").arg(m_likenessTitle, QLocale().toString(m_question.minimumLikeness));
    return QStringLiteral("%1, %2").arg(objective, limit);
}

QString AnswerQuestionPanel::baselineText() const
{
    return m_baseline->currentText();
}

}  // namespace qs::app

#include "moc_answer_question.cpp"
