#include "app/gui/runs/adapt_preset.h"
#include "app/gui/runs/example_banner.h"
#include "app/gui/runs/run_catalogue.h"
#include "app/gui/runs/run_here.h"
#include "app/gui/runs/runs_page.h"
#include "core/record/run_folder.h"
#include "tests/support/gui_test.h"
#include "tests/support/sample_run.h"
#include "tests/support/test_folder.h"
#include "tests/widgets/support/children.h"
#include "tests/widgets/support/screens.h"
#include "widgets/plan/plan_text.h"

#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTreeView>

#include <semaphore>

namespace qs::tst_runs {

using namespace app;
using tests::child;

namespace {

constexpr int kReadMs = 10'000;

// Stores the first `rows` rows of a sample run.
void storeRun(const std::filesystem::path& folder, std::size_t rows)
{
    const core::RunData data = tests::sampleRun();
    auto stored = core::RunFolder::create(folder, data.plan, data.environments.front());
    QVERIFY2(stored.ok(), stored.ok() ? "" : stored.error().message.c_str());
    for (std::size_t i = 0; i < std::min(rows, data.measurements.size()); ++i)
        QVERIFY(stored.value().addMeasurement(data.measurements[i]).ok());
}

core::DeviceDescription device(const std::string& id, core::DeviceKind kind)
{
    core::DeviceDescription description;
    description.id = id;
    description.kind = kind;
    return description;
}

const core::DeviceDescription kCpu = device("cpu", core::DeviceKind::Cpu);
const core::DeviceDescription kGpu = device("cuda:0", core::DeviceKind::Cuda);

}  // namespace

// Runs of before: their list, and measuring the same on this computer.
class TestRuns : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnQtWarnings(); }
    void summaries();
    void damagedFoldersAreListedWithTheirReason();
    void listOwnRunsBeforeExamples();
    void emptyListSaysWhatToDo();
    void buttonsFollowTheSelection();
    void bannerNamesTheDevice();
    void presetsAreAdaptedToTheDevices();
    void quickVariantIsSmall();
    void shortRunsBeginAtOnce();
    void longRunsAreAskedAbout();
    void nothingIsOfferedBeforeBothPlansAreThere();
    void sweepsThatCannotRunSaySo();
};

void TestRuns::summaries()
{
    const tests::TestFolder folder;
    storeRun(folder / "whole", 1000);
    storeRun(folder / "part", 3);
    storeRun(folder / "begun", 0);
    const RunSummary whole = summarizeRun(folder / "whole", false);
    QCOMPARE(whole.problem, QString());
    QVERIFY(whole.complete);
    QCOMPARE(whole.cellsMeasured, whole.cellsPossible);
    QCOMPARE(whole.best.standing, BestCell::Standing::Ratio);
    QVERIFY(whole.best.speedup.has_value() && *whole.best.speedup > 1.0);
    QCOMPARE(whole.best.tone, widgets::VerdictTone::Better);
    QVERIFY(!whole.best.name.isEmpty());
    QVERIFY(whole.started.isValid());
    QVERIFY2(whole.device.contains(QStringLiteral("H200")), qPrintable(whole.device));
    const RunSummary part = summarizeRun(folder / "part", true);
    QVERIFY(!part.complete);
    QVERIFY(part.example);
    QVERIFY(part.cellsMeasured > 0 && part.cellsMeasured < part.cellsPossible);
    const RunSummary begun = summarizeRun(folder / "begun", false);
    QCOMPARE(begun.cellsMeasured, 0);
    QVERIFY(!begun.complete);
    QVERIFY(!begun.started.isValid());
    QCOMPARE(begun.best.standing, BestCell::Standing::None);
}

void TestRuns::damagedFoldersAreListedWithTheirReason()
{
    const tests::TestFolder folder;
    storeRun(folder / "run", 3);
    tests::writeFile(folder / "run" / "plan.json", "{");
    const RunSummary summary = summarizeRun(folder / "run", false);
    QCOMPARE(summary.name, QStringLiteral("run"));
    QVERIFY2(summary.problem.contains(QStringLiteral("plan.json")), qPrintable(summary.problem));
    QVERIFY(findRunFolders(folder / "nowhere").empty());
}

void TestRuns::listOwnRunsBeforeExamples()
{
    const tests::TestFolder folder;
    storeRun(folder / "runs" / "20260101-one", 3);
    storeRun(folder / "runs" / "20260202-two", 3);
    storeRun(folder / "examples" / "shipped", 1000);
    std::filesystem::create_directories(folder / "runs" / "no run");
    RunCatalogue catalogue(folder / "runs", folder / "examples");
    catalogue.refresh();
    QVERIFY(catalogue.isReading());
    QTRY_VERIFY_WITH_TIMEOUT(!catalogue.isReading(), kReadMs);
    QCOMPARE(catalogue.rowCount(), 3);
    QCOMPARE(catalogue.run(0).folder, folder / "runs" / "20260202-two");
    QCOMPARE(catalogue.run(1).folder, folder / "runs" / "20260101-one");
    QVERIFY(catalogue.run(2).example);
    const QModelIndex shipped = catalogue.index(2, RunCatalogue::Name);
    QVERIFY(shipped.data(Qt::FontRole).value<QFont>().italic());
    QVERIFY(!catalogue.index(1, RunCatalogue::Name).data(Qt::FontRole).isValid());
    // Where slanted letters are not seen, a word says it.
    QCOMPARE(shipped.data().toString(), catalogue.run(2).shownName());
    QVERIFY(shipped.data(Qt::AccessibleTextRole).toString() != catalogue.run(2).shownName());
    QVERIFY(shipped.data(RunCatalogue::SearchRole).toString().contains(QLatin1String("example")));
    // What has changed on disk is seen, also when it is asked for twice in a row.
    storeRun(folder / "runs" / "20260303-three", 3);
    catalogue.refresh();
    catalogue.refresh();
    QTRY_COMPARE_WITH_TIMEOUT(catalogue.rowCount(), 4, kReadMs);
    QTRY_VERIFY_WITH_TIMEOUT(!catalogue.isReading(), kReadMs);
}

void TestRuns::emptyListSaysWhatToDo()
{
    const tests::TestFolder folder;
    RunsPage page(folder / "runs", folder / "examples");
    page.show();
    page.refresh();
    QTRY_VERIFY_WITH_TIMEOUT(!page.catalogue().isReading(), kReadMs);
    QVERIFY(child<QLabel>(page, "runsHint")->isVisible());
    QVERIFY(child<QLabel>(page, "runsHint")->text().contains(QStringLiteral("Press Run")));
    QVERIFY(!child<QPushButton>(page, "openSelectedRun")->isEnabled());
}

void TestRuns::buttonsFollowTheSelection()
{
    const tests::TestFolder folder;
    storeRun(folder / "runs" / "b-whole", 1000);
    storeRun(folder / "runs" / "a-part", 3);
    storeRun(folder / "examples" / "shipped", 3);
    RunsPage page(folder / "runs", folder / "examples");
    page.resize(900, 400);
    page.show();
    page.refresh();
    QTRY_VERIFY_WITH_TIMEOUT(page.catalogue().rowCount() == 3 && !page.isBusy(), kReadMs);
    auto* list = child<QTreeView>(page, "runsList");
    auto* open = child<QPushButton>(page, "openSelectedRun");
    auto* resume = child<QPushButton>(page, "resumeRun");
    auto* repeat = child<QPushButton>(page, "repeatRun");
    const auto select = [&](int row) { list->setCurrentIndex(list->model()->index(row, 0)); };
    select(0);
    QVERIFY(open->isEnabled());
    QVERIFY(!resume->isEnabled());  // nothing is left
    select(2);
    QVERIFY(!resume->isEnabled());  // not ours to change
    QVERIFY(repeat->isEnabled());
    select(1);
    QVERIFY(resume->isEnabled());
    const QSignalSpy resumed(&page, &RunsPage::resumeRequested);
    resume->click();
    QCOMPARE(resumed.at(0).at(0).toString(),
             QString::fromStdString((folder / "runs" / "a-part").string()));
    const QSignalSpy opened(&page, &RunsPage::openRequested);
    QTest::keyClick(list, Qt::Key_Return);
    QCOMPARE(opened.count(), 1);
    page.setRunning(folder / "runs" / "b-whole");
    QVERIFY(open->isEnabled());  // any run can be looked at meanwhile
    QVERIFY(!resume->isEnabled());
    // As airy as the table, and names that differ at their end can be told apart.
    const QRect row = list->visualRect(list->model()->index(0, 0));
    QVERIFY(row.height() >= list->fontMetrics().height() * 3 / 2);
    QCOMPARE(list->textElideMode(), Qt::ElideMiddle);
    tests::screenshot(page, QStringLiteral("runs-page"));
}

void TestRuns::bannerNamesTheDevice()
{
    ExampleBanner banner;
    QVERIFY(banner.isHidden());
    const core::RunData data = tests::sampleRun();
    banner.showRun(data, true);
    QVERIFY(!banner.isHidden());
    const QString text = child<QLabel>(banner, "exampleText")->text();
    QVERIFY2(text.contains(QStringLiteral("H200")), qPrintable(text));
    auto* here = child<QPushButton>(banner, "runExampleHere");
    const QSignalSpy asked(&banner, &ExampleBanner::runHereRequested);
    banner.setOffer(QStringLiteral("Run here (8 cells)"), QStringLiteral("A run is in progress"));
    QVERIFY(!here->isEnabled());
    banner.setOffer(QStringLiteral("Run here (8 cells)"), {});
    QCOMPARE(here->text(), QStringLiteral("Run here (8 cells)"));
    here->click();
    QCOMPARE(asked.count(), 1);
    banner.showRun(data, false);
    QVERIFY(banner.isHidden());
}

void TestRuns::presetsAreAdaptedToTheDevices()
{
    core::Preset preset;
    preset.defaults.device = "cuda:0";
    preset.axes = {{"device", {"cpu", "cuda:0"}}, {"batch", {"1", "2"}}};
    const core::Preset laptop = adaptPreset(preset, {kCpu});
    QCOMPARE(laptop.defaults.device, std::string("cpu"));
    QCOMPARE(laptop.axes.size(), std::size_t{2});
    QCOMPARE(laptop.axes[0].values, std::vector<std::string>{"cpu"});
    const core::Preset server = adaptPreset(preset, {kCpu, kGpu});
    QCOMPARE(server.defaults.device, std::string("cuda:0"));
    QCOMPARE(server.axes[0].values.size(), std::size_t{2});
    preset.defaults.device = "cuda:3";
    preset.axes = {{"device", {"cuda:3"}}};
    const core::Preset other = adaptPreset(preset, {kCpu, kGpu});
    QCOMPARE(other.defaults.device, std::string("cuda:0"));
    QVERIFY(other.axes.empty());
}

void TestRuns::quickVariantIsSmall()
{
    core::Preset preset;
    preset.rounds = 5;
    preset.axes = {{"batch", {"64", "1", "16", "4"}}, {"precision", {"bf16", "int8dq", "fp16"}}};
    core::Preset quick = quickVariant(preset);
    QCOMPARE(quick.rounds, 1);
    QCOMPARE(quick.axes[0].values, (std::vector<std::string>{"1", "4"}));
    // What is compared stays.
    QCOMPARE(quick.axes[1].values.size(), std::size_t{3});
    QVERIFY(quick.pictures.count < preset.pictures.count);
    QVERIFY(quick.pictures.count >= static_cast<int>(core::kFewestPictures));
    QVERIFY(quick.measurement.maximumSampleSeconds < preset.measurement.maximumSampleSeconds);
    // Axes that advance together keep their values.
    preset.linked = {{"batch", "precision"}};
    quick = quickVariant(preset);
    QCOMPARE(quick.axes[0].values.size(), std::size_t{4});
}

namespace {

// Plans one cell of so many seconds for each round and image.
widgets::Planner::Maker costing(double seconds)
{
    return [seconds](const core::Preset& preset, const core::PlanOptions& options) {
        core::Plan plan;
        plan.preset = preset;
        plan.devices = options.devices;
        plan.cells.resize(1);
        plan.cells[0].id = "one";
        plan.cells[0].estimatedSeconds = seconds * preset.pictures.count;
        return core::Result<core::Plan>(plan);
    };
}

}  // namespace

void TestRuns::shortRunsBeginAtOnce()
{
    QWidget window;
    RunHere here(window, {}, costing(0.5));
    const QSignalSpy wanted(&here, &RunHere::runRequested);
    here.ask();
    QCOMPARE(wanted.count(), 0);  // nothing is offered yet
    core::Preset named;
    named.name = std::string(500, 'x');
    here.offer(named, {kCpu});
    QVERIFY(!here.obstacle().isEmpty());
    QTRY_VERIFY_WITH_TIMEOUT(!here.isPlanning(), kReadMs);
    QCOMPARE(here.obstacle(), QString());
    QVERIFY2(here.buttonText().contains(QStringLiteral("1 cell")), qPrintable(here.buttonText()));
    QVERIFY(!here.buttonText().contains(QChar(0x2026)));
    // The run that begins takes the place of the example, and there is nothing to offer any more.
    std::string begun;
    connect(&here, &RunHere::runRequested, this, [&](const core::Plan& plan) {
        here.offer(std::nullopt, {});
        begun = plan.preset.name;
    });
    here.ask();
    QCOMPARE(wanted.count(), 1);
    QCOMPARE(begun, named.name);
    QVERIFY(window.findChild<QMessageBox*>() == nullptr);
}

void TestRuns::longRunsAreAskedAbout()
{
    QWidget window;
    RunHere here(window, {}, costing(100.0));
    const QSignalSpy wanted(&here, &RunHere::runRequested);
    here.offer(core::Preset{}, {kCpu});
    QTRY_VERIFY_WITH_TIMEOUT(!here.isPlanning(), kReadMs);
    // The button says the cost, and that it asks.
    QVERIFY2(here.buttonText().endsWith(QChar(0x2026)), qPrintable(here.buttonText()));
    QVERIFY(here.buttonText().contains(widgets::aboutText(100.0 * 16 * 5)));
    here.ask();
    QCOMPARE(wanted.count(), 0);
    child<QMessageBox>(window, "runHereQuestion")->reject();
    QTRY_VERIFY(window.findChild<QMessageBox*>() == nullptr);
    QCOMPARE(wanted.count(), 0);
    here.ask();
    auto* quick = child<QPushButton>(window, "runHereQuick");
    QCOMPARE(child<QMessageBox>(window, "runHereQuestion")->defaultButton(), quick);
    QTest::mouseClick(quick, Qt::LeftButton);
    QCOMPARE(wanted.count(), 1);
    QCOMPARE(wanted[0][0].value<core::Plan>().preset.rounds, 1);
    QTRY_VERIFY(window.findChild<QMessageBox*>() == nullptr);
    here.ask();
    QTest::mouseClick(child<QPushButton>(window, "runHereWhole"), Qt::LeftButton);
    QCOMPARE(wanted[1][0].value<core::Plan>().preset.rounds, 5);
    QTRY_VERIFY(window.findChild<QMessageBox*>() == nullptr);
}

void TestRuns::nothingIsOfferedBeforeBothPlansAreThere()
{
    QWidget window;
    std::binary_semaphore quickMayEnd(0);
    const auto plan = costing(100.0);
    RunHere here(window, {}, [&](const core::Preset& preset, const core::PlanOptions& options) {
        if (preset.rounds == 1)
            quickMayEnd.acquire();
        return plan(preset, options);
    });
    const QSignalSpy changes(&here, &RunHere::offerChanged);
    here.offer(core::Preset{}, {kCpu});
    // The whole one has come.
    const bool came = QTest::qWaitFor([&] { return changes.count() == 2; }, kReadMs);
    const bool offered = here.obstacle().isEmpty();
    here.ask();
    const bool asked = window.findChild<QMessageBox*>() != nullptr;
    quickMayEnd.release();
    QVERIFY(came && !offered && !asked);
    QTRY_VERIFY_WITH_TIMEOUT(!here.isPlanning(), kReadMs);
    QCOMPARE(changes.count(), 3);
    QVERIFY(here.obstacle().isEmpty());
    here.ask();
    QVERIFY(child<QPushButton>(window, "runHereQuick") != nullptr);
}

void TestRuns::sweepsThatCannotRunSaySo()
{
    QWidget window;
    RunHere here(window, {}, [](const core::Preset&, const core::PlanOptions&) {
        return core::Result<core::Plan>(core::Error{core::ErrorCode::NotFound, "no such model"});
    });
    here.offer(core::Preset{}, {kCpu});
    QTRY_VERIFY_WITH_TIMEOUT(!here.isPlanning(), kReadMs);
    QCOMPARE(here.obstacle(), QStringLiteral("no such model"));
    here.ask();
    QVERIFY(window.findChild<QMessageBox*>() == nullptr);
}

const tests::GuiTest<TestRuns> registered(__FILE_NAME__);

}  // namespace qs::tst_runs

#include "tst_runs.moc"
