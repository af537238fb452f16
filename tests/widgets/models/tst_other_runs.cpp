#include "core/analysis/measured_run.h"
#include "core/run/program_paths.h"
#include "tests/support/gui_test.h"
#include "tests/support/sample_run.h"
#include "tests/widgets/support/other_run.h"
#include "widgets/models/cell_table_model.h"
#include "widgets/models/other_runs.h"

#include <QRegularExpression>
#include <QSignalSpy>

#include <algorithm>
#include <functional>

namespace qs::tst_other_runs {

using namespace widgets;

namespace {

constexpr int kReadMs = 30'000;

core::MeasuredRun example(const std::string& name, core::RowPlace rows)
{
    auto read =
        core::readMeasuredRun(core::locatePrograms().resources / "example_runs" / name, rows);
    if (!read.ok())
        qFatal("%s", read.error().message.c_str());
    return std::move(read).value();
}

std::shared_ptr<const OtherRun> exampleBeside(const std::string& name)
{
    core::MeasuredRun read = example(name, core::RowPlace::InJournal);
    return tests::otherRun(name, std::move(read.data), std::move(read.figures));
}

// The sample run in an environment that differs from its own.
core::RunData measuredOn(const std::function<void(core::Environment&)>& change)
{
    core::RunData data = tests::sampleRun();
    change(data.environments.front());
    for (core::Measurement& row : data.measurements)
        row.environmentId = data.environments.front().id();
    return data;
}

QVariant valueOf(const CellTableModel& model, const std::string& cell, const char* column)
{
    return model.index(model.rowOf(QString::fromStdString(cell)), columnOf(column))
        .data(CellTableModel::SortRole);
}

}  // namespace

// Runs that are laid beside the one in view.
class TestOtherRuns : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral("."))); }
    void figuresAreThoseOfTheCommandLine();
    void columnsComeAndGo();
    void headingsSayWhatChanged();
    void verdictsAcrossDevicesSaySo();
    void anotherRunEndsTheComparison();
    void newRowsAreCompared();
    void runsWithoutCommonCells();
    void noMoreThanCanBeRead();
};

// What `quantscope-cli compare` computes for the shipped runs of one plan, to the last digit.
void TestOtherRuns::figuresAreThoseOfTheCommandLine()
{
    const auto before = exampleBeside("demo_cpu_one_thread");
    const auto after = exampleBeside("demo_cpu_one_thread_again");
    const core::RunComparison expected = core::compareRuns(before->side(), after->side());
    QVERIFY(expected.cells.size() > 5);

    RunStore store;
    const CellTableModel model(store);
    store.setRun(example("demo_cpu_one_thread", core::RowPlace::InMemory).data);
    store.others().lay({after});
    QTRY_COMPARE_WITH_TIMEOUT(store.others().beside().size(), std::size_t{1}, kReadMs);
    const RunBeside& beside = *store.others().beside().front();
    QCOMPARE(beside.comparison.cells.size(), expected.cells.size());
    int judged = 0;
    for (const core::MatchedCell& cell : expected.cells) {
        const core::MatchedCell* found = beside.find(cell.before->cellId);
        QVERIFY(found != nullptr);
        QVERIFY(found->status == cell.status && found->speed == cell.speed &&
                found->quality == cell.quality && found->identical == cell.identical &&
                found->memoryRatio == cell.memoryRatio);
        QCOMPARE(beside.findOther(cell.after->cellId), found);
        const QVariant ratio = valueOf(model, cell.before->cellId, "other_ratio");
        QCOMPARE(ratio.isValid(), cell.speed.has_value());
        QCOMPARE(valueOf(model, cell.before->cellId, "other_throughput").toDouble(),
                 cell.after->measured ? cell.after->throughput : 0.0);
        if (!cell.speed)
            continue;
        ++judged;
        QCOMPARE(ratio.toDouble(), cell.speed->evidence.ratio.value);
        QCOMPARE(valueOf(model, cell.before->cellId, "other_verdict").toString(),
                 widgets::verdictText(*cell.speed));
        const QModelIndex verdict = model.index(
            model.rowOf(QString::fromStdString(cell.before->cellId)), columnOf("other_verdict"));
        QCOMPARE(verdict.data(CellTableModel::VerdictToneRole).toInt(),
                 static_cast<int>(claimTone(*cell.speed)));
    }
    QVERIFY(judged > 5);
}

void TestOtherRuns::columnsComeAndGo()
{
    RunStore store;
    const CellTableModel model(store);
    store.setRun(tests::sampleRun());
    const auto useful = [&](const char* id) { return model.usefulColumn(columnOf(id)); };
    QVERIFY(!useful("other_throughput") && !useful("other_ratio") && !useful("other_verdict"));
    QSignalSpy headings(&model, &QAbstractItemModel::headerDataChanged);
    store.others().lay({tests::otherRun("yesterday", tests::sampleRun())});
    QVERIFY(store.others().isComparing());
    QTRY_VERIFY(useful("other_throughput") && useful("other_ratio") && useful("other_verdict"));
    QVERIFY(!useful("other_throughput_2"));
    QVERIFY(!headings.isEmpty());
    QVERIFY(
        model.headerData(columnOf("other_throughput"), Qt::Horizontal, CellTableModel::FullTextRole)
            .toString()
            .contains(QStringLiteral("yesterday")));
    const std::string cell = tests::sampleCellId("int8dq", "none", 4);
    QCOMPARE(valueOf(model, cell, "other_ratio").toDouble(), 1.0);
    // The selection and the ratios within the run are none of the comparison's business.
    QVERIFY(valueOf(model, cell, "speedup").isValid());
    store.others().leave();
    QVERIFY(!useful("other_throughput"));
    QVERIFY(!valueOf(model, cell, "other_ratio").isValid());
}

// What the table shows is short; copies and tooltips name the change.
void TestOtherRuns::headingsSayWhatChanged()
{
    RunStore store;
    const CellTableModel model(store);
    store.setRun(tests::sampleRun());
    store.others().lay({tests::otherRun("yesterday", measuredOn([](core::Environment& environment) {
                                            environment.devices.front().driver = "999.1";
                                        }))});
    QTRY_VERIFY(!store.others().beside().empty());
    const auto says = [&](const char* column, int role) {
        return model.headerData(columnOf(column), Qt::Horizontal, role)
            .toString()
            .contains(QStringLiteral("999.1"));
    };
    for (const char* column : {"other_ratio", "other_verdict"}) {
        QVERIFY(says(column, Qt::ToolTipRole));
        QVERIFY(!says(column, Qt::DisplayRole));
    }
    QVERIFY(says("other_verdict", CellTableModel::FullTextRole));
    // Another driver is no other device.
    const std::string cell = tests::sampleCellId("int8dq", "none", 4);
    const core::MatchedCell* matched = store.others().beside().front()->find(cell);
    QCOMPARE(valueOf(model, cell, "other_verdict").toString(),
             widgets::verdictText(*matched->speed));
    store.others().leave();
    QVERIFY(!says("other_verdict", Qt::ToolTipRole));
}

void TestOtherRuns::verdictsAcrossDevicesSaySo()
{
    RunStore store;
    const CellTableModel model(store);
    store.setRun(tests::sampleRun());
    store.others().lay({tests::otherRun("elsewhere", measuredOn([](core::Environment& environment) {
                                            environment.devices.front().name = "NVIDIA X1";
                                        }))});
    QTRY_VERIFY(!store.others().beside().empty());
    const std::string cell = tests::sampleCellId("int8dq", "none", 4);
    const core::MatchedCell* matched = store.others().beside().front()->find(cell);
    QVERIFY(matched->otherDevice);
    const QString word = widgets::verdictText(*matched->speed);
    const QString shown = valueOf(model, cell, "other_verdict").toString();
    QVERIFY2(!word.isEmpty() && shown.startsWith(word) && shown.size() > word.size(),
             qPrintable(shown));
}

void TestOtherRuns::anotherRunEndsTheComparison()
{
    RunStore store;
    store.setRun(tests::sampleRun());
    store.others().lay({tests::otherRun("yesterday", tests::sampleRun())});
    QTRY_VERIFY(!store.others().beside().empty());
    store.setRun(tests::sampleRun({.rounds = 1}));
    QVERIFY(store.others().laid().empty());
    QVERIFY(store.others().beside().empty());
    // One that is on its way is of the run of before.
    store.others().lay({tests::otherRun("yesterday", tests::sampleRun())});
    store.setRun(tests::sampleRun());
    QVERIFY(!store.others().isComparing());
    QTest::qWait(50);
    QVERIFY(store.others().beside().empty());
}

void TestOtherRuns::newRowsAreCompared()
{
    RunStore store;
    const core::RunData whole = tests::sampleRun();
    store.setRun(tests::sampleRun({.rounds = 0}));
    store.others().lay({tests::otherRun("yesterday", whole)});
    QTRY_VERIFY(!store.others().beside().empty());
    const std::string cell = tests::sampleCellId("bf16", "none", 4);
    const auto ratioIsKnown = [&] {
        const auto& beside = store.others().beside();
        const core::MatchedCell* found = beside.empty() ? nullptr : beside.front()->find(cell);
        return found != nullptr && found->speed.has_value();
    };
    QVERIFY(!ratioIsKnown());
    for (const core::Measurement& row : whole.measurements)
        store.addMeasurement(row);
    QTRY_VERIFY(ratioIsKnown());
}

void TestOtherRuns::runsWithoutCommonCells()
{
    RunStore store;
    const CellTableModel model(store);
    store.setRun(tests::sampleRun());
    core::RunData other = tests::sampleRun();
    for (core::PlannedCell& cell : other.plan.cells)
        cell.config.batch += 1000;
    store.others().lay({tests::otherRun("elsewhere", std::move(other))});
    QTRY_VERIFY(!store.others().beside().empty());
    QVERIFY(store.others().beside().front()->comparison.cells.empty());
    QVERIFY(!model.usefulColumn(columnOf("other_throughput")));
    QVERIFY(!model.usefulColumn(columnOf("other_ratio")));
}

void TestOtherRuns::noMoreThanCanBeRead()
{
    RunStore store;
    store.setRun(tests::sampleRun());
    std::vector<std::shared_ptr<const OtherRun>> many;
    for (const char* name : {"a", "b", "c", "d", "e"})
        many.push_back(tests::otherRun(name, tests::sampleRun()));
    store.others().lay(many);
    QTRY_COMPARE(store.others().beside().size(), OtherRuns::kMost);
    QSignalSpy shown(&store.others(), &OtherRuns::shownChanged);
    QCOMPARE(store.others().shown()->run->name, QStringLiteral("a"));
    store.others().show(2);
    QCOMPARE(store.others().shown()->run->name, QStringLiteral("c"));
    QCOMPARE(shown.count(), 1);
}

const tests::GuiTest<TestOtherRuns> registered(__FILE_NAME__);

}  // namespace qs::tst_other_runs

#include "tst_other_runs.moc"
