#include "widgets/plot/axis_ticker.h"

#include <QFontMetrics>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace qs::widgets {

namespace {

constexpr int kMostTicks = 12;

// As many as are wanted at most.
QVector<double> powers(int base, const QCPRange& range, int most)
{
    const double scale = std::log(static_cast<double>(base));
    const int first = static_cast<int>(std::ceil(std::log(range.lower) / scale - 1e-9));
    const int last = static_cast<int>(std::floor(std::log(range.upper) / scale + 1e-9));
    const int step = std::max(1, (last - first + most) / most);
    QVector<double> ticks;
    // Multiples of the step, so that panning does not make the ticks jump to other powers.
    for (int exponent = first; exponent <= last; ++exponent) {
        if (exponent % step == 0)
            ticks << std::pow(base, exponent);
    }
    return ticks;
}

QVector<double> oneTwoFive(const QCPRange& range)
{
    QVector<double> ticks;
    const int first = static_cast<int>(std::floor(std::log10(range.lower)));
    const int last = static_cast<int>(std::ceil(std::log10(range.upper)));
    for (int exponent = first; exponent <= last; ++exponent) {
        for (const double digit : {1.0, 2.0, 5.0}) {
            const double tick = digit * std::pow(10.0, exponent);
            if (range.contains(tick))
                ticks << tick;
        }
    }
    return ticks;
}

}  // namespace

QVector<double> AxisTicker::createTickVector(double tickStep, const QCPRange& range)
{
    QVector<double> ticks = ticksIn(tickStep, range);
    // A tick at the limit itself may be a rounding beyond it.
    const double slack = 1e-9 * range.size();
    ticks.erase(std::remove_if(ticks.begin(), ticks.end(),
                               [&](double tick) {
                                   return tick < m_limits.first - slack ||
                                          tick > m_limits.second + slack;
                               }),
                ticks.end());
    return ticks;
}

QVector<double> AxisTicker::ticksIn(double tickStep, const QCPRange& range)
{
    if (isLinear(range))
        return stepsWithRoom(tickStep, range);
    QVector<double> ticks = powersWithRoom(range);
    if (m_logBase == 10 && ticks.size() < 4) {
        const QVector<double> finer = oneTwoFive(range);
        if (haveRoom(finer, range))
            ticks = finer;
    }
    return ticks.size() < 2 ? stepsWithRoom(tickStep, range) : ticks;
}

bool AxisTicker::isLinear(const QCPRange& range) const
{
    return m_logBase == 0 || range.lower <= 0.0;
}

bool AxisTicker::haveRoom(const QVector<double>& ticks, const QCPRange& range)
{
    if (m_room == 0)
        return true;
    const QFontMetrics metrics(m_font);
    const auto share = [&](double from, double to) {
        return isLinear(range) ? (to - from) / range.size()
                               : std::log(to / from) / std::log(range.upper / range.lower);
    };
    const auto width = [&](double tick) {
        return metrics.horizontalAdvance(getTickLabel(tick, QLocale(), QLatin1Char('g'), 6));
    };
    for (qsizetype i = 1; i < ticks.size(); ++i) {
        if (!range.contains(ticks[i]) || !range.contains(ticks[i - 1]))
            continue;
        const double apart = m_room * share(ticks[i - 1], ticks[i]);
        if (apart < (width(ticks[i]) + width(ticks[i - 1])) / 2.0 + metrics.averageCharWidth())
            return false;
    }
    return true;
}

QVector<double> AxisTicker::powersWithRoom(const QCPRange& range)
{
    QVector<double> ticks = powers(m_logBase, range, kMostTicks);
    for (int most = kMostTicks; most > 2 && ticks.size() > 2 && !haveRoom(ticks, range); --most)
        ticks = powers(m_logBase, range, most);
    return ticks;
}

QVector<double> AxisTicker::stepsWithRoom(double tickStep, const QCPRange& range)
{
    QVector<double> ticks = QCPAxisTicker::createTickVector(tickStep, range);
    const int wanted = tickCount();
    for (int count = wanted - 1; count >= 1 && !haveRoom(ticks, range); --count) {
        setTickCount(count);
        ticks = QCPAxisTicker::createTickVector(getTickStep(range), range);
    }
    setTickCount(wanted);
    return ticks;
}

int AxisTicker::getSubTickCount(double tickStep)
{
    return m_logBase == 0 ? QCPAxisTicker::getSubTickCount(tickStep) : 0;
}

QString AxisTicker::getTickLabel(double tick, const QLocale& locale, QChar, int)
{
    // Everyday magnitudes in full; six digits are more than neighbouring ticks ever differ by.
    constexpr int kDigits = 6;
    const double size = std::abs(tick);
    if (size >= 1e5 && size < 1e10)
        return locale.toString(tick, 'f', 0);
    return locale.toString(tick, 'g', kDigits);
}

}  // namespace qs::widgets
