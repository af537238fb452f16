#include "app/gui/start_report.h"

#include "app/gui/main_window.h"

#include <QAbstractEventDispatcher>
#include <QCoreApplication>
#include <QEvent>

#include <cstdio>

namespace qs::app {

StartReport::StartReport(MainWindow& window, QObject* parent) : QObject(parent), m_window(window)
{
    window.installEventFilter(this);
    connect(QAbstractEventDispatcher::instance(), &QAbstractEventDispatcher::aboutToBlock, this,
            &StartReport::idle);
}

bool StartReport::eventFilter(QObject* watched, QEvent* event)
{
    m_painted = m_painted || event->type() == QEvent::Paint;
    return QObject::eventFilter(watched, event);
}

void StartReport::idle()
{
    if (!m_painted)
        return;
    if (!m_usable) {
        m_usable = true;
        std::puts("usable");
        std::fflush(stdout);
    }
    if (m_window.store().isEmpty())
        return;
    std::puts("filled");
    std::fflush(stdout);
    disconnect(QAbstractEventDispatcher::instance(), nullptr, this, nullptr);
    QCoreApplication::quit();
}

}  // namespace qs::app

#include "moc_start_report.cpp"
