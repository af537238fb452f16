#include "widgets/plan/run_buttons.h"

#include "widgets/models/plain_tip.h"
#include "widgets/plan/plan_text.h"

#include <QHBoxLayout>
#include <QLocale>
#include <QPushButton>

namespace qs::widgets {

RunButtons::RunButtons(QWidget* parent)
    : QWidget(parent),
      m_run(new QPushButton(this)),
      m_append(new QPushButton(tr("Add to this run"), this))
{
    m_run->setObjectName(QStringLiteral("runButton"));
    m_append->setObjectName(QStringLiteral("appendButton"));
    m_append->setAccessibleName(tr("Add to the run in view"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_run, 1);
    layout->addWidget(m_append);
    connect(m_run, &QPushButton::clicked, this, &RunButtons::runClicked);
    connect(m_append, &QPushButton::clicked, this, &RunButtons::appendClicked);
    showOffer({});
}

void RunButtons::showOffer(const Offer& offer)
{
    const auto show = [](QPushButton& button, const QString& obstacle, const QString& what) {
        button.setEnabled(obstacle.isEmpty());
        button.setAccessibleDescription(obstacle);
        button.setToolTip(plainTip(obstacle.isEmpty() ? what : obstacle));
    };
    show(*m_run, offer.obstacle,
         offer.queueing ? tr("Start this sweep after the current run (Ctrl+R)")
                        : tr("Start this sweep (Ctrl+R)"));
    // It stays where it is without a run, too: one that comes would move the other.
    show(*m_append,
         offer.obstacle.isEmpty() && !offer.appendable
             ? tr("No run in view that this sweep can be added to")
             : offer.obstacle,
         tr("Measure the cells that the run in view lacks, in additional rounds "
            "together with their baselines (Ctrl+Shift+R)"));
    const int cells = offer.plan == nullptr ? 0 : offer.plan->possibleCells();
    if (cells == 0)
        m_run->setText(offer.queueing ? tr("Queue") : tr("Run"));
    else if (offer.queueing)
        m_run->setText(tr("Queue %1").arg(cellsText(cells)));
    else
        m_run->setText(
            tr("Run %1 · %2")
                .arg(QLocale().toString(cells), aboutText(offer.plan->estimatedSeconds())));
}

}  // namespace qs::widgets

#include "moc_run_buttons.cpp"
