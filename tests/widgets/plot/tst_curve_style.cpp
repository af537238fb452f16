#include "widgets/plot/curve_style.h"

#include "tests/widgets/support/screens.h"

#include <QTest>

#include <cmath>

using namespace qs::widgets;

class CurveStyleTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void precisionHasTheColour();
    void knownColoursStay();
    void manyPrecisionsDoNotRunOut();
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

}  // namespace

void CurveStyleTest::precisionHasTheColour()
{
    CurveSet set;
    set.curves = {curve("bf16", "none"), curve("bf16", "cuda-graph"), curve("int8dq", "none"),
                  curve("int8dq", "none", 1)};
    const auto styles = curveStyles(set, printTheme());
    QCOMPARE(styles[0].color, styles[1].color);
    QVERIFY(styles[0].color != styles[2].color);
    QVERIFY(styles[0].line != styles[1].line);
    QCOMPARE(styles[0].line, styles[2].line);
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
    for (std::size_t i = 0; i < 8; ++i)
        first << styles[i].color.rgb();
    QCOMPARE(first.size(), 8);
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
    for (const char* precision : {"bf16", "int8dq", "float8dq-row", "float8dq-tensor", "int8wo",
                                  "float8wo", "fp16", "fp32"})
        set.curves.push_back(curve(precision, "none"));
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

QTEST_MAIN(CurveStyleTest)
#include "tst_curve_style.moc"
