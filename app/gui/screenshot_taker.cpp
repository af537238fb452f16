#include "app/gui/screenshot_taker.h"

#include "app/gui/main_window.h"

#include <QAction>
#include <QPixmap>

#include <utility>

namespace qs::app {

namespace {

constexpr int kLookIntervalMs = 100;
// Views redraw on timers of their own after the last news.
constexpr int kQuietLooksNeeded = 5;

}  // namespace

ScreenshotTaker::ScreenshotTaker(MainWindow& window, ScreenshotWish wish, QObject* parent)
    : QObject(parent), m_window(window), m_wish(std::move(wish))
{
    m_timer.setInterval(kLookIntervalMs);
    connect(&m_timer, &QTimer::timeout, this, &ScreenshotTaker::look);
    m_timer.start();
}

bool ScreenshotTaker::isTime() const
{
    const std::size_t measured = m_window.store().data().measurements.size();
    return m_window.isSettled() ||
           (m_wish.rows > 0 && measured >= static_cast<std::size_t>(m_wish.rows));
}

void ScreenshotTaker::look()
{
    m_quietLooks = isTime() ? m_quietLooks + 1 : 0;
    if (m_quietLooks < kQuietLooksNeeded)
        return;
    if (!m_wish.action.isEmpty()) {
        triggerAction();
        return;
    }
    m_timer.stop();
    QWidget* shown = m_wish.part.isEmpty() ? &m_window : m_window.findChild<QWidget*>(m_wish.part);
    const bool saved = shown != nullptr && shown->grab().save(m_wish.file);
    Q_EMIT taken(saved);
}

void ScreenshotTaker::triggerAction()
{
    auto* action = m_window.findChild<QAction*>(std::exchange(m_wish.action, {}));
    if (action == nullptr) {
        m_timer.stop();
        Q_EMIT taken(false);
        return;
    }
    m_quietLooks = 0;  // what it opens has to become quiet, too
    action->trigger();
}

}  // namespace qs::app

#include "moc_screenshot_taker.cpp"
