#include "app/gui/silent_phase_bar.h"

#include "widgets/layout/elided_paragraph.h"
#include "widgets/models/phase_text.h"
#include "widgets/models/plain_tip.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>

namespace qs::app {

SilentPhaseBar::SilentPhaseBar(QWidget* parent)
    : QWidget(parent), m_text(new widgets::ElidedParagraph(1, this))
{
    setObjectName(QStringLiteral("silentPhaseBar"));
    m_text->setObjectName(QStringLiteral("silentPhaseText"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_text, 1);
    const auto add = [&](const char* name, const QString& text, const QString& toolTip) {
        auto* button = new QPushButton(text, this);
        button->setObjectName(QString::fromLatin1(name));
        button->setToolTip(widgets::plainTip(toolTip));
        layout->addWidget(button);
        return button;
    };
    auto* wait = add("silentWait", tr("Wait"), tr("Keep waiting; ask again later"));
    auto* skip =
        add("silentSkipCell", tr("Skip cell"), tr("End this cell and continue with the next"));
    m_skipMode =
        add("silentSkipMode", {},
            tr("End this cell and skip all cells of its compile mode that are not measured yet"));
    connect(wait, &QPushButton::clicked, this, &SilentPhaseBar::wait);
    connect(skip, &QPushButton::clicked, this, [this] {
        this->wait();
        Q_EMIT skipCellRequested();
    });
    connect(m_skipMode, &QPushButton::clicked, this, [this] {
        this->wait();
        Q_EMIT skipCompileModeRequested();
    });
    m_look.setInterval(kLookMs);
    connect(&m_look, &QTimer::timeout, this, &SilentPhaseBar::look);
    hide();
}

void SilentPhaseBar::showProgress(const core::RunProgress& progress, const QString& compile)
{
    const bool moved = progress.phase != m_progress.phase ||
                       progress.phaseFraction != m_progress.phaseFraction ||
                       progress.cellId != m_progress.cellId;
    m_progress = progress;
    m_compile = compile;
    // Between cells, and while it is paused or the disk is full, there is nothing to skip.
    if (progress.cellId.empty()) {
        clear();
        return;
    }
    if (moved) {
        m_silent.start();
        hide();
    }
    if (!m_look.isActive())
        m_look.start();
}

void SilentPhaseBar::clear()
{
    m_look.stop();
    m_silent.invalidate();
    hide();
}

void SilentPhaseBar::wait()
{
    m_silent.start();
    hide();
}

void SilentPhaseBar::look()
{
    if (!m_silent.isValid() || m_silent.elapsed() < m_patience)
        return;
    m_text->setText(tr("No progress for %1 s while %2.")
                        .arg(QLocale().toString(m_silent.elapsed() / 1000),
                             widgets::phaseActivity(m_progress.phase)));
    m_text->setToolTip(widgets::plainTip(m_text->text()));
    m_skipMode->setText(tr("Skip compile mode %1").arg(m_compile));
    m_skipMode->setVisible(m_compile != QStringLiteral("none") && !m_compile.isEmpty());
    show();
}

}  // namespace qs::app

#include "moc_silent_phase_bar.cpp"
