#include "app/gui/run_warnings.h"

#include "core/report/words/warning_text.h"
#include "widgets/layout/elided_paragraph.h"
#include "widgets/models/plain_tip.h"

#include <QHBoxLayout>
#include <QStyle>

namespace qs::app {

RunWarnings::RunWarnings(widgets::RunStore& store, QWidget* parent)
    : QWidget(parent), m_store(store), m_text(new widgets::ElidedParagraph(2, this))
{
    setObjectName(QStringLiteral("runWarnings"));
    m_text->setObjectName(QStringLiteral("runWarningsText"));
    auto* icon = new QLabel(this);
    const int iconSize = style()->pixelMetric(QStyle::PM_SmallIconSize, nullptr, this);
    icon->setPixmap(style()->standardIcon(QStyle::SP_MessageBoxWarning).pixmap(iconSize));
    icon->setAccessibleName(tr("Warning"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(icon, 0, Qt::AlignTop);
    layout->addWidget(m_text, 1);
    connect(&m_store, &widgets::RunStore::analysisChanged, this, &RunWarnings::update,
            Qt::QueuedConnection);
    update();
}

void RunWarnings::update()
{
    const core::RunData& data = m_store.data();
    QStringList texts;
    for (const std::string& missing : core::leftOutTexts(data.leftOut))
        texts << QString::fromStdString(missing);
    QStringList lines = texts;
    if (data.leftOut.isLoss())
        lines << tr("The command \"quantscope-cli repair\" makes a copy of the run without the "
                    "unreadable records, which can be resumed.");
    const qsizetype missing = texts.size();
    // A run that was resumed on the same machine says the same again.
    for (const core::RunEvent& event : data.events) {
        const QString text = QString::fromStdString(core::eventText(event));
        if (event.kind != core::EventKind::Warning || texts.contains(text))
            continue;
        texts << text;
        lines << QStringLiteral("%1: %2").arg(QString::fromStdString(event.at), text);
    }
    for (const std::string& warning : core::timeWarnings(m_store.analysis())) {
        texts << QString::fromStdString(warning);
        lines << texts.back();
    }
    const QString text = texts.join(QStringLiteral(" · "));
    m_text->setText(text);
    if (texts.size() > missing)
        lines << tr("Timings in this run are noisier than necessary: other work may have slowed it "
                    "down. The warning is also in its reports.");
    m_text->setToolTip(widgets::wrappedTip(lines.join(QLatin1Char('\n'))));
    setVisible(!texts.isEmpty());
}

}  // namespace qs::app
