#include "widgets/plot/interval_bars.h"

namespace qs::widgets {

QVector<QPointF> IntervalBars::cutAt(bool above) const
{
    QVector<QPointF> tips;
    const QCPAxis* const x = keyAxis();
    const QCPAxis* const y = valueAxis();
    if (dataPlottable() == nullptr || x == nullptr || y == nullptr)
        return tips;
    const QCPPlottableInterface1D& values = *dataPlottable()->interface1D();
    const QCPRange range = y->range();
    for (int i = 0; i < data()->size() && i < values.dataCount(); ++i) {
        const double value = values.dataMainValue(i);
        const QCPErrorBarsData& bar = data()->at(i);
        // Comparing is false for a bar that has no such end.
        const bool cut =
            above ? value + bar.errorPlus > range.upper : value - bar.errorMinus < range.lower;
        if (cut && range.contains(value) && x->range().contains(values.dataMainKey(i)))
            tips << QPointF(x->coordToPixel(values.dataMainKey(i)),
                            y->coordToPixel(above ? range.upper : range.lower));
    }
    return tips;
}

void IntervalBars::draw(QCPPainter* painter)
{
    QCPErrorBars::draw(painter);
    applyDefaultAntialiasingHint(painter);
    painter->setPen(pen());
    const double half = whiskerWidth() * 0.5;
    const auto arrow = [&](const QPointF& tip, double way) {
        painter->drawLine(QLineF(tip, tip + QPointF(-half, way * half)));
        painter->drawLine(QLineF(tip, tip + QPointF(half, way * half)));
    };
    for (const QPointF& tip : cutAbove())
        arrow(tip, 1.0);
    for (const QPointF& tip : cutBelow())
        arrow(tip, -1.0);
}

}  // namespace qs::widgets
