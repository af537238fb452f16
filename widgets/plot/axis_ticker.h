#pragma once

#include "widgets/plot/qcustomplot.h"

#include <QFont>

#include <limits>
#include <utility>

namespace qs::widgets {

// Ticks of a number axis. On a logarithmic axis they stand at powers of the base (2 for batch
// sizes, 10 with 2 and 5 between them for the rest); a range with fewer than two of those falls
// back to even steps, where QCustomPlot's own logarithmic ticker would leave the axis bare.
class AxisTicker final : public QCPAxisTicker
{
public:
    // `logBase` 0 for a linear axis.
    explicit AxisTicker(int logBase) : m_logBase(logBase) {}

    // No tick stands beyond them.
    void setLimits(double lower, double upper) { m_limits = {lower, upper}; }
    // Labels stand beside each other within so many pixels: where they would run into one another,
    // there are fewer. Without it they are thought to have room, as on a vertical axis.
    void setRoom(const QFont& font, int pixels)
    {
        m_font = font;
        m_room = pixels;
    }

protected:
    QVector<double> createTickVector(double tickStep, const QCPRange& range) override;
    int getSubTickCount(double tickStep) override;
    QString getTickLabel(double tick, const QLocale& locale, QChar formatChar,
                         int precision) override;

private:
    [[nodiscard]] QVector<double> ticksIn(double tickStep, const QCPRange& range);
    [[nodiscard]] bool haveRoom(const QVector<double>& ticks, const QCPRange& range);
    [[nodiscard]] QVector<double> powersWithRoom(const QCPRange& range);
    [[nodiscard]] QVector<double> stepsWithRoom(double tickStep, const QCPRange& range);
    [[nodiscard]] bool isLinear(const QCPRange& range) const;

    int m_logBase;
    QFont m_font;
    int m_room = 0;  // pixels of the axis; 0: enough
    std::pair<double, double> m_limits{-std::numeric_limits<double>::infinity(),
                                       std::numeric_limits<double>::infinity()};
};

}  // namespace qs::widgets
