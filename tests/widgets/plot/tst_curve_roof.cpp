#include "widgets/plot/curve_roof.h"

#include "tests/support/gui_test.h"
#include "widgets/plot/curve_range.h"

namespace qs::tst_curve_roof {

using namespace widgets;
using namespace core;

namespace {

// FLOP/s of 16-bit products of an H200; those of 8 bits are twice as fast.
constexpr double kRate = 132.0 * 4096.0 * 1.83e9;

DeviceDescription h200()
{
    DeviceDescription device;
    device.id = "cuda:0";
    device.name = "NVIDIA H200";
    device.kind = DeviceKind::Cuda;
    device.memoryBytes = std::int64_t{140} << 30U;
    return device;
}

PlannedCell cellOf(const std::string& id, const std::string& precision, std::int64_t batch)
{
    PlannedCell cell;
    cell.id = id;
    cell.config.device = "cuda:0";
    cell.config.precision = {precision};
    cell.config.batch = batch;
    cell.unitsPerPass = batch;
    cell.flops = 1e12 * static_cast<double>(batch);
    cell.trained = true;
    return cell;
}

// bf16 at batches 1 and 4, int8dq at 4; a tenth of a second per picture.
RunData planned()
{
    RunData data;
    data.plan.devices = {h200()};
    data.plan.cells = {cellOf("a", "bf16", 1), cellOf("b", "bf16", 4), cellOf("c", "int8dq", 4)};
    for (const PlannedCell& cell : data.plan.cells) {
        Measurement row;
        row.cellId = cell.id;
        row.environmentId = "e";
        row.config = cell.config;
        row.result.hostSeconds = {0.1 * static_cast<double>(cell.config.batch)};
        row.result.memory.allocatedPeak = std::int64_t{1} << 30U;
        data.measurements.push_back(row);
    }
    return data;
}

// Of the registry.
const qs::core::Metric& metricNamed(const char* name)
{
    return *qs::core::metricRegistry().find(name);
}

std::vector<CurveRoof> roofsOf(const RunData& data, const char* metric)
{
    const Analysis analysis = analyse(data, "best-bf16");
    return makeRoofs(makeCurves(analysis, QStringLiteral("best-bf16"), metricNamed(metric),
                                QStringLiteral("batch")),
                     data);
}

}  // namespace

class TestCurveRoof : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QLocale::setDefault(QLocale::c()); }

    void throughputIsTheRateOverTheWork()
    {
        const auto roofs = roofsOf(planned(), "throughput");
        QCOMPARE(roofs.size(), std::size_t{2});
        QCOMPARE(roofs[0].name, QStringLiteral("peak, 16 bit: 989.4 TFLOP/s"));
        QCOMPARE(roofs[0].precision, QStringLiteral("bf16"));
        QCOMPARE(roofs[0].points.size(), std::size_t{2});
        QCOMPARE(roofs[0].points[0], QPointF(1.0, kRate / 1e12));
        QCOMPARE(roofs[0].points[1], QPointF(4.0, kRate / 1e12));
        QCOMPARE(roofs[1].points, (std::vector<QPointF>{{4.0, 2.0 * kRate / 1e12}}));
    }

    void fp32IsNamedWithoutTf32()
    {
        RunData data = planned();
        data.plan.devices.front().name = "Tesla T4";
        for (PlannedCell& cell : data.plan.cells)
            cell.config.precision = {"fp32"};
        for (Measurement& row : data.measurements)
            row.config.precision = {"fp32"};
        const auto roofs = roofsOf(data, "throughput");
        QCOMPARE(roofs.size(), std::size_t{1});
        QCOMPARE(roofs[0].name, QStringLiteral("peak, fp32: 8.141 TFLOP/s"));
    }

    void timesAreTheWorkOverTheRate()
    {
        const auto pass = roofsOf(planned(), "latency");
        QVERIFY(qAbs(pass[0].points[1].y() - 4e12 / kRate * 1e3) < 1e-9);
        const auto image = roofsOf(planned(), "unit_time");
        QVERIFY(qAbs(image[0].points[1].y() - 1e12 / kRate * 1e3) < 1e-9);
    }

    void memoryIsTheDevices()
    {
        const auto roofs = roofsOf(planned(), "allocated_peak");
        QCOMPARE(roofs.size(), std::size_t{1});
        QCOMPARE(roofs[0].name, QStringLiteral("memory of NVIDIA H200: 140.0 GiB"));
        QCOMPARE(roofs[0].points.front().y(), 140.0);
    }

    void nothingIsGuessed()
    {
        RunData data = planned();
        QVERIFY(roofsOf(data, "ssim_mean").empty());
        data.plan.devices[0].name = "NVIDIA H200 NVL";
        QVERIFY(roofsOf(data, "throughput").empty());
        QCOMPARE(roofsOf(data, "allocated_peak").size(), std::size_t{1});
        data.plan.devices.clear();
        QVERIFY(roofsOf(data, "allocated_peak").empty());
        data = planned();
        data.plan.cells[1].config.precision = {"bf16", "something"};
        QCOMPARE(roofsOf(data, "throughput")[0].points.size(), std::size_t{1});
        for (PlannedCell& cell : data.plan.cells)
            cell.flops = 0.0;
        QVERIFY(roofsOf(data, "throughput").empty());
        QVERIFY(roofsOf(RunData{}, "throughput").empty());
    }

    void whereItRanDecidesAndTwoPlacesAreNone()
    {
        RunData data = planned();
        Environment environment;
        environment.devices = {h200()};
        environment.devices[0].name = "Some other GPU";
        data.environments = {environment};
        QVERIFY(roofsOf(data, "throughput").empty());
        environment.devices[0].name = "NVIDIA H200";
        data.environments = {environment, environment};
        QVERIFY(roofsOf(data, "throughput").empty());
    }

    void twoModelsAboveOnePlaceHaveNoLine()
    {
        RunData data = planned();
        data.plan.cells[0].config.batch = 4;
        data.plan.cells[0].unitsPerPass = 4;
        data.plan.cells[0].config.model = "larger";
        data.plan.cells[0].flops *= 100.0;
        for (const CurveRoof& roof : roofsOf(data, "throughput"))
            QVERIFY(roof.precision != QStringLiteral("bf16"));
    }

    void farRoofsDoNotPressTheCurvesFlat()
    {
        RunData data = planned();
        const Analysis analysis = analyse(data, "best-bf16");
        CurveSet set = makeCurves(analysis, QStringLiteral("best-bf16"), metricNamed("throughput"),
                                  QStringLiteral("batch"));
        const QRectF without = fullRange(set, {});
        set.roofs = makeRoofs(set, data);
        QVERIFY(roofIsFar(set, set.roofs[0]));  // 10 images/s under 989
        QCOMPARE(fullRange(set, {}), without);
        set.roofs[0].points = {{1.0, 14.0}};
        QVERIFY(!roofIsFar(set, set.roofs[0]));
        QVERIFY(fullRange(set, {}).bottom() > 14.0);
        QCOMPARE(
            fullRange(
                set,
                {.theme = {}, .hidden = {}, .highlighted = {}, .selectedCell = {}, .roofs = false}),
            without);
    }
};

const tests::GuiTest<TestCurveRoof> registered(__FILE_NAME__);

}  // namespace qs::tst_curve_roof

#include "tst_curve_roof.moc"
