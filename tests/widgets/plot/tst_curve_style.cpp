#include "widgets/plot/curve_style.h"

#include "core/lower/compile_mode.h"
#include "core/quant/scheme.h"
#include "tests/support/gui_test.h"
#include "tests/widgets/support/screens.h"
#include "widgets/plot/legend_entries.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

namespace qs::tst_curve_style {

using namespace widgets;

class CurveStyleTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void precisionHasTheColour();
    void knownColoursStay();
    void manyPrecisionsDoNotRunOut();
    void schemesStayApart_data() { readableOnBothBackgrounds_data(); }
    void schemesStayApart();
    void compileModesStayApartWithoutLines();
    void everyCompileModeHasALine();
    void manyModesStayApart();
    void noTwoCurvesLookAlike_data();
    void noTwoCurvesLookAlike();
    void curvesWithoutALookAreCounted();
    void legendNamesWhatLooksSay();
    void curvesOverThePrecisionHaveColours();
    void readableOnBothBackgrounds_data();
    void readableOnBothBackgrounds();
    void themeFollowsThePalette();

private:
    static Curve curve(const char* precision, const char* compile, int variant = 0)
    {
        Curve made;
        made.precision = QString::fromLatin1(precision);
        made.compile = QString::fromLatin1(compile);
        made.variant = variant;
        made.rest = QString::number(variant);
        return made;
    }
};

namespace {

double luminance(const QColor& color)
{
    const auto linear = [](double channel) {
        return channel <= 0.03928 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) +
           0.0722 * linear(color.blueF());
}

// As WCAG 2 defines it.
double contrast(const QColor& a, const QColor& b)
{
    const double high = std::max(luminance(a), luminance(b));
    const double low = std::min(luminance(a), luminance(b));
    return (high + 0.05) / (low + 0.05);
}

using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;

Vector product(const Matrix& matrix, const Vector& vector)
{
    Vector result{};
    for (std::size_t row = 0; row < 3; ++row) {
        for (std::size_t column = 0; column < 3; ++column)
            result[row] += matrix[row][column] * vector[column];
    }
    return result;
}

// Of linear RGB; Ottosson (2020).
Vector oklab(const Vector& rgb)
{
    Vector cones = product({{{0.4122214708, 0.5363325363, 0.0514459929},
                             {0.2119034982, 0.6806995451, 0.1073969566},
                             {0.0883024619, 0.2817188376, 0.6299787005}}},
                           rgb);
    for (double& cone : cones)
        cone = std::cbrt(std::max(0.0, cone));
    return product({{{0.2104542553, 0.7936177850, -0.0040720468},
                     {1.9779984951, -2.4285922050, 0.4505937099},
                     {0.0259040371, 0.7827717662, -0.8086757660}}},
                   cones);
}

// Normal eyes, protanopes, deuteranopes: linear RGB as they see it; Machado et al. (2009).
constexpr std::array<Matrix, 3> kEyes{{{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                                       {{{0.152286, 1.052583, -0.204868},
                                         {0.114503, 0.786281, 0.099216},
                                         {-0.003882, -0.048116, 1.051998}}},
                                       {{{0.367322, 0.860646, -0.227968},
                                         {0.280085, 0.672501, 0.047413},
                                         {-0.011820, 0.042940, 0.968881}}}}};

double distanceFor(const Matrix& eyes, const QColor& a, const QColor& b)
{
    const auto seen = [&](const QColor& color) {
        const auto linear = [](double channel) {
            return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
        };
        return oklab(
            product(eyes, {linear(color.redF()), linear(color.greenF()), linear(color.blueF())}));
    };
    const Vector first = seen(a);
    const Vector second = seen(b);
    return std::hypot(first[0] - second[0], first[1] - second[1], first[2] - second[2]);
}

}  // namespace

void CurveStyleTest::precisionHasTheColour()
{
    CurveSet set;
    set.curves = {curve("bf16", "none"), curve("bf16", "cuda-graph"), curve("int8dq", "none"),
                  curve("int8dq", "none", 1)};
    const auto styles = curveStyles(set, printTheme());
    QCOMPARE(styles[0].color, styles[1].color);
    QVERIFY(styles[0].color != styles[2].color);
    QVERIFY(styles[0].dashes != styles[1].dashes);
    QCOMPARE(styles[0].dashes, styles[2].dashes);
    QCOMPARE(styles[2].color, styles[3].color);
    QVERIFY(styles[2].marker != styles[3].marker);
}

void CurveStyleTest::knownColoursStay()
{
    CurveSet alone;
    alone.curves = {curve("int8dq", "none")};
    CurveSet later;
    later.curves = {curve("bf16/int8dq", "none"), curve("fp32", "none"), curve("int8dq", "none")};
    QCOMPARE(curveStyles(alone, printTheme())[0].color, curveStyles(later, printTheme())[2].color);
}

void CurveStyleTest::manyPrecisionsDoNotRunOut()
{
    CurveSet set;
    for (int i = 0; i < 20; ++i)
        set.curves.push_back(curve(qPrintable(QStringLiteral("scheme%1").arg(i)),
                                   qPrintable(QStringLiteral("mode%1").arg(i))));
    const auto styles = curveStyles(set, printTheme());
    QCOMPARE(styles.size(), std::size_t{20});
    QSet<QRgb> first;
    for (std::size_t i = 0; i < 15; ++i)
        first << styles[i].color.rgb();
    QCOMPARE(first.size(), 15);
}

void CurveStyleTest::schemesStayApart()
{
    QFETCH(QPalette, palette);
    CurveSet set;
    for (const qs::core::Scheme& scheme : qs::core::offeredSchemes())
        set.curves.push_back(curve(scheme.text().c_str(), "none"));
    const auto styles = curveStyles(set, screenTheme(palette, QFont()));
    // About five times what is just seen side by side.
    constexpr double kApart = 0.09;
    for (std::size_t i = 0; i < styles.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            for (const Matrix& eyes : kEyes)
                QVERIFY2(distanceFor(eyes, styles[i].color, styles[j].color) >= kApart,
                         qPrintable(set.curves[i].precision + QLatin1Char(' ') +
                                    set.curves[j].precision));
        }
    }
}

void CurveStyleTest::compileModesStayApartWithoutLines()
{
    CurveSet set;
    set.curves = {curve("bf16", "none"), curve("bf16", "cuda-graph"), curve("bf16", "fused"),
                  curve("bf16", "none", 1)};
    const auto styles = curveStyles(set, printTheme());
    QVERIFY(styles[0].marker != styles[1].marker);
    QVERIFY(styles[1].marker != styles[2].marker);
    QVERIFY(styles[0].marker != styles[2].marker);
    QVERIFY(styles[0].marker != styles[3].marker);
}

// Lines alone tell the modes that lists offer apart, as total times have no marks; so do marks
// alone, as points have no lines.
void CurveStyleTest::everyCompileModeHasALine()
{
    CurveSet all;
    for (const core::CompileMode& mode : core::offeredCompileModes())
        all.curves.push_back(curve("bf16", mode.text().c_str()));
    QVERIFY(all.curves.size() > 5);
    std::reverse(all.curves.begin(), all.curves.end());
    QList<QVector<qreal>> lines;
    std::set<Marker> markers;
    const auto styles = curveStyles(all, printTheme());
    for (std::size_t i = 0; i < styles.size(); ++i) {
        QVERIFY(!lines.contains(styles[i].dashes));
        lines << styles[i].dashes;
        markers.insert(styles[i].marker);
        QCOMPARE(styles[i].dashes.isEmpty(), all.curves[i].compile == QLatin1String("none"));
    }
    QCOMPARE(markers.size(), styles.size());
}

// Choices of regions are as many as one likes.
void CurveStyleTest::manyModesStayApart()
{
    CurveSet set;
    for (int i = 0; i < 60; ++i)
        set.curves.push_back(curve("bf16", qPrintable(QStringLiteral("regions:at=%1").arg(i))));
    // Points have marks alone: as many as there are are used before one is used twice.
    CurveSet ten;
    ten.curves = {curve("bf16", "none"), curve("bf16", "inductor-default")};
    ten.curves.insert(ten.curves.end(), set.curves.begin(), set.curves.begin() + 8);
    std::set<Marker> marks;
    for (const CurveStyle& style : curveStyles(ten, printTheme()))
        marks.insert(style.marker);
    QCOMPARE(marks.size(), ten.curves.size());
    QList<std::pair<QVector<qreal>, Marker>> looks;
    for (const CurveStyle& style : curveStyles(set, printTheme())) {
        const std::pair look(style.dashes, style.marker);
        QVERIFY(!looks.contains(look));
        looks << look;
    }
}

// Everything that a curve of so many precisions, modes and rests can be.
CurveSet crossOf(int precisions, int modes, int rests, bool lines)
{
    CurveSet set;
    set.metric = core::metricRegistry().find("throughput");
    set.scatter = !lines;
    for (int i = 0; i < precisions * modes * rests; ++i) {
        Curve made;
        made.key = made.name = QString::number(i);
        made.precision = QStringLiteral("scheme%1").arg(i / (modes * rests));
        made.compile = QStringLiteral("regions:at=%1").arg(i / rests % modes);
        made.variant = i % rests;
        made.rest = QString::number(made.variant);
        made.points = {{QStringLiteral("a"), 1.0, 1.0, {}}, {QStringLiteral("b"), 2.0, 1.0, {}}};
        set.curves.push_back(made);
    }
    return set;
}

void CurveStyleTest::noTwoCurvesLookAlike_data()
{
    QTest::addColumn<int>("precisions");
    QTest::addColumn<int>("modes");
    QTest::addColumn<int>("rests");
    QTest::addColumn<bool>("lines");
    QTest::newRow("more precisions than colours") << 18 << 1 << 1 << true;
    QTest::newRow("more precisions than colours, points") << 18 << 1 << 1 << false;
    QTest::newRow("more rests than marks") << 3 << 2 << 16 << true;
    QTest::newRow("more modes than lines, and rests") << 1 << 12 << 3 << true;
    QTest::newRow("modes and rests, points") << 15 << 2 << 3 << false;
}

void CurveStyleTest::noTwoCurvesLookAlike()
{
    QFETCH(int, precisions);
    QFETCH(int, modes);
    QFETCH(int, rests);
    QFETCH(bool, lines);
    const CurveSet set = crossOf(precisions, modes, rests, lines);
    QList<std::tuple<QRgb, QVector<qreal>, Marker>> looks;
    for (const CurveStyle& style : curveStyles(set, printTheme())) {
        const std::tuple look(style.color.rgb(), lines ? style.dashes : QVector<qreal>(),
                              style.marker);
        QVERIFY(!looks.contains(look));
        looks << look;
        QVERIFY(style.told != CurveTold::NotAtAll);
    }
    QCOMPARE(curvesNotTold(set), 0);
}

// Points of one colour have ten marks.
void CurveStyleTest::curvesWithoutALookAreCounted()
{
    QCOMPARE(curvesNotTold(crossOf(2, 4, 3, false)), 4);
    QCOMPARE(curvesNotTold(crossOf(2, 4, 3, true)), 0);
}

// A colour stands for one precision, and a line for one mode; what has neither of its own is named
// by itself.
void CurveStyleTest::legendNamesWhatLooksSay()
{
    const auto count = [](const CurveSet& set, LegendPart part) {
        const std::vector<LegendEntry> entries = legendEntries(set);
        return std::count_if(entries.begin(), entries.end(),
                             [part](const LegendEntry& entry) { return entry.part == part; });
    };
    QCOMPARE(count(crossOf(4, 3, 1, true), LegendPart::Curve), 0);
    for (const bool lines : {true, false}) {
        const CurveSet set = crossOf(18, 3, 1, lines);
        QCOMPARE(count(set, LegendPart::Precision), 15);
        QCOMPARE(count(set, LegendPart::Compile), 3);
        QCOMPARE(count(set, LegendPart::Curve), 3 * 3);
    }
    const CurveSet modes = crossOf(1, 12, 3, true);
    QCOMPARE(count(modes, LegendPart::Compile), 10);
    QCOMPARE(count(modes, LegendPart::Curve), 2 * 3);
}

void CurveStyleTest::curvesOverThePrecisionHaveColours()
{
    CurveSet set;
    set.curves = {curve("", "none", 0), curve("", "none", 1), curve("", "cuda-graph", 1)};
    const auto styles = curveStyles(set, printTheme());
    // Dots that no line joins: seven compile modes have more colours than marks.
    QVERIFY(styles[0].color != styles[1].color);
    QVERIFY(styles[1].color != styles[2].color);
}

void CurveStyleTest::readableOnBothBackgrounds_data()
{
    QTest::addColumn<QPalette>("palette");
    QTest::newRow("light") << qs::tests::lightPalette();
    QTest::newRow("dark") << qs::tests::darkPalette();
}

void CurveStyleTest::readableOnBothBackgrounds()
{
    QFETCH(QPalette, palette);
    const PlotTheme theme = screenTheme(palette, QFont());
    CurveSet set;
    for (const qs::core::Scheme& scheme : qs::core::offeredSchemes())
        set.curves.push_back(curve(scheme.text().c_str(), "none"));
    for (const char* pair : {"bf16/int8dq", "int8dq/bf16"})
        set.curves.push_back(curve(pair, "none"));
    for (const CurveStyle& style : curveStyles(set, theme))
        QVERIFY2(contrast(style.color, theme.background) >= 2.9,
                 qPrintable(style.color.name() + QStringLiteral(" on ") + theme.background.name()));
    QVERIFY(contrast(theme.text, theme.background) >= 7.0);
}

void CurveStyleTest::themeFollowsThePalette()
{
    QVERIFY(!screenTheme(qs::tests::lightPalette(), QFont()).dark);
    const PlotTheme dark = screenTheme(qs::tests::darkPalette(), QFont());
    QVERIFY(dark.dark);
    QCOMPARE(dark.background, qs::tests::darkPalette().color(QPalette::Base));
    QVERIFY(!printTheme().dark);
    QCOMPARE(printTheme().background, QColor(Qt::white));
}

const tests::GuiTest<CurveStyleTest> registered(__FILE_NAME__);

}  // namespace qs::tst_curve_style

#include "tst_curve_style.moc"
