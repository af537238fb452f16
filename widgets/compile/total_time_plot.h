#pragma once

#include "widgets/compile/total_time.h"
#include "widgets/plot/curve_style.h"

#include <QWidget>

class QCPGraph;
class QCustomPlot;

namespace qs::widgets {

// Total time over the number of passes, both logarithmic: a line for each mode, from its begin on,
// a mark where it crosses its baseline, and a band along the baseline for the interval of that. A
// click on a line selects its cell.
class TotalTimePlot final : public QWidget
{
    Q_OBJECT

public:
    explicit TotalTimePlot(QWidget* parent = nullptr);

    void setTimes(TotalTimes times);
    void setSelectedCell(const QString& cellId);
    [[nodiscard]] const TotalTimes& times() const { return m_times; }
    // Where a line is after so many passes, in this widget.
    [[nodiscard]] QPointF positionOf(const TotalTimeLine& line, double passes) const;
    [[nodiscard]] int crossings() const { return m_crossings; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void cellClicked(const QString& cellId);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void rebuild();
    void styleAxes();
    [[nodiscard]] int roomAcross() const;
    void addNames(const std::vector<CurveStyle>& styles);
    void drawLine(const TotalTimeLine& line, const CurveStyle& style);
    void drawCrossing(const TotalTimeLine& line, const TotalTimeLine& baseline,
                      const QColor& colour);
    [[nodiscard]] const TotalTimeLine* lineAt(const QPointF& position) const;
    [[nodiscard]] QString textAt(const QPointF& position) const;

    TotalTimes m_times;
    QString m_selected;
    PlotTheme m_theme;
    QCustomPlot* m_plot = nullptr;  // child
    int m_crossings = 0;
};

}  // namespace qs::widgets
