#include "app/gui/runs/example_banner.h"

#include "app/gui/runs/run_summary.h"
#include "widgets/models/plain_tip.h"

#include <QDateTime>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>

namespace qs::app {

ExampleBanner::ExampleBanner(QWidget* parent)
    : QFrame(parent), m_text(new QLabel(this)), m_runHere(new QPushButton(tr("Run here"), this))
{
    setObjectName(QStringLiteral("exampleBanner"));
    setFrameShape(QFrame::StyledPanel);
    m_text->setObjectName(QStringLiteral("exampleText"));
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_runHere->setObjectName(QStringLiteral("runExampleHere"));
    m_runHere->setToolTip(
        tr("Measure this sweep on this computer, as far as its devices support it"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_runHere);
    connect(m_runHere, &QPushButton::clicked, this, &ExampleBanner::runHereRequested);
    hide();
}

void ExampleBanner::showRun(const core::RunData& data, bool example)
{
    setVisible(example);
    if (!example)
        return;
    const QString device = devicesOf(data);
    const QDateTime when =
        data.measurements.empty()
            ? QDateTime()
            : QDateTime::fromString(QString::fromStdString(data.measurements[0].startedAt),
                                    Qt::ISODate);
    const QString date =
        when.isValid() ? QLocale().toString(when.date(), QLocale::LongFormat) : QString();
    m_text->setText(tr("Example: “%1” was measured on another computer (%2, %3). These numbers do "
                       "not apply to your machine.")
                        .arg(QString::fromStdString(data.plan.preset.name),
                             device.isEmpty() ? tr("unknown device") : device,
                             date.isEmpty() ? tr("unknown date") : date));
}

void ExampleBanner::setBlocked(const QString& reason)
{
    m_runHere->setEnabled(reason.isEmpty());
    m_runHere->setToolTip(widgets::plainTip(
        reason.isEmpty()
            ? tr("Measure this sweep on this computer, as far as its devices support it")
            : reason));
}

}  // namespace qs::app
