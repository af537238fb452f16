#include "app/gui/status_strip.h"

#include "widgets/models/phase_text.h"
#include "widgets/models/plain_tip.h"
#include "widgets/plan/plan_text.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QToolButton>

#include <algorithm>

namespace qs::app {

StatusStrip::StatusStrip(QWidget* parent)
    : QWidget(parent),
      m_text(new QLabel(this)),
      m_bar(new QProgressBar(this)),
      m_remaining(new QLabel(this)),
      m_log(new QToolButton(this))
{
    setObjectName(QStringLiteral("statusStrip"));
    m_text->setObjectName(QStringLiteral("statusText"));
    m_text->setTextFormat(Qt::PlainText);
    m_remaining->setTextFormat(Qt::PlainText);
    // Long names of cells give way to the figures.
    m_text->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_bar->setObjectName(QStringLiteral("runProgress"));
    m_bar->setAccessibleName(tr("Progress of the run"));
    m_bar->setMaximumWidth(fontMetrics().averageCharWidth() * 30);
    m_remaining->setObjectName(QStringLiteral("statusRemaining"));
    m_log->setObjectName(QStringLiteral("logToggle"));
    m_log->setText(tr("Log ▸"));
    m_log->setToolTip(tr("Show the log of the worker (Ctrl+L)"));
    m_log->setCheckable(true);
    m_log->setAutoRaise(true);

    connect(m_log, &QToolButton::toggled, m_log,
            [this](bool open) { m_log->setText(open ? tr("Log ▾") : tr("Log ▸")); });
    m_layout = new QHBoxLayout(this);
    m_layout->setContentsMargins(6, 0, 6, 0);
    m_layout->addWidget(m_text, 1);
    m_layout->addWidget(m_bar);
    m_layout->addWidget(m_remaining);
    m_layout->addWidget(m_log);
    fixHeight();
    showIdle({});
}

void StatusStrip::addPart(QWidget* part)
{
    m_layout->insertWidget(m_layout->indexOf(m_log), part);
    fixHeight();
}

void StatusStrip::addOffer(QWidget* offer)
{
    m_layout->insertWidget(0, offer, 1);
    offer->installEventFilter(this);
    fixHeight();
}

bool StatusStrip::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::ShowToParent || event->type() == QEvent::HideToParent)
        m_text->setVisible(event->type() == QEvent::HideToParent);
    return QWidget::eventFilter(watched, event);
}

void StatusStrip::fixHeight()
{
    int height = 0;
    for (int i = 0; i < m_layout->count(); ++i) {
        if (const QWidget* part = m_layout->itemAt(i)->widget())
            height = std::max(height, part->sizeHint().height());
    }
    setFixedHeight(height);
}

void StatusStrip::showIdle(const QString& text)
{
    m_text->setText(text);
    m_text->setToolTip(widgets::plainTip(text));
    m_bar->hide();
    m_remaining->hide();
}

void StatusStrip::showProgress(const core::RunProgress& progress, const QString& cellTitle,
                               bool stopping, bool pausing)
{
    QStringList parts;
    if (!cellTitle.isEmpty())
        parts << cellTitle;
    parts << (progress.steps > 0
                  ? tr("preparing images %1/%2")
                        .arg(QLocale().toString(progress.step), QLocale().toString(progress.steps))
              : progress.cellId.empty() ? widgets::phaseActivity(progress.phase)
                                        : widgets::cellActivity(progress.phase));
    if (stopping)
        parts << tr("stopping");
    else if (pausing && !progress.paused)
        parts << tr("pausing after this cell");
    const QString text = parts.join(QStringLiteral(" · "));
    m_text->setText(text);
    m_text->setToolTip(widgets::plainTip(text));
    m_bar->setRange(0, std::max(1, progress.total));
    m_bar->setValue(progress.done);
    const QLocale locale;
    m_bar->setFormat(
        tr("%1 of %2").arg(locale.toString(progress.done), locale.toString(progress.total)));
    m_bar->show();
    // No clock runs towards it while nothing is measured.
    m_remaining->setText(progress.remainingSeconds > 0.0 && !progress.paused
                             ? tr("%1 left").arg(widgets::aboutText(progress.remainingSeconds))
                             : QString());
    m_remaining->setVisible(!m_remaining->text().isEmpty());
}

}  // namespace qs::app

#include "moc_status_strip.cpp"
