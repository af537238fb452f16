#pragma once

#include "core/analysis/answer.h"
#include "core/base/result.h"
#include "core/record/reference_results.h"
#include "widgets/models/run_store.h"
#include "widgets/plot/chosen_point.h"
#include "widgets/plot/curve_export.h"
#include "widgets/plot/curve_series.h"

#include <QTimer>
#include <QWidget>

#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QMenu;
class QToolButton;

namespace qs::widgets {

class CurvePlot;

// The curves of the run that is looked at, with the choice of what stands on the axes. Follows a
// running sweep and the shared selection.
class CurveView final : public QWidget
{
    Q_OBJECT

public:
    // `store` must outlive the view.
    explicit CurveView(RunStore& store, QWidget* parent = nullptr);

    // By its name; nothing happens if the run has no such metric.
    void setMetric(const QString& metric);
    void setAxis(const QString& axis);
    // Its limit is drawn where the metric is the one that it limits.
    void setQuestion(const core::AnswerQuestion& question);
    [[nodiscard]] QString axis() const;
    // What other programs measured of the run in view: points with marks of their own.
    void setReferences(std::vector<core::RunReference> references);
    void toggleLogarithmicY();
    // A sweep is going on: decides what an empty view says.
    void setRunning(bool running);
    // All that the store has analysed.
    [[nodiscard]] bool isDrawn() const;

    // What is seen now, as a light figure; the range of `options` is that of the view.
    [[nodiscard]] core::Result<CurveFigure> paintFigure(CurveExport options) const;
    [[nodiscard]] const CurvePlot& plot() const { return *m_plot; }
    // Asks for the whole window.
    [[nodiscard]] QToolButton& largeButton() const { return *m_large; }

private:
    [[nodiscard]] const core::Metric& shownMetric() const;
    void buildControls();
    void buildSwitches();
    void layOut();
    void connectControls();
    void replaceRun();
    void scheduleRefresh();
    void refresh();
    void refreshAxes();
    void refreshMetrics();
    void refreshCurveMenu();
    // Of any run that is drawn.
    void choosePoint(const QString& pointId);
    void markSelection();
    [[nodiscard]] QString toolTipOf(const QString& pointId) const;
    // What is not drawn or named, and why.
    void showNote();
    [[nodiscard]] QString emptyText() const;
    [[nodiscard]] QString offScaleNote() const;

    RunStore& m_store;
    core::AnswerQuestion m_question{.limit = core::QualityLimit::None};
    std::vector<core::RunReference> m_references;
    QTimer m_refresh;     // a running sweep repaints at most 30 times a second
    quint64 m_drawn = 0;  // revision of the store
    bool m_running = false;
    QComboBox* m_metric = nullptr;
    ChosenPoint m_point{m_store};
    QString m_chosenMetric;  // by hand or by setMetric(); empty: the first there is
    QString m_chosenAxis;    // by hand or by setAxis(); empty: that of firstAxis()
    QComboBox* m_axis = nullptr;
    QCheckBox* m_logarithmicX = nullptr;
    QCheckBox* m_logarithmicY = nullptr;
    QCheckBox* m_roof = nullptr;
    QToolButton* m_reset = nullptr;
    QToolButton* m_curvesButton = nullptr;
    QMenu* m_curvesMenu = nullptr;
    QToolButton* m_large = nullptr;
    CurvePlot* m_plot = nullptr;
    QLabel* m_note = nullptr;
};

}  // namespace qs::widgets
