#include "tests/support/gui_test.h"
#include "widgets/plot/axis_ticker.h"

#include <QFontMetrics>
#include <QLocale>

#include <cmath>

namespace qs::tst_axis_ticker {

using widgets::AxisTicker;

class AxisTickerTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void labels_data();
    void labels();
    void manyPowersAreThinned();
    void followsTheLocale();
    void labelsThatWouldTouchAreThinned_data();
    void labelsThatWouldTouchAreThinned();

private:
    static QStringList labelsOf(int base, double lower, double upper, const QLocale& locale)
    {
        AxisTicker ticker(base);
        QVector<double> ticks;
        QVector<QString> texts;
        ticker.generate(QCPRange(lower, upper), locale, QLatin1Char('g'), 6, ticks, nullptr,
                        &texts);
        QStringList shown;
        for (qsizetype i = 0; i < ticks.size(); ++i) {
            // The base class keeps one tick beyond each end for its subticks.
            if (ticks[i] >= lower && ticks[i] <= upper)
                shown << texts[i];
        }
        return shown;
    }
};

void AxisTickerTest::labels_data()
{
    QTest::addColumn<int>("base");
    QTest::addColumn<double>("lower");
    QTest::addColumn<double>("upper");
    QTest::addColumn<QString>("expected");
    QTest::newRow("batches") << 2 << 0.9 << 70.0 << QStringLiteral("1 2 4 8 16 32 64");
    QTest::newRow("between two batches") << 2 << 5.0 << 7.0 << QStringLiteral("5 5.5 6 6.5 7");
    QTest::newRow("one decade") << 10 << 8.0 << 60.0 << QStringLiteral("10 20 50");
    QTest::newRow("many decades") << 10 << 0.5 << 2e4 << QStringLiteral("1 10 100 1,000 10,000");
    QTest::newRow("inside a decade") << 10 << 11.0 << 16.0 << QStringLiteral("11 12 13 14 15 16");
    QTest::newRow("linear") << 0 << 0.0 << 2000.0 << QStringLiteral("0 500 1,000 1,500 2,000");
    QTest::newRow("large linear") << 0 << 0.0 << 4e6
                                  << QStringLiteral("0 1,000,000 2,000,000 3,000,000 4,000,000");
}

void AxisTickerTest::labels()
{
    QFETCH(int, base);
    QFETCH(double, lower);
    QFETCH(double, upper);
    QFETCH(QString, expected);
    QCOMPARE(labelsOf(base, lower, upper, QLocale(QLocale::English, QLocale::UnitedStates))
                 .join(QLatin1Char(' ')),
             expected);
}

void AxisTickerTest::manyPowersAreThinned()
{
    const QStringList shown = labelsOf(2, 1.0, 1048576.0, QLocale::c());
    QVERIFY(shown.size() <= 12);
    QCOMPARE(shown.first(), QStringLiteral("1"));
    QCOMPARE(shown[1], QStringLiteral("4"));
}

void AxisTickerTest::followsTheLocale()
{
    QCOMPARE(labelsOf(10, 0.04, 0.6, QLocale(QLocale::German)).join(QLatin1Char(' ')),
             QStringLiteral("0,05 0,1 0,2 0,5"));
}

// At any width every two neighbours stay apart, and one can still read the axis.
void AxisTickerTest::labelsThatWouldTouchAreThinned_data()
{
    QTest::addColumn<int>("base");
    QTest::addColumn<double>("lower");
    QTest::addColumn<double>("upper");
    QTest::addColumn<int>("least");
    QTest::addColumn<int>("most");
    QTest::newRow("powers") << 10 << 1.0 << 1e9 << 2 << 10;
    QTest::newRow("linear") << 0 << 0.0 << 28'000.0 << 2 << 6;
    QTest::newRow("linear, long numbers") << 0 << 0.9981 << 0.9999 << 1 << 7;
}

void AxisTickerTest::labelsThatWouldTouchAreThinned()
{
    QFETCH(int, base);
    QFETCH(double, lower);
    QFETCH(double, upper);
    QFETCH(int, least);
    QFETCH(int, most);
    const QFont font;
    const QFontMetrics metrics(font);
    const QCPRange range(lower, upper);
    const auto share = [&](double value) {
        return base > 0 ? std::log(value / lower) / std::log(upper / lower)
                        : (value - lower) / (upper - lower);
    };
    qsizetype before = 0;
    for (const int room : {200, 300, 450, 700, 1200}) {
        AxisTicker ticker(base);
        ticker.setRoom(font, room);
        QVector<double> ticks;
        QVector<QString> texts;
        ticker.generate(range, QLocale(), QLatin1Char('g'), 6, ticks, nullptr, &texts);
        qsizetype within = 0;
        for (qsizetype i = 0; i < ticks.size(); ++i) {
            if (!range.contains(ticks[i]))
                continue;
            ++within;
            if (i == 0 || !range.contains(ticks[i - 1]))
                continue;
            QVERIFY(room * share(ticks[i]) - metrics.horizontalAdvance(texts[i]) / 2.0 >
                    room * share(ticks[i - 1]) + metrics.horizontalAdvance(texts[i - 1]) / 2.0);
        }
        QVERIFY(within >= least);
        QVERIFY(within >= before);
        before = within;
    }
    QCOMPARE(before, qsizetype(most));
}

const tests::GuiTest<AxisTickerTest> registered(__FILE_NAME__);

}  // namespace qs::tst_axis_ticker

#include "tst_axis_ticker.moc"
