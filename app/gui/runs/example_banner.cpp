#include "app/gui/runs/example_banner.h"

#include "app/gui/runs/run_summary.h"
#include "widgets/layout/elided_paragraph.h"
#include "widgets/models/plain_tip.h"

#include <QDateTime>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>

namespace qs::app {

ExampleBanner::ExampleBanner(QWidget* parent)
    : QFrame(parent),
      m_text(new widgets::ElidedParagraph(1, this)),
      m_runHere(new QPushButton(tr("Run here"), this))
{
    setObjectName(QStringLiteral("exampleBanner"));
    setFrameShape(QFrame::StyledPanel);
    m_text->setObjectName(QStringLiteral("exampleText"));
    m_runHere->setObjectName(QStringLiteral("runExampleHere"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->addWidget(m_text, 1, Qt::AlignVCenter);
    layout->addWidget(m_runHere);
    connect(m_runHere, &QPushButton::clicked, this, &ExampleBanner::runHereRequested);
    setOffer(tr("Run here"), tr("Counting cells…"));
    setFixedHeight(sizeHint().height());
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
    m_text->setText(tr("Example: “%1”, measured on %2, %3. Your hardware will give other "
                       "numbers.")
                        .arg(QString::fromStdString(data.plan.preset.name),
                             device.isEmpty() ? tr("another computer") : device,
                             date.isEmpty() ? tr("unknown date") : date));
    m_text->setToolTip(widgets::plainTip(m_text->text()));
}

void ExampleBanner::setOffer(const QString& text, const QString& obstacle)
{
    m_runHere->setText(text);
    m_runHere->setEnabled(obstacle.isEmpty());
    m_runHere->setToolTip(widgets::plainTip(
        obstacle.isEmpty() ? tr("Measure this sweep on this computer, as far as its devices "
                                "support it; the draft stays as it is")
                           : obstacle));
}

}  // namespace qs::app

#include "moc_example_banner.cpp"
