#include "widgets/plot/curve_style.h"

#include <QHash>

#include <array>

namespace qs::widgets {

namespace {

struct Tone {
    QRgb onLight;
    QRgb onDark;
};

// Neutral, vermilion, blue, bluish green, orange, reddish purple, sky blue, yellow.
constexpr std::array<Tone, 8> kTones{{{0xff333333, 0xffe0e0e0},
                                      {0xffd55e00, 0xffef7a2a},
                                      {0xff0072b2, 0xff4aa3e0},
                                      {0xff009e73, 0xff2dc79a},
                                      {0xffc88500, 0xffe69f00},
                                      {0xffb3608f, 0xffd98fbd},
                                      {0xff3a8fc2, 0xff8cd0f5},
                                      {0xff9a8f00, 0xfff0e442}}};
constexpr std::array<Qt::PenStyle, 5> kLines{Qt::SolidLine, Qt::DashLine, Qt::DotLine,
                                             Qt::DashDotLine, Qt::DashDotDotLine};
constexpr std::array<Marker, 5> kMarkers{Marker::Circle, Marker::Square, Marker::Diamond,
                                         Marker::Triangle, Marker::TriangleDown};

// Gives each text a place: a known one its own if that is free, others the next free one; round
// again when all are taken.
class Allotment final
{
public:
    Allotment(QHash<QString, int> known, int places) : m_known(std::move(known)), m_places(places)
    {
    }

    // First come, first served, so ask in an order that does not change while a run grows.
    int of(const QString& text)
    {
        const auto found = m_given.constFind(text);
        if (found != m_given.constEnd())
            return *found;
        int place = m_known.value(text, -1);
        if (place < 0 || m_taken.contains(place))
            place = nextFree();
        m_taken << place;
        m_given.insert(text, place);
        return place;
    }

private:
    [[nodiscard]] int nextFree() const
    {
        for (int place = 0; place < m_places; ++place) {
            if (!m_taken.contains(place))
                return place;
        }
        return static_cast<int>(m_given.size()) % m_places;
    }

    QHash<QString, int> m_known;
    QHash<QString, int> m_given;
    QList<int> m_taken;
    int m_places;
};

QHash<QString, int> knownPrecisions()
{
    return {{QStringLiteral("bf16"), 0},         {QStringLiteral("int8dq"), 1},
            {QStringLiteral("float8dq-row"), 2}, {QStringLiteral("float8dq-tensor"), 3},
            {QStringLiteral("int8wo"), 4},       {QStringLiteral("float8wo"), 5},
            {QStringLiteral("fp16"), 6},         {QStringLiteral("fp32"), 7}};
}

QHash<QString, int> knownCompileModes()
{
    return {{QStringLiteral("none"), 0},
            {QStringLiteral("cuda-graph"), 1},
            {QStringLiteral("fused"), 2},
            {QStringLiteral("inductor-max-autotune"), 3}};
}

}  // namespace

PlotTheme screenTheme(const QPalette& palette, const QFont& font)
{
    PlotTheme theme;
    theme.background = palette.color(QPalette::Base);
    theme.text = palette.color(QPalette::Text);
    theme.dark = theme.background.lightness() < theme.text.lightness();
    // Between the two, so that axes recede on any palette.
    const auto mixed = [&](double share) {
        const auto channel = [&](int back, int front) {
            return static_cast<int>(back + (front - back) * share);
        };
        return QColor(channel(theme.background.red(), theme.text.red()),
                      channel(theme.background.green(), theme.text.green()),
                      channel(theme.background.blue(), theme.text.blue()));
    };
    theme.axis = mixed(0.6);
    theme.grid = mixed(0.13);
    theme.emphasis = palette.color(QPalette::Highlight);
    theme.font = font;
    return theme;
}

PlotTheme printTheme()
{
    PlotTheme theme;
    theme.background = Qt::white;
    theme.text = Qt::black;
    theme.axis = QColor(0x40, 0x40, 0x40);
    theme.grid = QColor(0xe2, 0xe2, 0xe2);
    theme.emphasis = Qt::black;
    theme.font = QFont(QStringLiteral("DejaVu Sans"));
    // What conferences ask of the smallest type in a figure. In units of the layout, so that the
    // resolution of the screen has no say.
    constexpr int kPoints = 8;
    theme.font.setPixelSize(kPoints * static_cast<int>(kPrintUnitsPerInch) / 72);
    theme.lineWidth = 1.8;
    theme.markerSize = 7.5;
    return theme;
}

std::vector<CurveStyle> curveStyles(const CurveSet& set, const PlotTheme& theme)
{
    Allotment colors(knownPrecisions(), static_cast<int>(kTones.size()));
    Allotment lines(knownCompileModes(), static_cast<int>(kLines.size()));
    // Known ones first: another precision that comes earlier in the plan may not take their place.
    const auto known = knownPrecisions();
    for (const Curve& curve : set.curves) {
        if (known.contains(curve.precision))
            static_cast<void>(colors.of(curve.precision));
    }
    std::vector<CurveStyle> styles;
    for (const Curve& curve : set.curves) {
        const Tone& tone = kTones[static_cast<std::size_t>(colors.of(curve.precision))];
        const auto line = static_cast<std::size_t>(lines.of(curve.compile));
        const auto marker = static_cast<std::size_t>(curve.variant) % kMarkers.size();
        styles.push_back(
            {QColor(theme.dark ? tone.onDark : tone.onLight), kLines[line], kMarkers[marker]});
    }
    return styles;
}

}  // namespace qs::widgets
