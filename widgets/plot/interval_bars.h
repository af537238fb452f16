#pragma once

#include "widgets/plot/qcustomplot.h"

namespace qs::widgets {

// Intervals around values. One that goes on beyond the axes has an arrow there.
class IntervalBars final : public QCPErrorBars
{
public:
    using QCPErrorBars::QCPErrorBars;

    // Where the arrows are, in pixels of the plot: the tip of each, upwards and downwards.
    [[nodiscard]] QVector<QPointF> cutAbove() const { return cutAt(true); }
    [[nodiscard]] QVector<QPointF> cutBelow() const { return cutAt(false); }

protected:
    void draw(QCPPainter* painter) override;

private:
    [[nodiscard]] QVector<QPointF> cutAt(bool above) const;
};

}  // namespace qs::widgets
