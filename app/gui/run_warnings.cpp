#include "app/gui/run_warnings.h"

#include "core/report/words/warning_text.h"
#include "widgets/layout/drawn_icon.h"
#include "widgets/models/number_text.h"
#include "widgets/models/plain_tip.h"

#include <QFrame>
#include <QLabel>
#include <QLocale>
#include <QVBoxLayout>

namespace qs::app {

RunWarnings::RunWarnings(widgets::RunStore& store, QWidget* parent)
    : QToolButton(parent),
      m_store(store),
      m_panel(new QFrame(this, Qt::Popup)),
      m_text(new QLabel(m_panel))
{
    setObjectName(QStringLiteral("runWarnings"));
    setIcon(widgets::drawnIcon(widgets::DrawnIcon::Warning));
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setFocusPolicy(Qt::StrongFocus);
    QSizePolicy policy = sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    setSizePolicy(policy);
    setText(QStringLiteral("88"));
    setMinimumWidth(sizeHint().width());
    m_panel->setFrameShape(QFrame::StyledPanel);
    m_text->setObjectName(QStringLiteral("runWarningsText"));
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* layout = new QVBoxLayout(m_panel);
    layout->addWidget(m_text);
    connect(this, &QToolButton::clicked, this, &RunWarnings::showAll);
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
    bool noisy = false;
    // A run that was resumed on the same machine says the same again.
    for (const core::RunEvent& event : data.events) {
        const QString text = QString::fromStdString(core::eventText(event));
        if (event.kind != core::EventKind::Warning || texts.contains(text))
            continue;
        texts << text;
        noisy = noisy || core::concernsTimes(event);
        lines << QStringLiteral("%1: %2").arg(QString::fromStdString(event.at), text);
    }
    for (const std::string& warning : core::timeWarnings(m_store.analysis())) {
        texts << QString::fromStdString(warning);
        lines << texts.back();
        noisy = true;
    }
    if (noisy)
        lines << tr("Timings in this run are noisier than necessary: other work may have slowed it "
                    "down. The warning is also in its reports.");
    setText(QLocale().toString(texts.size()));
    setAccessibleName(
        widgets::countedText(static_cast<int>(texts.size()), tr("1 warning"), tr("%1 warnings")));
    m_text->setText(lines.join(QLatin1Char('\n')));
    setToolTip(widgets::wrappedTip(lines.join(QLatin1Char('\n'))));
    setVisible(!texts.isEmpty());
}

void RunWarnings::showAll()
{
    constexpr int kLetters = 80;
    m_text->setFixedWidth(fontMetrics().averageCharWidth() * kLetters);
    m_panel->adjustSize();
    m_panel->move(mapToGlobal(QPoint(width() - m_panel->width(), height())));
    m_panel->show();
}

}  // namespace qs::app

#include "moc_run_warnings.cpp"
