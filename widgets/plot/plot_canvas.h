#pragma once

#include "widgets/plot/qcustomplot.h"

#include <utility>

namespace qs::widgets {

// A QCustomPlot that paints when whoever holds it has drawn what fits: by itself it paints the old
// content at once when it gets another size, and what nobody sees.
class PlotCanvas final : public QCustomPlot
{
public:
    using QCustomPlot::QCustomPlot;

    // Once for all that happens until the events that wait have been handled.
    void replotSoon()
    {
        if (std::exchange(m_soon, true))
            return;
        const auto replotNow = [this] {
            m_soon = false;
            if (isVisible())
                replot(rpQueuedRefresh);
        };
        QMetaObject::invokeMethod(this, replotNow, Qt::QueuedConnection);
    }

protected:
    void resizeEvent(QResizeEvent*) override { setViewport(rect()); }

private:
    bool m_soon = false;
};

}  // namespace qs::widgets
