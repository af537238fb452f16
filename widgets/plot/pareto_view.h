#pragma once

#include "core/analysis/answer.h"
#include "core/base/result.h"
#include "widgets/models/run_store.h"
#include "widgets/plot/chosen_point.h"
#include "widgets/plot/curve_export.h"
#include "widgets/plot/curve_series.h"

#include <QTimer>
#include <QVariant>
#include <QWidget>

#include <vector>

class QComboBox;
class QLabel;
class QToolButton;

namespace qs::widgets {

class CurvePlot;

// Quality against speed or memory of every cell of the run that is looked at, and of those that are
// laid over it. Shares the selection: a click on a point shows its images.
class ParetoView final : public QWidget
{
    Q_OBJECT

public:
    // `store` must outlive the view.
    explicit ParetoView(RunStore& store, QWidget* parent = nullptr);

    // Its limit is drawn.
    void setQuestion(const core::AnswerQuestion& question);
    // What is seen now, as a light figure.
    [[nodiscard]] core::Result<CurveFigure> paintFigure(CurveExport options) const;
    [[nodiscard]] const CurvePlot& plot() const { return *m_plot; }
    // Asks for the whole window.
    [[nodiscard]] QToolButton& largeButton() const { return *m_large; }

private:
    void build();
    void refreshChoices();
    void fill(QComboBox& box, const std::vector<const core::Metric*>& metrics,
              const QVariant& wanted);
    void refresh();
    // Of any run that is drawn.
    void choosePoint(const QString& pointId);
    void markSelection();
    // With the other runs.
    [[nodiscard]] CurveSet makeSet(const core::Metric& metric, const core::Metric& quality) const;
    void showNote();
    [[nodiscard]] QString toolTipOf(const QString& pointId) const;

    RunStore& m_store;
    core::AnswerQuestion m_question;
    ChosenPoint m_point{m_store};
    QTimer m_refresh;
    QComboBox* m_metric = nullptr;
    QComboBox* m_quality = nullptr;
    // Names of what a person has chosen, kept for runs that have it; of no type before.
    QVariant m_wantedMetric;
    QVariant m_wantedQuality;
    QToolButton* m_large = nullptr;
    CurvePlot* m_plot = nullptr;
    QLabel* m_note = nullptr;
};

}  // namespace qs::widgets
