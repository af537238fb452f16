#include "app/gui/answer_bar.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace qs::app {

AnswerBar::AnswerBar(widgets::RunStore& store, QualityLimit limit, QWidget* parent)
    : QFrame(parent), m_store(store), m_limit(limit)
{
    setObjectName(QStringLiteral("answerBar"));
    setFrameShape(QFrame::StyledPanel);
    build();
    connect(&m_store, &widgets::RunStore::analysisChanged, this, &AnswerBar::update);
    update();
}

void AnswerBar::build()
{
    m_headline = new QLabel(this);
    m_headline->setObjectName(QStringLiteral("answerHeadline"));
    m_headline->setTextFormat(Qt::PlainText);
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

    m_limitBox = new QComboBox(this);
    m_limitBox->setObjectName(QStringLiteral("qualityLimit"));
    m_limitBox->setAccessibleName(tr("Quality limit"));
    m_limitBox->addItem(tr("Any quality"), int(QualityLimit::None));
    m_limitBox->addItem(tr("At most 2× noise floor"), int(QualityLimit::WithinNoise));
    m_limitBox->addItem(tr("Mean SSIM at least 0.99"), int(QualityLimit::Ssim99));
    m_limitBox->setCurrentIndex(m_limitBox->findData(int(m_limit)));
    m_show = new QPushButton(tr("Show"), this);
    m_show->setObjectName(QStringLiteral("showAnswer"));
    m_show->setToolTip(tr("Select this cell in every view, beside what it is compared with"));

    auto* texts = new QVBoxLayout;
    texts->setSpacing(2);
    texts->addWidget(m_headline);
    texts->addWidget(m_detail);
    auto* layout = new QHBoxLayout(this);
    layout->addLayout(texts, 1);
    layout->addWidget(m_limitBox);
    layout->addWidget(m_show);
    connect(m_show, &QPushButton::clicked, this, &AnswerBar::selectAnswer);
    connect(m_limitBox, &QComboBox::activated, this, [this](int index) {
        m_limit = static_cast<QualityLimit>(m_limitBox->itemData(index).toInt());
        Q_EMIT limitChosen(m_limit);
        update();
    });
}

void AnswerBar::setRunning(bool running)
{
    m_running = running;
    update();
}

void AnswerBar::update()
{
    if (m_store.isEmpty()) {
        m_answer = {};
        m_headline->setText(tr("No run yet"));
        m_detail->setText(m_running ? tr("The run is being prepared…")
                                    : tr("Press Run to measure the sweep on the left, or open a "
                                         "run folder. Presets, run "
                                         "folders, models and pictures can be dropped here."));
    } else {
        m_answer =
            findAnswer(m_store.data(), m_store.analysis(), m_store.baseline(), m_limit, m_running);
        QString headline = m_answer.headline;
        if (!m_answer.cellId.isEmpty())
            headline = tr("Fastest: %1").arg(headline);
        if (!m_answer.progress.isEmpty())
            headline += tr(" (%1)").arg(m_answer.progress);
        m_headline->setText(headline);
        m_detail->setText(m_answer.detail);
    }
    m_detail->setVisible(!m_detail->text().isEmpty());
    m_headline->setToolTip(m_answer.explanation);
    m_detail->setToolTip(m_answer.explanation);
    m_show->setEnabled(!m_answer.cellId.isEmpty());
    m_limitBox->setEnabled(m_store.isEmpty() || m_answer.trained);
    m_limitBox->setToolTip(m_limitBox->isEnabled()
                               ? tr("Only cells that keep this limit can be the answer")
                               : tr("The weights of this run are not trained: its pictures say "
                                    "nothing about quality"));
}

void AnswerBar::selectAnswer()
{
    if (m_answer.cellId.isEmpty())
        return;
    const core::CellSummary* summary = m_store.analysis().find(m_answer.cellId.toStdString());
    if (summary != nullptr && summary->worstPicture)
        m_store.selectPicture(*summary->worstPicture);
    m_store.compareWith(m_answer.otherId);
    m_store.selectCell(m_answer.cellId);
}

}  // namespace qs::app
