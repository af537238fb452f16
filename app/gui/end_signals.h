#pragma once

#include "core/base/files.h"

#include <QObject>

class QSocketNotifier;

namespace qs::app {

// SIGINT, SIGTERM and SIGHUP end the program in good order: a run is stopped and can be resumed,
// and nothing temporary stays.
class EndSignals final : public QObject
{
    Q_OBJECT

public:
    // To be called before the application is made: its threads inherit that these signals wait for
    // somebody who reads them.
    static void hold();

    explicit EndSignals(QObject* parent = nullptr);

Q_SIGNALS:
    void endRequested(int signal);

private:
    void read();

    core::FileDescriptor m_signals;
    QSocketNotifier* m_notifier = nullptr;
};

}  // namespace qs::app
