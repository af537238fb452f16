#pragma once

#include "core/analysis/cell_label.h"
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

    // The run that goes on, and what tells its cells apart.
    void setRun(const QString& name, const core::CellLabels& labels);
    // `other`: the run that is in view instead; empty: the store holds this one, and with it
    // earlier repeats.
    void showProgress(const core::RunProgress& progress, const core::PlannedCell* cell,
                      const QString& other);

    [[nodiscard]] QString text() const { return m_text; }
    [[nodiscard]] QString samples() const { return m_samples; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] QString nameOf(const core::PlannedCell& cell) const;
    // Of the passes that are being timed; empty before the first.
    [[nodiscard]] QString liveText() const;
    [[nodiscard]] QString samplesText() const;
    void paintSamples(QPainter& painter, const QRect& area) const;
    void paintPhases(QPainter& painter, const QRect& area) const;

    const widgets::RunStore& m_store;
    core::RunProgress m_progress;
    QString m_name;
    core::CellLabels m_labels;
    QString m_other;
    QString m_text;
    QString m_samples;
};

}  // namespace qs::app
