#include "tests/support/gui_test.h"
#include "widgets/models/number_text.h"

#include <QLocale>

#include <cmath>
#include <limits>

namespace qs::tst_number_text {

using namespace widgets;

class NumberTextTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void significant_data();
    void significant();
    void plusMinus_data();
    void plusMinus();
    void estimate();
    void notFinite();
    void followsTheLocale();
    void gibibytes();
    void meanCounts();
};

void NumberTextTest::significant_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<int>("digits");
    QTest::addColumn<QString>("text");
    QTest::newRow("small") << 0.01234 << 3 << QStringLiteral("0.0123");
    QTest::newRow("rounds up a place") << 9.996 << 3 << QStringLiteral("10.0");
    QTest::newRow("everyday") << 12.345 << 3 << QStringLiteral("12.3");
    QTest::newRow("whole numbers stay whole") << 1234.4 << 3 << QStringLiteral("1,234");
    QTest::newRow("zero") << 0.0 << 4 << QStringLiteral("0");
    QTest::newRow("negative") << -2.5 << 2 << QStringLiteral("-2.5");
    QTest::newRow("tiny") << 1.5e-7 << 2 << QStringLiteral("1.5E-07");
    QTest::newRow("huge") << 3.0e12 << 2 << QStringLiteral("3.0E+12");
}

void NumberTextTest::significant()
{
    QFETCH(double, value);
    QFETCH(int, digits);
    QFETCH(QString, text);
    QCOMPARE(significantText(value, digits).toUpper(), text);
}

void NumberTextTest::plusMinus_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<double>("halfWidth");
    QTest::addColumn<QString>("text");
    QTest::newRow("places of the half width") << 1234.56 << 12.3 << QStringLiteral("1,235 ± 12");
    QTest::newRow("below one") << 3.14159 << 0.0123 << QStringLiteral("3.142 ± 0.012");
    QTest::newRow("half width rounds up") << 5.0 << 0.0996 << QStringLiteral("5.00 ± 0.10");
    QTest::newRow("wider than the value") << 5.0 << 140.0 << QStringLiteral("5 ± 140");
    QTest::newRow("no width") << 5.0 << 0.0 << QStringLiteral("5.000");
    QTest::newRow("unbounded") << 5.0 << std::numeric_limits<double>::infinity()
                               << QStringLiteral("5.000 ± ∞");
}

void NumberTextTest::plusMinus()
{
    QFETCH(double, value);
    QFETCH(double, halfWidth);
    QFETCH(QString, text);
    QCOMPARE(plusMinusText(value, halfWidth), text);
}

void NumberTextTest::estimate()
{
    QCOMPARE(estimateText(1234.56, {.lower = 1222.0, .upper = 1246.6}),
             QStringLiteral("1,235 ± 12"));
    QCOMPARE(estimateText(14.57, {.lower = 2.91, .upper = 72.4}), QStringLiteral("15 [2.9, 72]"));
    QCOMPARE(estimateText(2.0, {.lower = 2.0, .upper = 2.0}), QStringLiteral("2.000"));
}

void NumberTextTest::notFinite()
{
    QCOMPARE(significantText(std::numeric_limits<double>::infinity(), 3), QStringLiteral("∞"));
    QCOMPARE(significantText(-std::numeric_limits<double>::infinity(), 3), QStringLiteral("−∞"));
    QCOMPARE(significantText(std::nan(""), 3), QStringLiteral("NaN"));
}

void NumberTextTest::followsTheLocale()
{
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    QCOMPARE(significantText(1234.5, 5), QStringLiteral("1.234,5"));
    QCOMPARE(plusMinusText(1234.56, 0.12), QStringLiteral("1.234,56 ± 0,12"));
}

void NumberTextTest::meanCounts()
{
    QCOMPARE(meanCountText(419.0, 5), QStringLiteral("419"));
    QCOMPARE(meanCountText(1419.0, 3), QStringLiteral("1,419"));
    QCOMPARE(meanCountText(7.5, 3), QStringLiteral("7.50"));
    QCOMPARE(meanCountText(0.0, 3), QStringLiteral("0"));
}

void NumberTextTest::gibibytes()
{
    QCOMPARE(gibibytesText(1.5 * kBytesPerGibibyte), QStringLiteral("1.500"));
}

const tests::GuiTest<NumberTextTest> registered(__FILE_NAME__);

}  // namespace qs::tst_number_text

#include "tst_number_text.moc"
