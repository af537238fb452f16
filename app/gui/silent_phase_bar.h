#pragma once

#include "core/run/run_observer.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

class QLabel;
class QPushButton;

namespace qs::app {

// Appears when a phase of a cell gives no sign of progress for a while, and offers what one can do:
// wait, skip the cell, or skip its compile mode. The worker's own time limits hold in any case.
class SilentPhaseBar final : public QWidget
{
    Q_OBJECT

public:
    explicit SilentPhaseBar(QWidget* parent = nullptr);

    // Newest news of the running cell; `compile` is its compile mode.
    void showProgress(const core::RunProgress& progress, const QString& compile);
    // Nothing runs.
    void clear();
    // Tests do not wait for as long as users do.
    void setPatience(int milliseconds) { m_patience = milliseconds; }

Q_SIGNALS:
    void skipCellRequested();
    void skipCompileModeRequested();

private:
    void look();
    void wait();

    static constexpr int kPatienceMs = 20'000;
    static constexpr int kLookMs = 500;

    core::RunProgress m_progress;
    QString m_compile;
    QElapsedTimer m_silent;  // since the last sign of progress, or since the user chose to wait
    QTimer m_look;
    int m_patience = kPatienceMs;
    QLabel* m_text = nullptr;
    QPushButton* m_skipMode = nullptr;
};

}  // namespace qs::app
