#pragma once

#include "core/run/run_observer.h"
#include "core/sweep/plan.h"
#include "widgets/models/run_store.h"

#include <QString>
#include <QWidget>

class QPainter;

namespace qs::app {

// What the running sweep does at this moment, over the table: the cell, its phase among those of a
// cell, the passes that are being timed, or what its earlier repeats and the last cells have given.
// Seen only while a run goes on;
// always equally high.
class LiveStrip final : public QWidget
{
    Q_OBJECT

public:
    // `store` must outlive the strip.
    explicit LiveStrip(const widgets::RunStore& store, QWidget* parent = nullptr);

    // `inView`: the store holds the run, and with it earlier repeats.
    void showProgress(const core::RunProgress& progress, const core::PlannedCell* cell,
                      bool inView);

    [[nodiscard]] QString text() const { return m_text; }
    [[nodiscard]] QString samples() const { return m_samples; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    // Of the passes that are being timed; empty before the first.
    [[nodiscard]] QString liveText() const;
    [[nodiscard]] QString samplesText() const;
    void paintSamples(QPainter& painter, const QRect& area) const;
    void paintPhases(QPainter& painter, const QRect& area) const;

    const widgets::RunStore& m_store;
    core::RunProgress m_progress;
    bool m_inView = false;
    QString m_text;
    QString m_samples;
};

}  // namespace qs::app
