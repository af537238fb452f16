#include "widgets/plot/curve_style.h"

#include "core/lower/compile_mode.h"
#include "core/quant/scheme.h"

#include <QHash>

#include <algorithm>
#include <array>
#include <set>

namespace qs::widgets {

namespace {

struct Tone {
    QRgb onLight;
    QRgb onDark;
};

// The places that the rows of the precisions name (core/quant/schemes); what a run leaves free is
// for pairs of precisions. Found by a search for the largest least distance in Oklab (Ottosson
// 2020) between any two of the first ten, then of each further one to those before, as normal eyes
// and, by the model of Machado, Oliveira and Fernandes (2009), protanopes and deuteranopes see
// them, at a contrast of 3 or more with the background; the search began at the colours of Okabe
// and Ito (2008).
constexpr std::array<Tone, kColours> kTones{{{0xff333333, 0xffe0e0e0},
                                             {0xffba4a2d, 0xfff8555c},
                                             {0xff2b4c95, 0xff2981b9},
                                             {0xff3f7c6f, 0xffa8c892},
                                             {0xffd77e16, 0xffff8f12},
                                             {0xffa25fb7, 0xff989aaf},
                                             {0xff792cd7, 0xff9550fb},
                                             {0xff929678, 0xffffcb26},
                                             {0xff7d3808, 0xffb64632},
                                             {0xff4992ff, 0xff50c8ff},
                                             {0xff0000ff, 0xff6e96fa},
                                             {0xff4600be, 0xffd70087},
                                             {0xff000a69, 0xffffffa5},
                                             {0xff2d0f41, 0xffffffff},
                                             {0xff46505a, 0xffffff00}}};
// In widths of the line. The first five are those that everybody knows; with the marks of the same
// places they are told apart in a legend, where a pattern is seen once or twice.
constexpr int kLines = 10;
QVector<qreal> dashesAt(int place)
{
    static const std::array<QVector<qreal>, kLines> kDashes{{{},
                                                             {4, 2},
                                                             {1, 2},
                                                             {4, 2, 1, 2},
                                                             {4, 2, 1, 2, 1, 2},
                                                             {9, 2.5},
                                                             {1, 4.5},
                                                             {4, 2, 4, 2, 1, 2},
                                                             {2, 1},
                                                             {9, 2.5, 2.5, 2.5}}};
    return kDashes[static_cast<std::size_t>(place % kLines)];
}
constexpr std::array<Marker, kMarks> kMarkers{
    Marker::Circle,       Marker::Square,       Marker::Diamond,  Marker::Triangle,
    Marker::TriangleDown, Marker::TriangleLeft, Marker::Pentagon, Marker::TriangleRight,
    Marker::Cross,        Marker::ThinDiamond};
// Where all kinds of line are taken, the next mode has one of them with another mark.
constexpr int kModes = kLines * (kMarks - 1);

// Gives each text a place: a known one its own, others the next free one after the known ones, then
// one that a known text would have; round again when all are taken.
class Allotment final
{
public:
    Allotment(QHash<QString, int> known, int places, int round)
        : m_known(std::move(known)), m_places(places), m_round(round)
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
        const int known = static_cast<int>(m_known.size());
        // Those of a first round differ most from one another.
        for (const int round : {std::min(m_round, m_places), m_places}) {
            for (int i = 0; i < round; ++i) {
                const int place = (known + i) % round;
                if (!m_taken.contains(place))
                    return place;
            }
        }
        return static_cast<int>(m_given.size()) % m_places;
    }

    QHash<QString, int> m_known;
    QHash<QString, int> m_given;
    QList<int> m_taken;
    int m_places;
    int m_round;  // places that are used before others
};

// The place that each text has by itself; of texts that share one, the first that comes gets it.
template <typename Choice>
QHash<QString, int> tonesOf(const std::vector<Choice>& choices)
{
    QHash<QString, int> tones;
    for (const Choice& choice : choices)
        tones.insert(QString::fromStdString(choice.text()), choice->tone);
    return tones;
}

// The numbers of the colour, line and mark that a curve has.
struct Look {
    int tone = 0;
    int line = 0;
    int mark = 0;
};

// Looks that no two curves have, as far as there are enough of them.
class Looks final
{
public:
    // `lines`: what is seen of a curve has a line. Points that none joins have a mark alone.
    explicit Looks(bool lines) : m_lines(lines ? kLines : 1) {}

    // The first that is free, from the wanted one on; the wanted one where none is.
    CurveTold take(Look& look)
    {
        const Look wanted = look;
        for (int step = 0; step < m_lines * kMarks; ++step) {
            look.mark = (wanted.mark + step) % kMarks;
            look.line = (wanted.line + step / kMarks) % kLines;
            if (m_taken.insert({look.tone, m_lines > 1 ? look.line : 0, look.mark}).second)
                return step == 0 ? CurveTold::ByParts : CurveTold::ByItself;
        }
        look = wanted;
        return CurveTold::NotAtAll;
    }

private:
    int m_lines;
    std::set<std::array<int, 3>> m_taken;
};

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

QPen linePen(const CurveStyle& style, const QColor& color, double width)
{
    QPen pen(color, width * style.width, Qt::SolidLine, Qt::FlatCap);
    if (!style.dashes.isEmpty())
        pen.setDashPattern(style.dashes);
    return pen;
}

Marker markerOfRun(int run)
{
    constexpr std::array<Marker, 3> kOfRuns{Marker::Plus, Marker::Star, Marker::CrossedSquare};
    return kOfRuns[static_cast<std::size_t>(run - 1) % kOfRuns.size()];
}

std::vector<CurveStyle> curveStyles(const CurveSet& set, const PlotTheme& theme)
{
    const auto known = tonesOf(core::offeredSchemes());
    Allotment colors(known, kColours, kColours);
    const auto knownModes = tonesOf(core::offeredCompileModes());
    Allotment modes(knownModes, kModes, kLines);
    // Known ones first: another precision or mode that comes earlier in the plan may not take their
    // place.
    for (const Curve& curve : set.curves) {
        if (known.contains(curve.precision))
            static_cast<void>(colors.of(curve.precision));
        if (knownModes.contains(curve.compile))
            static_cast<void>(modes.of(curve.compile));
    }
    const bool byVariant =
        set.hasLines() && std::any_of(set.curves.begin(), set.curves.end(),
                                      [](const Curve& curve) { return curve.variant > 0; });
    std::vector<CurveStyle> styles;
    QStringList others;
    Looks looks(set.hasLines());
    for (const Curve& curve : set.curves) {
        // Curves over the precision have none of their own: what else differs has the colour then.
        const QString other = curve.compile + QLatin1Char('\n') + curve.rest;
        if (!others.contains(other))
            others << other;
        const int mode = modes.of(curve.compile);
        // Points without a line, as a single batch size has, need another mark as well.
        const int ofMode = mode + mode / kLines;
        Look look{.tone = curve.precision.isEmpty()
                              ? static_cast<int>(others.indexOf(other)) % kColours
                              : colors.of(curve.precision),
                  .line = mode % kLines,
                  .mark = (byVariant ? curve.variant : ofMode + curve.variant) % kMarks};
        const CurveTold told = curve.run > 0 ? CurveTold::ByParts : looks.take(look);
        const Tone& tone = kTones[static_cast<std::size_t>(look.tone)];
        constexpr double kThin = 0.6;
        styles.push_back(
            {QColor(theme.dark ? tone.onDark : tone.onLight), dashesAt(look.line),
             curve.run > 0 ? markerOfRun(curve.run) : kMarkers[static_cast<std::size_t>(look.mark)],
             curve.run > 0 ? kThin : 1.0, told});
    }
    return styles;
}

}  // namespace qs::widgets
