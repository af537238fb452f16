#include "widgets/models/cell_table_model.h"

#include "core/record/run_folder.h"
#include "core/report/words/verdict_text.h"
#include "core/run/program_paths.h"
#include "tests/support/gui_test.h"
#include "tests/support/sample_run.h"
#include "widgets/models/number_text.h"

#include <QAbstractItemModelTester>
#include <QLocale>
#include <QRegularExpression>
#include <QSet>
#include <QSignalSpy>

namespace qs::tst_cell_table_model {

using namespace widgets;
using Model = CellTableModel;

class CellTableModelTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void columnsAndTheirTextsAgree();
    void quantizingIsToldInSeconds();
    void numbersOfOneCell();
    void aFigureThatIsHardlyKnownHasFewDigits();
    void littleMemoryIsInMebibytes();
    void headings();
    void beforeAnythingRan();
    void failuresSayWhy();
    void rowsChangeInPlace();
    void onlyChangedRowsAreAnnounced();
    void baselineChangesTheHeading();
    void untrainedWeightsShowDeviation();
    void rawDifferences();
    void verdictsWaitForThreeRepeats();
    void stagesNameTheirColumns();
    void openRatiosSayWhereTheyLean();
    void identicalOutputs();
    void otherBatchesAreNoExcuse();
    void usefulColumns();
    void everyAxisTellsRowsApart();
    void gates();
    void costs();

private:
    static QString text(const Model& model, const char* id, int column)
    {
        return model.index(model.rowOf(QString::fromLatin1(id)), column).data().toString();
    }
    static QVariant value(const Model& model, const char* id, int column)
    {
        return model.index(model.rowOf(QString::fromLatin1(id)), column).data(Model::SortRole);
    }
    static QString tip(const Model& model, const char* id, int column)
    {
        return model.index(model.rowOf(QString::fromLatin1(id)), column)
            .data(Qt::ToolTipRole)
            .toString();
    }
    static Severity severity(const Model& model, const char* id, int column)
    {
        return static_cast<Severity>(model.index(model.rowOf(QString::fromLatin1(id)), column)
                                         .data(Model::SeverityRole)
                                         .toInt());
    }
    static QString heading(const Model& model, int column)
    {
        return model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    }
};

void CellTableModelTest::init()
{
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
}

// Each value has a text, a tooltip and an alignment; ids are unique; nothing falls over for any
// cell.
void CellTableModelTest::columnsAndTheirTextsAgree()
{
    for (const bool trained : {true, false}) {
        RunStore store;
        store.setRun(qs::tests::sampleRun({.trained = trained, .withFailures = true}));
        Model model(store);
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QSet<QString> ids;
        for (int column = 0; column < static_cast<int>(cellColumns().size()); ++column) {
            ids << model.headerData(column, Qt::Horizontal, Model::ColumnIdRole).toString();
            QVERIFY(
                !model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty());
            for (int row = 0; row < model.rowCount(); ++row) {
                const QModelIndex index = model.index(row, column);
                const QString shown = index.data().toString();
                const bool missing = shown.isEmpty() || shown == QStringLiteral("—") ||
                                     shown.startsWith(QStringLiteral("needs ")) ||
                                     shown == QStringLiteral("on the device");
                QCOMPARE(missing, !index.data(Model::SortRole).isValid());
                QVERIFY(!index.data(Qt::ToolTipRole).toString().isEmpty());
            }
        }
        QCOMPARE(ids.size(), static_cast<qsizetype>(static_cast<int>(cellColumns().size())));
    }
}

// The column that is in sight at first, of a run with open comparisons.
void CellTableModelTest::openRatiosSayWhereTheyLean()
{
    auto data =
        qs::core::readRunFolder(qs::core::locatePrograms().resources / "example_runs/demo_h200");
    QVERIFY(data.ok());
    RunStore store;
    store.setRun(data.value());
    const Model model(store);
    int open = 0;
    for (const qs::core::CellSummary& cell : store.analysis().cells) {
        if (!cell.claim || !cell.claim->outlook)
            continue;
        ++open;
        QVERIFY(tip(model, cell.cellId.c_str(), columnOf("speedup"))
                    .contains(QString::fromStdString(qs::core::outlookText(*cell.claim))));
    }
    QVERIFY(open > 0);
}

void CellTableModelTest::verdictsWaitForThreeRepeats()
{
    const char* id = "int8dq-none-b4";
    const auto toneOf = [&](const Model& model, int column) {
        return static_cast<VerdictTone>(model.index(model.rowOf(QString::fromLatin1(id)), column)
                                            .data(Model::VerdictToneRole)
                                            .toInt());
    };
    qs::core::RunData data = qs::tests::sampleRun({.rounds = 2});
    RunStore store;
    store.setRun(data);
    const Model model(store);
    // Two repeats are all there will ever be: nothing to wait for.
    QVERIFY(!value(model, id, columnOf("verdict")).isValid());
    QCOMPARE(toneOf(model, columnOf("verdict")), VerdictTone::None);
    data.plan.preset.rounds = 5;
    store.setRun(data);
    QCOMPARE(text(model, id, columnOf("verdict")), QStringLiteral("2 of 5"));
    QCOMPARE(toneOf(model, columnOf("verdict")), VerdictTone::Open);
    QVERIFY2(tip(model, id, columnOf("verdict")).contains(QStringLiteral("before three")),
             qPrintable(tip(model, id, columnOf("verdict"))));
    // The baseline is compared with nothing.
    QVERIFY(!value(model, "bf16-cuda-graph-b4", columnOf("verdict")).isValid());
    store.setRun(qs::tests::sampleRun());
    QVERIFY(toneOf(model, columnOf("verdict")) != VerdictTone::None);
    QCOMPARE(toneOf(model, columnOf("status")), VerdictTone::None);
}

void CellTableModelTest::quantizingIsToldInSeconds()
{
    qs::core::RunData data = qs::tests::sampleRun();
    RunStore store;
    store.setRun(data);
    const Model passes(store);
    QVERIFY(passes.essentialColumn(columnOf("throughput")));
    QVERIFY(!passes.usefulColumn(columnOf("latency")));
    for (auto& cell : data.plan.cells)
        cell.config.workload = "quantize";
    store.setRun(data);
    const Model model(store);
    QVERIFY(!model.usefulColumn(columnOf("throughput")));
    QVERIFY(model.essentialColumn(columnOf("latency")));
    const char* id = "int8dq-cuda-graph-b4";
    const auto* cell = store.analysis().find(id);
    QCOMPARE(value(model, id, columnOf("latency")).toDouble(), cell->seconds);
    QVERIFY(model.headerData(columnOf("latency"), Qt::Horizontal, Qt::DisplayRole)
                .toString()
                .endsWith(QStringLiteral("(s)")));
}

void CellTableModelTest::numbersOfOneCell()
{
    RunStore store;
    store.setRun(qs::tests::sampleRun());
    const Model model(store);
    const auto* cell = store.analysis().find("int8dq-cuda-graph-b4");
    const char* id = "int8dq-cuda-graph-b4";
    QCOMPARE(text(model, id, columnOf("status")), QStringLiteral("ok"));
    QCOMPARE(text(model, id, columnOf("precision")), QStringLiteral("int8dq"));
    QCOMPARE(text(model, id, columnOf("compile")), QStringLiteral("cuda-graph"));
    QCOMPARE(value(model, id, columnOf("batch")).toLongLong(), 4);
    QCOMPARE(value(model, id, columnOf("throughput")).toDouble(), cell->throughput);
    QCOMPARE(value(model, id, columnOf("latency")).toDouble(), cell->seconds * 1e3);
    QVERIFY(text(model, id, columnOf("throughput")).contains(QStringLiteral(" ± ")));
    QVERIFY(text(model, id, columnOf("speedup"))
                .contains(QRegularExpression(QStringLiteral(R"(^1\.\d\d× \[.*, .*\]$)"))));
    QCOMPARE(text(model, id, columnOf("verdict")), cell->claim->verdict == qs::core::Verdict::Faster
                                                       ? QStringLiteral("faster")
                                                       : QStringLiteral("undecided"));
    QVERIFY(!value(model, "bf16-cuda-graph-b4", columnOf("verdict")).isValid());
    QCOMPARE(text(model, id, columnOf("rounds")), QStringLiteral("3 of 3"));
    QVERIFY(tip(model, id, columnOf("speedup"))
                .contains(QStringLiteral("bf16 · cuda-graph · batch 4")));
    // How the samples lie, hidden until asked for; six samples bound no percentile.
    QCOMPARE(value(model, id, columnOf("sample_mean")).toDouble(), cell->distribution->mean * 1e3);
    QCOMPARE(text(model, id, columnOf("sample_p90")), QStringLiteral("needs 64 samples"));
    QCOMPARE(text(model, id, columnOf("sample_p99")), QStringLiteral("needs 662 samples"));
    QVERIFY(tip(model, id, columnOf("sample_p99")).contains(QStringLiteral("needs 662 samples")));
    QCOMPARE(text(model, id, columnOf("outliers")), QStringLiteral("0 mild, 0 severe"));
    QCOMPARE(text(model, id, columnOf("energy")), QStringLiteral("—"));
    for (const int column : {columnOf("sample_mean"), columnOf("sm_clock"), columnOf("end_to_end"),
                             columnOf("input_copy")})
        QVERIFY(!model.usefulColumn(column));
    QCOMPARE(text(model, "fp32-none-b4", columnOf("noise_result")),
             QStringLiteral("at the noise floor"));
    QCOMPARE(text(model, "bf16-none-b4-again", columnOf("noise_result")),
             QStringLiteral("deterministic"));
    QCOMPARE(text(model, "fp32-none-b4", columnOf("worst_noise_multiple")),
             QStringLiteral("1.00×"));
    QVERIFY(!model.usefulColumn(columnOf("fp32_golden")));
    QCOMPARE(text(model, id, columnOf("executed")),
             QStringLiteral("encoder int8dq 56/58 layers, decoder int8dq 56/58 layers"));
    QCOMPARE(value(model, id, columnOf("weights")).toDouble(), 340.0 / 1024.0);
    QCOMPARE(value(model, id, columnOf("workspace")).toDouble(), 360.0 / 1024.0);
    QCOMPARE(heading(model, columnOf("workspace")), QStringLiteral("Workspace (GiB)"));
    // On request, as most of the columns are.
    QVERIFY(!model.usefulColumn(columnOf("workspace")));
    QVERIFY(!value(model, id, columnOf("weights_file")).isValid());  // they were generated
    QCOMPARE(text(model, "bf16-cuda-graph-b4", columnOf("speedup")),
             QStringLiteral("1× (baseline)"));
    QCOMPARE(model.index(0, columnOf("throughput")).data(Qt::TextAlignmentRole).toInt() &
                 Qt::AlignRight,
             static_cast<int>(Qt::AlignRight));
    QCOMPARE(model.index(0, columnOf("status")).data(Qt::TextAlignmentRole).toInt() & Qt::AlignLeft,
             static_cast<int>(Qt::AlignLeft));
}

// One unit for the run, in which its numbers read well.
void CellTableModelTest::aFigureThatIsHardlyKnownHasFewDigits()
{
    const std::string id = "int8dq-cuda-graph-b4";
    const auto digitsOf = [](const QString& number) {
        return number.count(QRegularExpression(QStringLiteral("[0-9]")));
    };
    RunStore store;
    store.setRun(qs::tests::sampleRun());
    const Model model(store);
    const int column = columnOf("throughput");
    const auto shortly = [&](Model::Role role) {
        return model.index(model.rowOf(QString::fromStdString(id)), column).data(role).toString();
    };
    QCOMPARE(digitsOf(shortly(Model::TerseTextRole)), 5);
    // Rounds of one cell that differ so much say next to nothing.
    qs::core::RunData data = qs::tests::sampleRun();
    for (qs::core::Measurement& row : data.measurements) {
        if (row.cellId != id)
            continue;
        const double factor = row.round == 0 ? 1.0 : row.round == 1 ? 3.0 : 9.0;
        for (auto* seconds : {&row.result.deviceSeconds, &row.result.hostSeconds}) {
            for (double& each : *seconds)
                each *= factor;
        }
    }
    store.setRun(data);
    const auto interval = store.analysis().find(id)->throughputInterval();
    QVERIFY(interval && interval->upper > 10.0 * store.analysis().find(id)->throughput);
    // Both ends are told; they are known, and no infinity.
    const QString text = shortly(Model::ShortTextRole);
    QCOMPARE(text, estimateText(store.analysis().find(id)->throughput, *interval));
    QVERIFY2(!text.contains(QChar(0x221e)), qPrintable(text));
    QVERIFY2(shortly(Model::TerseTextRole) == text.section(QLatin1Char(' '), 0, 0),
             qPrintable(shortly(Model::TerseTextRole)));
}

void CellTableModelTest::littleMemoryIsInMebibytes()
{
    qs::core::RunData data = qs::tests::sampleRun();
    for (qs::core::Measurement& row : data.measurements) {
        qs::core::MemoryFigures& memory = row.result.memory;
        for (auto* bytes : {&memory.allocatedPeak, &memory.reservedPeak, &memory.processPeak})
            *bytes = std::int64_t{97} << 20U;
        memory.graphPool = std::int64_t{3} << 20U;
    }
    RunStore store;
    store.setRun(std::move(data));
    const Model model(store);
    QCOMPARE(heading(model, columnOf("process_peak")), QStringLiteral("Process peak (MiB)"));
    QCOMPARE(value(model, "int8dq-none-b4", columnOf("process_peak")).toDouble(), 97.0);
    QCOMPARE(text(model, "int8dq-none-b4", columnOf("process_peak")), QStringLiteral("97.00"));
    QCOMPARE(text(model, "int8dq-none-b4", columnOf("graph_pool")), QStringLiteral("3.000"));
}

void CellTableModelTest::headings()
{
    RunStore store;
    const Model model(store);
    QCOMPARE(heading(model, columnOf("throughput")), QStringLiteral("Throughput (units/s)"));
    QCOMPARE(heading(model, columnOf("speedup")), QStringLiteral("Speed-up vs best bf16"));
    QCOMPARE(heading(model, columnOf("process_peak")), QStringLiteral("Process peak (MiB)"));
    QCOMPARE(heading(model, columnOf("first_stage")), QStringLiteral("Encoder (ms)"));
    QCOMPARE(heading(model, columnOf("ssim_mean")), QStringLiteral("SSIM mean"));
    QVERIFY(
        !model.headerData(static_cast<int>(cellColumns().size()), Qt::Horizontal, Qt::DisplayRole)
             .isValid() ||
        model.rowCount() == 0);
}

void CellTableModelTest::beforeAnythingRan()
{
    RunStore store;
    store.setRun(qs::tests::sampleRun({.rounds = 0}));
    const Model model(store);
    const char* id = "bf16-none-b1";
    QCOMPARE(text(model, id, columnOf("status")), QStringLiteral("planned"));
    QVERIFY(!value(model, id, columnOf("throughput")).isValid());
    QVERIFY(tip(model, id, columnOf("throughput")).contains(QStringLiteral("not measured yet")));
    QCOMPARE(severity(model, id, columnOf("throughput")), Severity::Muted);
    // Known from the plan alone.
    QVERIFY(value(model, id, columnOf("weights")).isValid());
    QVERIFY(tip(model, id, columnOf("weights")).contains(QStringLiteral("Expected")));
}

void CellTableModelTest::failuresSayWhy()
{
    RunStore store;
    store.setRun(qs::tests::sampleRun({.withFailures = true}));
    const Model model(store);
    const char* id = "int8dq-cuda-graph-b64";
    QCOMPARE(text(model, id, columnOf("status")), QStringLiteral("oom"));
    QCOMPARE(severity(model, id, columnOf("status")), Severity::Error);
    QVERIFY(text(model, id, columnOf("reason")).contains(QStringLiteral("out of memory")));
    QVERIFY(tip(model, id, columnOf("throughput")).contains(QStringLiteral("out of memory")));
}

void CellTableModelTest::rowsChangeInPlace()
{
    qs::core::RunData data = qs::tests::sampleRun();
    const auto rows = std::exchange(data.measurements, {});
    RunStore store;
    store.setRun(std::move(data));
    Model model(store);
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy resets(&model, &Model::modelReset);
    QSignalSpy changes(&model, &Model::dataChanged);
    for (const auto& row : rows) {
        const qsizetype before = changes.count();
        store.addMeasurement(row);
        QTRY_VERIFY(changes.count() > before);
    }
    QCOMPARE(resets.count(), 0);
    QVERIFY(changes.count() >= static_cast<int>(rows.size()));
    QCOMPARE(text(model, "bf16-none-b1", columnOf("rounds")), QStringLiteral("3 of 3"));
    store.setRun(qs::tests::sampleRun());
    QCOMPARE(resets.count(), 1);
}

// What a row shows.
QStringList textsOf(const Model& model, int row)
{
    QStringList texts;
    for (int column = 0; column < model.columnCount(); ++column)
        texts << model.index(row, column).data().toString();
    return texts;
}

void CellTableModelTest::onlyChangedRowsAreAnnounced()
{
    qs::core::RunData data = qs::tests::sampleRun();
    qs::core::Measurement last = data.measurements.back();
    data.measurements.pop_back();
    RunStore store;
    store.setRun(std::move(data));
    const Model model(store);
    QList<QStringList> before;
    for (int row = 0; row < model.rowCount(); ++row)
        before << textsOf(model, row);
    QSignalSpy changes(&model, &Model::dataChanged);
    store.addMeasurement(last);
    QTRY_VERIFY(changes.count() > 0);
    QSet<int> announced;
    for (const QList<QVariant>& change : changes) {
        QCOMPARE(change[1].toModelIndex().column(), static_cast<int>(cellColumns().size()) - 1);
        for (int row = change[0].toModelIndex().row(); row <= change[1].toModelIndex().row(); ++row)
            announced << row;
    }
    // The cell itself, and those that its row says something new about: verdicts and what they are
    // judged on. The baseline of another batch is none of them.
    QVERIFY(announced.contains(model.rowOf(QString::fromStdString(last.cellId))));
    QVERIFY(announced.size() < model.rowCount());
    for (int row = 0; row < model.rowCount(); ++row)
        QVERIFY(announced.contains(row) || textsOf(model, row) == before[row]);
}

void CellTableModelTest::baselineChangesTheHeading()
{
    RunStore store;
    store.setRun(qs::tests::sampleRun());
    const Model model(store);
    QSignalSpy headers(&model, &Model::headerDataChanged);
    QSignalSpy changes(&model, &Model::dataChanged);
    store.setBaseline(QStringLiteral("bf16-eager"));
    QTRY_COMPARE(headers.count(), 1);
    QVERIFY(changes.count() >= 1);
    QCOMPARE(heading(model, columnOf("speedup")), QStringLiteral("Speed-up vs bf16 eager"));
    QCOMPARE(text(model, "bf16-none-b4", columnOf("speedup")), QStringLiteral("1× (baseline)"));
}

void CellTableModelTest::untrainedWeightsShowDeviation()
{
    RunStore store;
    qs::core::RunData data = qs::tests::sampleRun({.trained = false});
    store.setRun(data);
    for (qs::core::PlannedCell& cell : data.plan.cells)
        cell.output = qs::core::OutputKind::Logits;
    for (qs::core::OutputQuality& quality : data.qualities)
        quality.set("kl_divergence", 0.01);
    RunStore logits;
    logits.setRun(data);
    const Model other(logits);
    QVERIFY(value(other, "int8dq-none-b4", columnOf("kl_divergence_mean")).isValid());
    QVERIFY(!other.usefulColumn(columnOf("kl_divergence_mean")));
    QVERIFY(other.usefulColumn(columnOf("relative_l2_mean")));
    const Model model(store);
    QVERIFY(heading(model, columnOf("relative_l2_mean"))
                .startsWith(QStringLiteral("Numeric deviation (random weights or inputs)")));
    QVERIFY(model.usefulColumn(columnOf("relative_l2_mean")));
    QVERIFY(!model.usefulColumn(columnOf("ssim_mean")));
    const char* id = "int8dq-none-b4";
    // sqrt(0.004 (1 + 0.1 i)) / 2 for four pictures: their mean, and twice the largest.
    QVERIFY(qAbs(value(model, id, columnOf("relative_l2_mean")).toDouble() - 0.03384) < 5e-4);
    QVERIFY(qAbs(value(model, id, columnOf("max_difference_worst")).toDouble() - 0.07211) < 5e-5);
    for (const auto column : {columnOf("psnr_mean"), columnOf("noise_multiple"),
                              columnOf("reconstruction_psnr"), columnOf("reconstruction_ssim")}) {
        QVERIFY(!value(model, id, column).isValid());
        QVERIFY(!model.usefulColumn(column));
    }
}

void CellTableModelTest::rawDifferences()
{
    for (const bool trained : {true, false}) {
        qs::core::RunData data = qs::tests::sampleRun({.trained = trained});
        RunStore store;
        store.setRun(data);
        const Model model(store);
        const char* id = "int8dq-none-b4";
        // The largest of four pictures, and means: of 0.004 (1 + 0.1 i), and of half its root.
        QVERIFY(qAbs(value(model, id, columnOf("max_difference_worst")).toDouble() - 0.07211) <
                5e-5);
        QCOMPARE(text(model, id, columnOf("max_difference_worst")), QStringLiteral("0.0721"));
        QCOMPARE(text(model, id, columnOf("mean_difference_mean")), QStringLiteral("0.00460"));
        QVERIFY(qAbs(value(model, id, columnOf("relative_l2_mean")).toDouble() - 0.03384) < 5e-4);
        QVERIFY(!value(model, id, columnOf("cosine_mean")).isValid());
        QCOMPARE(text(model, id, columnOf("cosine_mean")), QStringLiteral("—"));
        QVERIFY(!value(model, "bf16-none-b4", columnOf("max_difference_worst")).isValid());
        QCOMPARE(text(model, "bf16-none-b4-again", columnOf("mean_difference_mean")),
                 QStringLiteral("identical"));
        for (const int column : {columnOf("max_difference_worst"), columnOf("mean_difference_mean"),
                                 columnOf("relative_l2_mean"), columnOf("cosine_mean")}) {
            QCOMPARE(model.usefulColumn(column),
                     !trained && column == columnOf("relative_l2_mean"));
            QVERIFY(heading(model, column).size() > 5);
        }
        for (qs::core::OutputQuality& quality : data.qualities)
            quality.set("cosine", 0.99999512);
        store.setRun(std::move(data));
        QCOMPARE(text(model, id, columnOf("cosine_mean")), QStringLiteral("0.99999512"));
    }
}

void CellTableModelTest::stagesNameTheirColumns()
{
    qs::core::RunData data = qs::tests::sampleRun();
    for (auto& row : data.measurements) {
        for (std::size_t i = 0; i < row.result.stages.size(); ++i)
            row.result.stages[i].stage = i == 0 ? "prefill" : "decode";
    }
    RunStore store;
    store.setRun(std::move(data));
    const Model model(store);
    QCOMPARE(heading(model, columnOf("first_stage")), QStringLiteral("Prefill (ms)"));
    QCOMPARE(heading(model, columnOf("second_stage")), QStringLiteral("Decode (ms)"));
    QVERIFY(value(model, "bf16-none-b4", columnOf("second_stage")).isValid());
}

void CellTableModelTest::identicalOutputs()
{
    RunStore store;
    store.setRun(qs::tests::sampleRun());
    const Model model(store);
    QCOMPARE(text(model, "bf16-cuda-graph-b4", columnOf("ssim_mean")), QStringLiteral("identical"));
    QCOMPARE(text(model, "bf16-cuda-graph-b4", columnOf("psnr_mean")), QStringLiteral("identical"));
    QVERIFY(qIsInf(value(model, "bf16-cuda-graph-b4", columnOf("psnr_mean")).toDouble()));
    // The reference has nothing to be compared with.
    QVERIFY(!value(model, "bf16-none-b4", columnOf("psnr_mean")).isValid());
    QVERIFY(
        text(model, "int8dq-none-b4", columnOf("noise_multiple")).endsWith(QStringLiteral("×")));
    QVERIFY(
        tip(model, "int8dq-none-b4", columnOf("noise_multiple")).contains(QStringLiteral("fp32")));
}

void CellTableModelTest::otherBatchesAreNoExcuse()
{
    qs::core::RunData data = qs::tests::sampleRun();
    std::erase_if(data.qualities, [](const auto& quality) {
        return !quality.cellId.ends_with("-b4") && quality.cellId != "bf16-cuda-graph-b1";
    });
    RunStore store;
    store.setRun(std::move(data));
    const Model model(store);
    QCOMPARE(text(model, "int8dq-none-b16", columnOf("ssim_mean")), QStringLiteral("—"));
    QVERIFY2(tip(model, "int8dq-none-b16", columnOf("ssim_mean"))
                 .contains(QStringLiteral("compared at batch 4 only.")),
             qPrintable(tip(model, "int8dq-none-b16", columnOf("ssim_mean"))));
    store.setRun([] {
        auto bare = qs::tests::sampleRun();
        bare.qualities.clear();
        return bare;
    }());
    QVERIFY(tip(model, "int8dq-none-b16", columnOf("ssim_mean"))
                .contains(QStringLiteral("were not compared with the quality reference")));
    QVERIFY(tip(model, "bf16-none-b16", columnOf("ssim_mean"))
                .contains(QStringLiteral("No value was recorded")));
}

void CellTableModelTest::usefulColumns()
{
    qs::core::RunData data = qs::tests::sampleRun();
    RunStore store;
    store.setRun(data);
    const Model model(store);
    QVERIFY(!model.usefulColumn(columnOf("device")));
    QVERIFY(model.usefulColumn(columnOf("throughput")));
    QVERIFY(!model.usefulColumn(columnOf("role")));
    // The noise-floor run has the configuration of the reference; the table tells them apart.
    QCOMPARE(text(model, "bf16-none-b4-again", columnOf("role")), QStringLiteral("noise floor"));
    QCOMPARE(text(model, "bf16-none-b4-again", columnOf("precision")),
             QStringLiteral("bf16 (again)"));
    data.plan.cells.back().config.device = "cuda:1";
    store.setRun(std::move(data));
    QVERIFY(model.usefulColumn(columnOf("device")));
    QVERIFY2(columnOf("device") < columnOf("throughput"), "it is part of what the row is called");
}

void CellTableModelTest::everyAxisTellsRowsApart()
{
    for (const qs::core::AxisSpec& axis : qs::core::axisSpecs())
        QVERIFY2(columnOf(axis.name) >= 0 && columnOf(axis.name) < columnOf("throughput"),
                 axis.name.c_str());
    qs::core::RunData data = qs::tests::sampleRun();
    RunStore store;
    store.setRun(data);
    const Model model(store);
    const int kernel = columnOf("attention");
    QVERIFY(!model.usefulColumn(kernel));
    QVERIFY(!model.commonText().contains(
        model.headerData(kernel, Qt::Horizontal, Qt::DisplayRole).toString()));
    data.plan.cells.back().config.attention = "cudnn";
    const std::string id = data.plan.cells.back().id;
    store.setRun(std::move(data));
    QVERIFY(model.essentialColumn(kernel));
    QVERIFY(!model.usefulColumn(columnOf("inputs")));
    QCOMPARE(text(model, id.c_str(), kernel), QStringLiteral("cudnn"));
}

void CellTableModelTest::costs()
{
    qs::core::RunData data = qs::tests::sampleRun();
    RunStore plain;
    plain.setRun(data);
    QVERIFY(!Model(plain).usefulColumn(columnOf("million_cost")));
    data.plan.preset.price = {3.6, "EUR"};
    RunStore store;
    store.setRun(data);
    const Model model(store);
    QVERIFY(model.usefulColumn(columnOf("million_cost")));
    QCOMPARE(heading(model, columnOf("million_cost")), QStringLiteral("Cost per million (EUR)"));
    const std::string id = qs::tests::sampleCellId("bf16", "none", 4);
    const double throughput = value(model, id.c_str(), columnOf("throughput")).toDouble();
    // 3.6 an hour are a thousandth a second.
    QVERIFY(qAbs(value(model, id.c_str(), columnOf("million_cost")).toDouble() - 1e3 / throughput) <
            1e-9);
    QVERIFY(
        tip(model, id.c_str(), columnOf("million_cost")).contains(QStringLiteral("EUR an hour")));
}

void CellTableModelTest::gates()
{
    qs::core::RunData data = qs::tests::sampleRun();
    RunStore store;
    store.setRun(data);
    Model model(store);
    QVERIFY(!model.usefulColumn(columnOf("gates")));
    const auto expectation = [](const char* gate) { return qs::core::gateFromText(gate).value(); };
    data.plan.preset.gates = {expectation("latency < 1 us"),
                              expectation("throughput > 0 for precision=int8dq"),
                              expectation("ssim_mean >= 0.1 for device=H9000")};
    store.setRun(data);
    QVERIFY(model.usefulColumn(columnOf("gates")));
    const QString id = QString::fromStdString(qs::tests::sampleCellId("int8dq", "none", 4));
    const QByteArray name = id.toLatin1();
    QVERIFY2(text(model, name, columnOf("gates")).startsWith(QStringLiteral("fails latency ")),
             qPrintable(text(model, name, columnOf("gates"))));
    QCOMPARE(severity(model, name, columnOf("gates")), Severity::Error);
    const QString all = tip(model, name, columnOf("gates"));
    QVERIFY2(all.contains(QStringLiteral("Fails: latency")), qPrintable(all));
    QVERIFY2(all.contains(QStringLiteral("Passes: throughput")), qPrintable(all));
    QVERIFY2(all.contains(QStringLiteral("Not testable: ssim_mean >= 0.1: for H9000")),
             qPrintable(all));
    // Nothing was expected of what the plan has added.
    QCOMPARE(text(model, "bf16-none-b4-again", columnOf("gates")), QString());
    QVERIFY(
        tip(model, "bf16-none-b4-again", columnOf("gates")).contains(QStringLiteral("No gate")));
    data.plan.preset.gates = {expectation("latency < 1000 s")};
    store.setRun(data);
    QCOMPARE(text(model, name, columnOf("gates")), QStringLiteral("1 of 1 pass"));
    QCOMPARE(severity(model, name, columnOf("gates")), Severity::Ok);
}

const tests::GuiTest<CellTableModelTest> registered(__FILE_NAME__);

}  // namespace qs::tst_cell_table_model

#include "tst_cell_table_model.moc"
