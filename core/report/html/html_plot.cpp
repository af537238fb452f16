#include "core/report/html/html_plot.h"

#include "core/base/format.h"
#include "core/report/html/html_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace qs::core {

namespace {

constexpr double kWidth = 900.0;
constexpr double kHeight = 420.0;
constexpr double kLeft = 80.0;
constexpr double kRight = 20.0;
constexpr double kTop = 16.0;
constexpr double kBottom = 52.0;
constexpr int kColours = 10;
constexpr int kDashes = 4;

// A coordinate of the drawing; hundredths of a unit are finer than any screen.
std::string place(double value)
{
    return formatExact(std::round(value * 100.0) / 100.0);
}

// One direction of the plot.
class Scale final
{
public:
    Scale(bool logarithmic, bool placesZero, double from, double to)
        : m_logarithmic(logarithmic), m_placesZero(placesZero), m_from(from), m_to(to)
    {
    }

    void include(double value)
    {
        if (!drawable(value))
            return;
        if (isZeroPlace(value)) {
            m_hasZero = true;
            return;
        }
        m_lowest = std::min(m_lowest, value);
        m_highest = std::max(m_highest, value);
    }
    void finish()
    {
        if (m_hasZero)
            makeRoomForZero();
        if (m_logarithmic) {
            m_lowest /= 1.15;
            m_highest *= 1.15;
            return;
        }
        const double span = m_highest - m_lowest;
        const double room = span > 0.0 ? 0.06 * span : std::max(1e-12, std::abs(m_highest) * 0.1);
        m_lowest -= room;
        m_highest += room;
    }
    void startAtZero()
    {
        if (!m_logarithmic && m_lowest > 0.0)
            m_lowest = 0.0;
    }

    [[nodiscard]] bool drawable(double value) const
    {
        return std::isfinite(value) && (!m_logarithmic || value > 0.0 || isZeroPlace(value));
    }
    [[nodiscard]] double at(double value) const
    {
        const double low = transformed(m_lowest);
        const double high = transformed(m_highest);
        const double clamped = std::clamp(transformed(value), low, high);
        return m_from + (clamped - low) / (high - low) * (m_to - m_from);
    }
    [[nodiscard]] std::vector<double> ticks() const
    {
        return m_logarithmic ? logarithmicTicks() : linearTicks();
    }
    [[nodiscard]] bool holds(double value) const
    {
        return value >= std::max(m_lowest, m_leastOfTicks) && value <= m_highest;
    }
    [[nodiscard]] bool hasZero() const { return m_hasZero; }

private:
    [[nodiscard]] bool isZeroPlace(double value) const
    {
        return m_logarithmic && m_placesZero && value == 0.0;
    }
    // An eighth of the axis, at least a factor of two.
    void makeRoomForZero()
    {
        if (m_lowest > m_highest)  // nothing but zeros
            m_lowest = m_highest = 1.0;
        m_leastOfTicks = m_lowest / 1.15;
        m_lowest /= std::max(2.0, std::pow(m_highest / m_lowest, 0.125));
        m_zero = m_lowest;
    }
    [[nodiscard]] double transformed(double value) const
    {
        return m_logarithmic ? std::log(isZeroPlace(value) ? m_zero : value) : value;
    }
    [[nodiscard]] std::vector<double> linearTicks() const
    {
        const double rough = (m_highest - m_lowest) / 6.0;
        const double power = std::pow(10.0, std::floor(std::log10(rough)));
        double step = power;
        for (const double factor : {2.0, 5.0, 10.0}) {
            if (step < rough)
                step = power * factor;
        }
        std::vector<double> ticks;
        for (double k = std::ceil(m_lowest / step); k * step <= m_highest; k += 1.0)
            ticks.push_back(k * step);
        return ticks;
    }
    [[nodiscard]] std::vector<double> logarithmicTicks() const
    {
        const bool wide = m_highest / m_lowest > 2000.0;
        std::vector<double> ticks;
        for (double power = std::pow(10.0, std::floor(std::log10(m_lowest))); power <= m_highest;
             power *= 10.0) {
            for (const double factor : {1.0, 2.0, 5.0}) {
                if ((factor == 1.0 || !wide) && holds(power * factor))
                    ticks.push_back(power * factor);
            }
        }
        return ticks;
    }

    bool m_logarithmic;
    bool m_placesZero;
    bool m_hasZero = false;
    double m_zero = 0.0;  // where zero stands
    double m_leastOfTicks = -std::numeric_limits<double>::infinity();
    double m_from;
    double m_to;
    double m_lowest = std::numeric_limits<double>::infinity();
    double m_highest = -std::numeric_limits<double>::infinity();
};

std::string mark(const PlotSeries& series, double x, double y)
{
    switch (series.dash % kDashes) {
    case 0:
        return "<circle cx=\"" + place(x) + "\" cy=\"" + place(y) + "\" r=\"5\">";
    case 1:
        return "<rect x=\"" + place(x - 4.5) + "\" y=\"" + place(y - 4.5) +
               "\" width=\"9\" height=\"9\">";
    case 2:
        return "<polygon points=\"" + place(x) + "," + place(y - 6.0) + " " + place(x + 6.0) + "," +
               place(y + 5.0) + " " + place(x - 6.0) + "," + place(y + 5.0) + "\">";
    default:
        return "<polygon points=\"" + place(x) + "," + place(y - 6.5) + " " + place(x + 6.5) + "," +
               place(y) + " " + place(x) + "," + place(y + 6.5) + " " + place(x - 6.5) + "," +
               place(y) + "\">";
    }
}

std::string closing(const PlotSeries& series)
{
    constexpr std::array kNames{"circle", "rect", "polygon", "polygon"};
    return std::string("</") + kNames[static_cast<std::size_t>(series.dash % kDashes)] + ">";
}

std::string seriesClass(const PlotSeries& series)
{
    return "s" + std::to_string(series.colour % kColours) + " d" +
           std::to_string(series.dash % kDashes) + (series.foreign ? " other" : "");
}

// Draws one plot. The scales know what they have to show.
class Drawing final
{
public:
    explicit Drawing(const Plot& plot)
        : m_plot(plot),
          m_x(plot.xLog, !plot.xZeroName.empty(), kLeft, kWidth - kRight),
          m_y(plot.yLog, false, kHeight - kBottom, kTop)
    {
        for (const PlotSeries& series : plot.series) {
            for (const PlotPoint& point : series.points) {
                if (!drawable(point))
                    continue;
                m_any = true;
                m_x.include(point.x);
                m_y.include(point.y);
                m_y.include(point.lower.value_or(point.y));
                m_y.include(point.upper.value_or(point.y));
            }
        }
        m_y.startAtZero();
        m_x.finish();
        m_y.finish();
    }

    [[nodiscard]] bool any() const { return m_any; }

    [[nodiscard]] std::string svg() const
    {
        std::string text = "<svg class=\"plot\" id=\"" + m_plot.id + "\" viewBox=\"0 0 " +
                           place(kWidth) + " " + place(kHeight) + "\" role=\"img\" aria-label=\"" +
                           htmlText(m_plot.yTitle + " over " + m_plot.xTitle) + "\">\n";
        text += axes() + limit() + frontier();
        for (std::size_t i = 0; i < m_plot.series.size(); ++i)
            text += drawn(m_plot.series[i], i);
        return text + "</svg>\n";
    }

private:
    [[nodiscard]] bool drawable(const PlotPoint& point) const
    {
        return m_x.drawable(point.x) && m_y.drawable(point.y);
    }

    [[nodiscard]] static std::string line(const char* kind, double x1, double y1, double x2,
                                          double y2)
    {
        return std::string("<line class=\"") + kind + "\" x1=\"" + place(x1) + "\" y1=\"" +
               place(y1) + "\" x2=\"" + place(x2) + "\" y2=\"" + place(y2) + "\"/>\n";
    }

    [[nodiscard]] static std::string words(double x, double y, const char* anchor,
                                           const std::string& text)
    {
        return "<text x=\"" + place(x) + "\" y=\"" + place(y) + "\" text-anchor=\"" + anchor +
               "\">" + htmlText(text) + "</text>\n";
    }

    [[nodiscard]] std::string axes() const
    {
        constexpr int kTickDigits = 6;
        const double bottom = kHeight - kBottom;
        std::string text;
        for (const double tick : m_y.ticks())
            text += line("grid", kLeft, m_y.at(tick), kWidth - kRight, m_y.at(tick)) +
                    words(kLeft - 8.0, m_y.at(tick) + 4.0, "end",
                          tick == 0.0 ? "0" : formatCompact(tick, kTickDigits));
        for (const double tick : m_plot.xTicks.empty() ? m_x.ticks() : m_plot.xTicks)
            text += line("grid", m_x.at(tick), kTop, m_x.at(tick), bottom) +
                    words(m_x.at(tick), bottom + 18.0, "middle",
                          tick == 0.0 ? "0" : formatCompact(tick, kTickDigits));
        if (m_x.hasZero())
            text += line("grid", m_x.at(0.0), kTop, m_x.at(0.0), bottom) +
                    words(m_x.at(0.0), bottom + 18.0, "middle", m_plot.xZeroName);
        text += line("axis", kLeft, bottom, kWidth - kRight, bottom);
        text += words((kLeft + kWidth - kRight) / 2.0, kHeight - 10.0, "middle", m_plot.xTitle);
        const std::string middle = place((kTop + bottom) / 2.0);
        return text + "<text transform=\"rotate(-90 16 " + middle + ")\" x=\"16\" y=\"" + middle +
               "\" text-anchor=\"middle\">" + htmlText(m_plot.yTitle) + "</text>\n";
    }

    // Ticks are round numbers: what arithmetic adds behind them is not shown.
    [[nodiscard]] static std::string formatCompact(double value, int digits)
    {
        std::string text = formatSignificant(value, digits);
        if (text.find('.') != std::string::npos) {
            text.erase(text.find_last_not_of('0') + 1);
            if (text.back() == '.')
                text.pop_back();
        }
        return text;
    }

    [[nodiscard]] std::string limit() const
    {
        if (!m_plot.xLimit || !m_x.drawable(*m_plot.xLimit) || !m_x.holds(*m_plot.xLimit))
            return {};
        const double x = m_x.at(*m_plot.xLimit);
        return line("limit", x, kTop, x, kHeight - kBottom) +
               words(x + 4.0, kTop + 12.0, "start", m_plot.xLimitName);
    }

    [[nodiscard]] std::string pathOf(const std::vector<PlotPoint>& points) const
    {
        std::string path;
        for (const PlotPoint& point : points) {
            if (drawable(point))
                path += (path.empty() ? "M" : " L") + place(m_x.at(point.x)) + " " +
                        place(m_y.at(point.y));
        }
        return path;
    }

    [[nodiscard]] std::string frontier() const
    {
        return m_plot.frontier.size() < 2
                   ? std::string()
                   : "<path class=\"frontier\" d=\"" + pathOf(m_plot.frontier) + "\"/>\n";
    }

    [[nodiscard]] std::string drawn(const PlotSeries& series, std::size_t index) const
    {
        std::string text = "<g class=\"series " + seriesClass(series) + "\" data-series=\"" +
                           std::to_string(index) + "\">\n";
        if (m_plot.joined && series.points.size() > 1)
            text += "<path d=\"" + pathOf(series.points) + "\"/>\n";
        for (const PlotPoint& point : series.points) {
            if (!drawable(point))
                continue;
            const double x = m_x.at(point.x);
            if (point.lower && point.upper && m_y.drawable(*point.lower) &&
                m_y.drawable(*point.upper))
                text += line("bar", x, m_y.at(*point.lower), x, m_y.at(*point.upper));
            text += mark(series, x, m_y.at(point.y)) + "<title>" + htmlText(point.about) +
                    "</title>" + closing(series) + "\n";
        }
        return text + "</g>\n";
    }

    const Plot& m_plot;
    Scale m_x;
    Scale m_y;
    bool m_any = false;
};

std::string legend(const Plot& plot)
{
    std::string text = "<div class=\"legend\">\n";
    for (std::size_t i = 0; i < plot.series.size(); ++i)
        text += "<button type=\"button\" class=\"" + seriesClass(plot.series[i]) +
                "\" aria-pressed=\"true\" data-series=\"" + std::to_string(i) + "\">" +
                htmlText(plot.series[i].name) + "</button>\n";
    return text + "</div>\n";
}

}  // namespace

std::string svgPlot(const Plot& plot)
{
    const Drawing drawing(plot);
    return drawing.any() ? drawing.svg() + legend(plot) : std::string();
}

}  // namespace qs::core
