#pragma once

#include "core/run/run_observer.h"

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QProgressBar;
class QToolButton;

namespace qs::app {

// What the run does at this moment, along the bottom of the window.
class StatusStrip final : public QWidget
{
    Q_OBJECT

public:
    explicit StatusStrip(QWidget* parent = nullptr);

    // Nothing runs: a sentence about the last run, or the engine.
    void showIdle(const QString& text);
    void showProgress(const core::RunProgress& progress, const QString& cellTitle, bool stopping,
                      bool pausing);
    // Stands there instead of the text while it is visible.
    void addOffer(QWidget* offer);
    // Left of the log's button.
    void addPart(QWidget* part);
    // Toggles the log.
    [[nodiscard]] QToolButton* logButton() const { return m_log; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    // As high as the highest of its parts, seen or not: what stands above may not move.
    void fixHeight();

    QLabel* m_text;
    QProgressBar* m_bar;
    QLabel* m_remaining;
    QToolButton* m_log;
    QHBoxLayout* m_layout = nullptr;
};

}  // namespace qs::app
