#include "core/analysis/metric_values.h"
#include "core/record/run_folder.h"
#include "tests/app/opened_window.h"
#include "tests/support/gui_test.h"
#include "tests/widgets/support/keyboard.h"
#include "tests/widgets/support/mouse.h"
#include "tests/widgets/support/screens.h"
#include "widgets/model/layers_view.h"
#include "widgets/model/sensitivity_view.h"
#include "widgets/plan/plan_panel.h"
#include "widgets/plan/preset_edit.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include <algorithm>
#include <string>

namespace qs::tst_window_layer_search {

using app::MainWindow;
using tests::child;
using tests::kRunMs;

// The greedy search from the Layers tab, with the real worker on the processor.
class TestWindowLayerSearch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { tests::setUpApplication(); }
    void init() { tests::failOnQtWarnings(); }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    void theFewestPartsGoToTheDraft();
    void aLimitThatIsNoneIsToldAndMeasuresNothing();
};

namespace {

// int8dq of all layers of a tiny model, and of each of its three blocks alone.
std::string sensitivitySweep()
{
    std::string text = tests::tinyPreset("[1]");
    const std::string axis = R"("precision": ["bf16", "fp32", "int8dq"])";
    text.replace(text.find(axis), axis.size(),
                 R"("layers": ["all", "only:encoder_blocks.0", "only:decoder_blocks.0",
                               "only:decoder_blocks.1"])");
    const std::string precision = R"("precision": "bf16")";
    text.replace(text.find(precision), precision.size(), R"("precision": "int8dq")");
    return text;
}

// A window with that sweep measured and the Layers tab open.
struct SearchedWindow {
    tests::WindowFixture fixture;
    MainWindow window{fixture.options()};

    [[nodiscard]] bool measure()
    {
        window.resize(1280, 800);
        window.show();
        window.openPreset(fixture.preset(sensitivitySweep()));
        auto* run = child<QPushButton>(window, "runButton");
        if (!QTest::qWaitFor([&] { return run->isEnabled(); }, tests::kEngineMs))
            return false;
        QSignalSpy finished(&window.controller(), &app::RunController::runFinished);
        tests::click(*run);
        if (!QTest::qWaitFor([&] { return finished.count() == 1; }, kRunMs))
            return false;
        window.showView(QStringLiteral("layers"));
        return QTest::qWaitFor([&] { return window.isSettled(); }, kRunMs) &&
               child<QPushButton>(window, "sensitivityFind")->isEnabled();
    }
    // Of the cell that quantizes all layers.
    [[nodiscard]] double wholeDifference()
    {
        const core::Analysis& analysis = window.store().analysis();
        const auto whole =
            std::find_if(analysis.cells.begin(), analysis.cells.end(), [](const auto& cell) {
                return cell.cell->config.layers == "all" &&
                       core::precisionText(cell.cell->config) == "int8dq";
            });
        return core::valueOf("mean_difference_mean", *whole).value();
    }
    void type(const std::string& limit)
    {
        tests::click(*child<QLineEdit>(window, "sensitivityLimit"));
        tests::type(QString::fromStdString(limit));
    }
};

}  // namespace

void TestWindowLayerSearch::theFewestPartsGoToTheDraft()
{
    SearchedWindow searched;
    QVERIFY(searched.measure());
    MainWindow& window = searched.window;
    const core::RunData before = core::readRunFolder(window.controller().folder()).value();
    // Just below what all of them lose together: some part has to stay unquantized.
    const double limit = 0.999 * searched.wholeDifference();
    searched.type("mean_difference_mean <= " + QString::number(limit, 'f', 12).toStdString());
    auto* find = child<QPushButton>(window, "sensitivityFind");
    auto* stop = child<QPushButton>(window, "sensitivityStop");
    QVERIFY(!stop->isEnabled());
    const auto filtersOfDraft = [&] {
        return widgets::axisValues(child<widgets::PlanPanel>(window, "planPanel")->preset(),
                                   "layers");
    };
    const QStringList filtersBefore = filtersOfDraft();
    tests::click(*find);
    QVERIFY(stop->isEnabled());
    QVERIFY(!find->isEnabled());
    QVERIFY(!window.isSettled());
    // Stopped, it leaves the draft alone; what runs by then ends with its cell.
    tests::click(*stop);
    QVERIFY(!stop->isEnabled());
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && find->isEnabled(), kRunMs);
    QCOMPARE(filtersOfDraft(), filtersBefore);

    tests::click(*find);
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && find->isEnabled(), kRunMs);
    tests::screenshot(window, QStringLiteral("window-layer-search"));

    // It is one of the filters in the order of the loss, was measured in this run and meets the
    // limit; with one part less kept it does not.
    const QStringList filters = filtersOfDraft();
    QCOMPARE(filters.size(), filtersBefore.size() + 1);
    const std::string found = filters.back().toStdString();
    const core::Sensitivity sensitivity = core::sensitivitiesOf(window.store().analysis()).at(0);
    std::size_t kept = 1;
    while (kept < sensitivity.parts.size() && core::filterWithoutWorst(sensitivity, kept) != found)
        ++kept;
    QVERIFY2(kept < sensitivity.parts.size(), found.c_str());
    const core::RunData after = core::readRunFolder(window.controller().folder()).value();
    QVERIFY(after.plan.cells.size() > before.plan.cells.size());
    core::CellConfig config = after.plan.find(sensitivity.wholeId)->config;
    config.layers = found;
    const core::CellSummary* cell = core::findMeasured(window.store().analysis(), config);
    QVERIFY(cell != nullptr);
    QVERIFY(core::valueOf("mean_difference_mean", *cell).value() <= limit + 1e-6);
    if (kept > 1) {
        config.layers = core::filterWithoutWorst(sensitivity, kept - 1);
        const core::CellSummary* fewer = core::findMeasured(window.store().analysis(), config);
        QVERIFY(fewer != nullptr);
        QVERIFY(core::valueOf("mean_difference_mean", *fewer).value() > limit - 1e-6);
    }

    // The same limit again finds its cells: nothing is measured.
    const std::size_t rows = after.measurements.size();
    tests::click(*find);
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kRunMs);
    QCOMPARE(core::readRunFolder(window.controller().folder()).value().measurements.size(), rows);
}

void TestWindowLayerSearch::aLimitThatIsNoneIsToldAndMeasuresNothing()
{
    SearchedWindow searched;
    QVERIFY(searched.measure());
    auto* find = child<QPushButton>(searched.window, "sensitivityFind");
    auto* text = child<QLabel>(searched.window, "sensitivitySearchText");
    searched.type("beautiful >= 0.9");
    tests::click(*find);
    QVERIFY(find->isEnabled());
    QVERIFY(!searched.window.controller().isRunning());
    QVERIFY2(text->text().contains(QStringLiteral("beautiful")), qPrintable(text->text()));
}

const tests::GuiTest<TestWindowLayerSearch> registered(__FILE_NAME__);

}  // namespace qs::tst_window_layer_search

#include "tst_window_layer_search.moc"
