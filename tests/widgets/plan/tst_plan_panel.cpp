#include "core/sweep/cell_member.h"
#include "tests/support/gui_test.h"
#include "tests/widgets/support/children.h"
#include "tests/widgets/support/cpu_engine.h"
#include "tests/widgets/support/screens.h"
#include "widgets/plan/plan_panel.h"
#include "widgets/plan/plan_text.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QToolButton>

#include <atomic>
#include <memory>
#include <mutex>
#include <stdexcept>

namespace qs::tst_plan_panel {

using namespace widgets;
using tests::child;

namespace {

// A plan without opening a model: every expanded cell, int8dq at batch 4 impossible.
core::Result<core::Plan> fakePlan(const core::Preset& preset, const core::PlanOptions& options)
{
    QS_TRY(const auto cells, core::expandCells(preset, options.manyAllowed));
    core::Plan plan;
    plan.preset = preset;
    plan.devices = options.devices;
    for (const core::ExpandedCell& cell : cells) {
        core::PlannedCell planned;
        planned.id = core::cellId(cell.config, "model") + std::to_string(cell.rerun);
        planned.config = cell.config;
        planned.role = cell.role;
        planned.estimatedSeconds = 2.0;
        planned.outputValues = std::int64_t{3} * 256 * 256;
        if (cell.config.precision.front() == "int8dq" && cell.config.batch == 4)
            planned.impossible = core::remark("not with this batch");
        plan.cells.push_back(planned);
    }
    return plan;
}

core::Preset preset()
{
    core::Preset preset;
    preset.name = "Test";
    preset.description = "What it is for.";
    preset.defaults.model = "demo";
    preset.axes = {{"precision", {"bf16", "int8dq"}}, {"batch", {"1", "4"}}};
    preset.rounds = 3;
    preset.noiseFloor = false;
    return preset;
}

}  // namespace

class TestPlanPanel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { tests::setUpWidgets(); }
    void init() { tests::failOnQtWarnings(); }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    void summaryCountsCells()
    {
        const auto plan = fakePlan(preset(), {{core::describeCpu()}, {}, false});
        QVERIFY(plan.ok());
        const PlanCounts counts = countPlan(plan.value());
        QCOMPARE(counts.swept, 4);
        QCOMPARE(counts.impossible, 1);
        QCOMPARE(counts.possible, 3);
        QCOMPARE(
            planSummary(plan.value()),
            QStringLiteral(
                "2 precisions × 2 batch sizes = 4 cells (1 impossible) × 3 repeats · about 20 s"
                " · 60 MiB on disk"));
        const auto impossible = impossibleCells(plan.value());
        QCOMPARE(impossible.size(), std::size_t{1});
        QCOMPARE(impossible[0].cells, QStringList{QStringLiteral("int8dq · eager · batch 4")});
    }

    void noiseFloorAndCompilationAreNamed()
    {
        core::Preset wanted = preset();
        wanted.noiseFloor = true;
        auto plan = fakePlan(wanted, {{core::describeCpu()}, {}, false});
        QVERIFY(plan.ok());
        core::Plan changed = plan.value();
        for (core::PlannedCell& cell : changed.cells)
            cell.compileSeconds = 1.5;
        const QString text = planSummary(changed);
        QVERIFY2(text.contains(QStringLiteral("+ 4 noise-floor runs × 3 repeats")),
                 qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral(" s of it compiling · ")), qPrintable(text));
    }

    void factorsOnlyWhereTheyMultiply()
    {
        core::Preset linked = preset();
        linked.linked = {{"precision", "batch"}};
        const auto plan = fakePlan(linked, {});
        QVERIFY(plan.ok());
        QVERIFY2(planSummary(plan.value()).startsWith(QStringLiteral("2 cells")),
                 qPrintable(planSummary(plan.value())));
    }

    void times()
    {
        QCOMPARE(aboutText(0.4), QStringLiteral("about 5 s"));
        QCOMPARE(aboutText(61.0), QStringLiteral("about 65 s"));
        QCOMPARE(aboutText(240.0), QStringLiteral("about 4 min"));
        QCOMPARE(aboutText(2.5 * 3600), QStringLiteral("about 2.5 h"));
        QCOMPARE(aboutText(30.2 * 3600), QStringLiteral("about 30 h"));
        QCOMPARE(aboutText(100.0 * 3600), QStringLiteral("about 4 days"));
    }

    void showsAndRuns()
    {
        PlanPanel panel({}, fakePlan);
        panel.show();
        auto* run = child<QPushButton>(panel, "runButton");
        panel.draft().open(preset());
        QVERIFY(!run->isEnabled());
        QVERIFY(run->toolTip().contains(QStringLiteral("Detecting devices")));
        panel.setEngine(tests::cpuEngine());
        QTRY_VERIFY(run->isEnabled());
        QCOMPARE(run->text(), QStringLiteral("Run 3 · about 20 s"));
        QCOMPARE(child<QLabel>(panel, "presetDescription")->text(),
                 QStringLiteral("What it is for."));
        QVERIFY(child<QCheckBox>(panel, "choice:int8dq")->isChecked());
        QVERIFY(!child<QCheckBox>(panel, "choice:fp16")->isChecked());
        QCOMPARE(child<QSpinBox>(panel, "roundsBox")->value(), 3);
        const QSignalSpy requested(&panel, &PlanPanel::runRequested);
        run->click();
        QCOMPARE(requested.count(), 1);
        QCOMPARE(requested[0][0].value<core::Plan>().cells.size(), std::size_t{4});
    }

    void whatDoesNotFitIsSaid()
    {
        PlanPanel panel({}, fakePlan);
        panel.planned().setRunsFolder(QDir::tempPath().toStdString());
        panel.show();
        core::Preset large = preset();
        panel.draft().open(large);
        panel.setEngine(tests::cpuEngine());
        auto* summary = child<QLabel>(panel, "planSummary");
        QTRY_VERIFY(summary->text().endsWith(QStringLiteral("on disk")));
        // A petabyte.
        large.defaults.sizes.set("image_size", 16384);
        large.pictures.count = 4096;
        large.axes.push_back({"seed", {}});
        for (int seed = 0; seed < 1000; ++seed)
            large.axes.back().values.push_back(std::to_string(seed));
        panel.draft().open(large);
        QTRY_VERIFY2(summary->text().contains(QStringLiteral("; free disk space")) ||
                         summary->text().contains(QStringLiteral("of memory in one process")),
                     qPrintable(summary->text()));
    }

    void impossibleCellsAreListed()
    {
        PlanPanel panel({}, fakePlan);
        panel.show();
        panel.draft().open(preset());
        auto* toggle = child<QToolButton>(panel, "impossibleToggle");
        QTRY_VERIFY(toggle->isVisible());
        QCOMPARE(toggle->text(), QStringLiteral("1 cell cannot run here"));
        auto* list = child<QLabel>(panel, "impossibleCells");
        QVERIFY(!list->isVisible());
        toggle->click();
        QVERIFY(list->isVisible());
        QVERIFY(list->text().startsWith(QStringLiteral("not with this batch")));
    }

    // The summary above and the list count the same cells.
    void impossibleReferencesAreListedBesideTheCells()
    {
        PlanPanel panel({}, fakePlan);
        core::Preset full = preset();
        full.noiseFloor = true;
        full.axes = {{"precision", {"int8dq"}}, {"batch", {"1", "4"}}};
        core::Plan plan = fakePlan(full, {}).value();
        for (core::PlannedCell& cell : plan.cells) {
            if (cell.role == core::CellRole::NoiseFloor)
                cell.impossible = core::remark("too large");
        }
        const auto groups = impossibleCells(plan);
        QCOMPARE(groups.size(), std::size_t{2});
        QVERIFY(!groups[0].added);
        QCOMPARE(groups[0].cells.size(), qsizetype{countPlan(plan).impossible});
        QVERIFY(groups[1].added);
        QVERIFY(groups[1].cells.size() > 1);
        panel.show();
        panel.draft().open(full);
        auto* toggle = child<QToolButton>(panel, "impossibleToggle");
        QTRY_VERIFY(toggle->isVisible());
        QCOMPARE(toggle->text(), QStringLiteral("1 cell cannot run here"));
    }

    void editsKeepWhatIsNotShown()
    {
        PlanPanel panel({}, fakePlan);
        core::Preset full = preset();
        full.orderSeed = 77;
        full.exclusions = {{{{"batch", {"4"}}}, "because"}};
        full.axes.push_back({"attention", {"math", "auto"}});
        panel.draft().open(full);
        panel.setEngine(tests::cpuEngine());
        const QSignalSpy edited(&panel.draft(), &SweepDraft::edited);
        child<QCheckBox>(panel, "choice:fp16")->click();
        child<QSpinBox>(panel, "roundsBox")->setValue(2);
        QCOMPARE(edited.count(), 2);
        QCOMPARE(panel.preset().rounds, 2);
        QCOMPARE(panel.preset().orderSeed, std::int64_t{77});
        QCOMPARE(panel.preset().exclusions.size(), std::size_t{1});
        QCOMPARE(panel.preset().axes.size(), std::size_t{3});
        QCOMPARE(panel.preset().axes[0].values.size(), std::size_t{3});
    }

    void wrongNumbersBlockTheRun()
    {
        PlanPanel panel({}, fakePlan);
        panel.show();
        panel.draft().open(preset());
        panel.setEngine(tests::cpuEngine());
        auto* run = child<QPushButton>(panel, "runButton");
        QTRY_VERIFY(run->isEnabled());
        auto* batch = child<QWidget>(panel, "batchEdit")->findChild<QLineEdit*>();
        QTest::keyClicks(batch, QStringLiteral(",x"));
        QVERIFY(!run->isEnabled());
        QTest::keyClick(batch, Qt::Key_Backspace);
        QTest::keyClick(batch, Qt::Key_Backspace);
        QTRY_VERIFY(run->isEnabled());
    }

    void problemOfThePlanIsShown()
    {
        PlanPanel panel({}, [](const auto&, const auto&) -> core::Result<core::Plan> {
            return core::Error{core::ErrorCode::NotFound, "no such model"};
        });
        panel.draft().open(preset());
        panel.setEngine(tests::cpuEngine());
        QTRY_COMPARE(child<QLabel>(panel, "planSummary")->text(), QStringLiteral("no such model"));
        QVERIFY(!panel.canRun());
        QCOMPARE(child<QPushButton>(panel, "runButton")->toolTip(),
                 QStringLiteral("no such model"));
    }

    // It stands below the field of the model.
    void theProblemOfAModelIsNotRepeated()
    {
        PlanPanel panel({}, [](const auto&, const auto&) -> core::Result<core::Plan> {
            return core::Error{core::ErrorCode::NotFound, "$.defaults.model: no such model"};
        });
        panel.draft().open(preset());
        panel.setEngine(tests::cpuEngine());
        auto* summary = child<QLabel>(panel, "planSummary");
        QTRY_VERIFY(!summary->text().isEmpty() && !panel.canRun());
        QTRY_VERIFY(summary->toolTip().contains(QStringLiteral("no such model")));
        QVERIFY(!summary->text().contains(QStringLiteral("no such model")));
    }

    void queuesWhileARunGoesOn()
    {
        PlanPanel panel({}, fakePlan);
        panel.draft().open(preset());
        panel.setEngine(tests::cpuEngine());
        QTRY_VERIFY(panel.canRun());
        const auto* button = child<QPushButton>(panel, "runButton");
        QVERIFY(button->text().startsWith(QStringLiteral("Run ")));
        panel.setQueueing(true);
        QVERIFY(button->text().startsWith(QStringLiteral("Queue ")));
        const QSignalSpy requested(&panel, &PlanPanel::runRequested);
        panel.run();
        QCOMPARE(requested.count(), 1);
        panel.setQueueing(false);
        QVERIFY(button->text().startsWith(QStringLiteral("Run ")));
    }

    void appendsToTheRunInView()
    {
        PlanPanel panel({}, fakePlan);
        const auto* button = child<QPushButton>(panel, "appendButton");
        QVERIFY(!button->isHidden() && !button->isEnabled());
        panel.draft().open(preset());
        panel.setEngine(tests::cpuEngine());
        QTRY_VERIFY(panel.canRun());
        QVERIFY(!button->isEnabled());
        const QSignalSpy requested(&panel, &PlanPanel::appendRequested);
        panel.append();
        QCOMPARE(requested.count(), 0);  // there is no run
        panel.setAppendable(true);
        QVERIFY(button->isEnabled());
        panel.append();
        QCOMPARE(requested.count(), 1);
        panel.setAppendable(false);
        QVERIFY(!button->isHidden() && !button->isEnabled());
    }

    void onlyTheNewestPlanIsTold()
    {
        // The first plan takes until the second was asked for.
        std::mutex gate;
        gate.lock();
        std::atomic<int> made = 0;
        Planner planner([&](const core::Preset& asked, const core::PlanOptions& options) {
            if (made++ == 0)
                const std::lock_guard wait(gate);
            return fakePlan(asked, options);
        });
        const QSignalSpy planned(&planner, &Planner::planned);
        core::Preset first = preset();
        core::Preset second = preset();
        second.name = "Second";
        planner.request(first, {});
        QTRY_COMPARE(made.load(), 1);
        planner.request(second, {});
        QVERIFY(planner.isPlanning());
        gate.unlock();
        QTRY_COMPARE(planned.count(), 1);
        QCOMPARE(planned[0][0].value<Planner::Answer>()->value().preset.name,
                 std::string("Second"));
        QVERIFY(!planner.isPlanning());
    }

    void anExceptionIsAProblemNotTheEnd()
    {
        Planner planner([](const auto&, const auto&) -> core::Result<core::Plan> {
            throw std::runtime_error("boom");
        });
        const QSignalSpy planned(&planner, &Planner::planned);
        planner.request(preset(), {});
        QTRY_COMPARE(planned.count(), 1);
        const auto answer = planned[0][0].value<Planner::Answer>();
        QVERIFY(!answer->ok());
        QVERIFY(answer->error().message.find("boom") != std::string::npos);
    }

    void looksRight()
    {
        for (const bool dark : {false, true}) {
            PlanPanel panel({}, fakePlan);
            panel.setPalette(dark ? tests::darkPalette() : tests::lightPalette());
            panel.draft().open(preset());
            panel.setEngine(tests::cpuEngine());
            QTRY_VERIFY(panel.canRun());
            panel.resize(320, 760);
            panel.show();
            child<QToolButton>(panel, "impossibleToggle")->click();
            const QImage image = tests::screenshot(panel, dark ? QStringLiteral("plan-dark")
                                                               : QStringLiteral("plan-light"));
            QCOMPARE(image.width(), qRound(320 * panel.devicePixelRatioF()));
        }
    }
};

const tests::GuiTest<TestPlanPanel> registered(__FILE_NAME__);

}  // namespace qs::tst_plan_panel

#include "tst_plan_panel.moc"
