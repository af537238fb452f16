#include "widgets/models/numeric_deviation.h"

#include "tests/support/sample_run.h"

#include <QTest>

using namespace qs::widgets;

class NumericDeviationTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void meanAndLargest();
    void onlyAgainstTheReference();
    void theLastComparisonCounts();
    void untrained();
};

namespace {

qs::core::RunData runOfOneCell()
{
    qs::core::RunData data;
    qs::core::PlannedCell cell;
    cell.id = "a";
    cell.referenceId = "r";
    data.plan.cells = {cell};
    return data;
}

qs::core::PictureQuality quality(const char* reference, int picture, double l2, double most)
{
    qs::core::PictureQuality quality;
    quality.cellId = "a";
    quality.referenceId = reference;
    quality.picture = picture;
    quality.relativeL2 = l2;
    quality.maximumDifference = most;
    return quality;
}

}  // namespace

void NumericDeviationTest::meanAndLargest()
{
    qs::core::RunData data = runOfOneCell();
    data.qualities = {quality("r", 0, 0.1, 0.5), quality("r", 1, 0.3, 0.2)};
    const auto deviations = numericDeviations(data, analyse(data, "best-bf16"));
    QCOMPARE(deviations.size(), std::size_t{1});
    QCOMPARE(*deviations.at("a").relativeL2, 0.2);
    QCOMPARE(deviations.at("a").maximumDifference, 0.5);
    QCOMPARE(deviations.at("a").pictures, 2);
    // A reference that is zero everywhere: of that picture there is no relative error, nor a mean.
    data.qualities.back().relativeL2.reset();
    QVERIFY(!numericDeviations(data, analyse(data, "best-bf16")).at("a").relativeL2);
}

void NumericDeviationTest::onlyAgainstTheReference()
{
    qs::core::RunData data = runOfOneCell();
    data.qualities = {quality("input", 0, 0.1, 0.5)};
    QVERIFY(numericDeviations(data, analyse(data, "best-bf16")).empty());
}

void NumericDeviationTest::theLastComparisonCounts()
{
    qs::core::RunData data = runOfOneCell();
    data.qualities = {quality("r", 0, 0.9, 0.9), quality("r", 0, 0.1, 0.2)};
    const auto deviations = numericDeviations(data, analyse(data, "best-bf16"));
    QCOMPARE(*deviations.at("a").relativeL2, 0.1);
    QCOMPARE(deviations.at("a").maximumDifference, 0.2);
    QCOMPARE(deviations.at("a").pictures, 1);
}

void NumericDeviationTest::untrained()
{
    QVERIFY(!untrainedRun({}));
    QVERIFY(!untrainedRun(qs::tests::sampleRun().plan));
    QVERIFY(untrainedRun(qs::tests::sampleRun({.trained = false}).plan));
}

QTEST_GUILESS_MAIN(NumericDeviationTest)
#include "tst_numeric_deviation.moc"
