#include "tests/app/window_fixture.h"
#include "tests/support/gui_test.h"
#include "tests/widgets/support/drop.h"
#include "tests/widgets/support/mouse.h"
#include "tests/widgets/support/screens.h"
#include "widgets/compare/compare_view.h"
#include "widgets/plan/plan_panel.h"
#include "widgets/plot/curve_plot.h"

#include <QAction>
#include <QDragEnterEvent>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace qs::tst_main_job {

using namespace tests;
using app::MainWindow;

namespace {

namespace fs = std::filesystem;

constexpr int kEngineMs = 90'000;
constexpr int kRunMs = 180'000;
constexpr int kPictureMs = 20'000;

std::string precisionOf(MainWindow& window)
{
    const core::PlannedCell* cell =
        window.store().data().plan.find(window.store().selectedCell().toStdString());
    return cell == nullptr ? std::string() : core::precisionText(cell->config);
}

QString cellOf(MainWindow& window, const std::string& precision)
{
    const auto& cells = window.store().data().plan.cells;
    const auto found = std::find_if(cells.begin(), cells.end(), [&](const auto& cell) {
        return core::precisionText(cell.config) == precision;
    });
    return found == cells.end() ? QString() : QString::fromStdString(found->id);
}

}  // namespace

// "My model, my images: is int8 good enough?" with a hand on the mouse, every gesture counted.
// Runs the trained demo model with the real worker on the processor.
class TestMainJob : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { setUpApplication(); }
    void init();
    void cleanup();

    void fromTheDropToABlinkAtOneToOne();
    void dropDropRunClick();
    void fromWhatAFirstStartShows();

private:
    void drop(const std::vector<fs::path>& paths);
    void runAndWait();
    [[nodiscard]] widgets::CompareView& compare() const
    {
        return *child<widgets::CompareView>(*m_window, "compareView");
    }

    fs::path m_model = core::locatePrograms().resources / "demo_model";
    fs::path m_images = core::locatePrograms().resources / "test_images";
    std::optional<WindowFixture> m_fixture;
    std::optional<MainWindow> m_window;
    int m_gestures = 0;
};

void TestMainJob::init()
{
    failOnQtWarnings();
    m_gestures = 0;
    m_fixture.emplace();
    m_window.emplace(m_fixture->options());
    m_window->resize(1500, 900);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowActive(&*m_window));
    m_window->openPreset(m_fixture->preset(shortSweep()));
}

void TestMainJob::cleanup()
{
    m_window.reset();
    m_fixture.reset();
    QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty());
}

void TestMainJob::drop(const std::vector<fs::path>& paths)
{
    ++m_gestures;
    QVERIFY(tests::drop(*m_window, paths));
}

void TestMainJob::runAndWait()
{
    ++m_gestures;
    auto* run = child<QPushButton>(*m_window, "runButton");
    QTRY_VERIFY_WITH_TIMEOUT(run->isEnabled(), kEngineMs);
    click(*run);
    QVERIFY(m_window->controller().isRunning());
    QTRY_VERIFY_WITH_TIMEOUT(!m_window->controller().isRunning(), kRunMs);
    for (const core::Measurement& row : m_window->store().data().measurements)
        QVERIFY2(row.ok(), row.logTail.c_str());
    QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPictureMs);
}

// Everything in one hand: the model and two of the images together.
void TestMainJob::fromTheDropToABlinkAtOneToOne()
{
    std::vector<fs::path> paths{m_model};
    for (const char* image : {"02 portrait.png", "04 text.png"})
        paths.push_back(m_images / image);
    drop(paths);
    const core::Preset& draft = child<widgets::PlanPanel>(*m_window, "planPanel")->preset();
    QCOMPARE(draft.defaults.model, m_model.string());
    runAndWait();
    // What one asks about is in view already: int8 beside its reference, on both images.
    QCOMPARE(precisionOf(*m_window), std::string("int8dq"));
    QCOMPARE(m_window->store().data().pictureNames.size(), std::size_t{2});
    ++m_gestures;
    click(*child<QToolButton>(*m_window, "wholePixels"));
    ++m_gestures;
    click(*child<QToolButton>(*m_window, "modeBlink"));
    QCOMPARE(m_gestures, 4);

    const widgets::PicturePane& a = compare().panes().pane(widgets::PaneRole::A);
    QVERIFY(!a.image().isNull());
    QCOMPARE(a.frame().scale() * compare().devicePixelRatioF(), 1.0);
    const QRect place = a.geometry();
    const QImage own = a.image();
    // It blinks at one place, and is the reference now and then.
    QTRY_VERIFY_WITH_TIMEOUT(a.image() != own, kPictureMs);
    QCOMPARE(a.geometry(), place);
    QTRY_VERIFY_WITH_TIMEOUT(a.image() == own, kPictureMs);
    screenshot(*m_window, QStringLiteral("main-job"));
}

void TestMainJob::dropDropRunClick()
{
    drop({m_model});
    drop({m_images / "02 portrait.png"});
    runAndWait();
    QCOMPARE(precisionOf(*m_window), std::string("int8dq"));
    auto* curve = child<widgets::CurvePlot>(*m_window, "curvePlot");
    const QString other = cellOf(*m_window, "bf16");
    QTRY_VERIFY(curve->positionOf(other).has_value());
    ++m_gestures;
    clickAt(*curve, curve->mapTo(&*m_window, *curve->positionOf(other)));
    QCOMPARE(m_window->store().selectedCell(), other);
    QCOMPARE(m_gestures, 4);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPictureMs);
    QVERIFY(!compare().panes().pane(widgets::PaneRole::A).image().isNull());
}

// The draft that the program brings needs nothing more than the model and the images; its run is
// longer than a test, and is stopped when it measures them.
void TestMainJob::fromWhatAFirstStartShows()
{
    m_window->openFirstPreset();
    m_window->openFirstRun();
    QTRY_VERIFY_WITH_TIMEOUT(!m_window->store().selectedCell().isEmpty(), kPictureMs);
    drop({m_model, m_images / "02 portrait.png", m_images / "04 text.png"});
    const core::Preset& draft = child<widgets::PlanPanel>(*m_window, "planPanel")->preset();
    QCOMPARE(draft.defaults.model, m_model.string());
    ++m_gestures;
    auto* run = child<QPushButton>(*m_window, "runButton");
    QTRY_VERIFY_WITH_TIMEOUT(run->isEnabled(), kEngineMs);
    click(*run);
    QVERIFY(m_window->controller().isRunning());
    QCOMPARE(m_gestures, 2);
    QTRY_COMPARE_WITH_TIMEOUT(m_window->store().data().plan.preset.defaults.model, m_model.string(),
                              kPictureMs);
    const core::RunData& data = m_window->store().data();
    QTRY_COMPARE_WITH_TIMEOUT(data.pictureNames.size(), std::size_t{2}, kPictureMs);
    QVERIFY(std::any_of(data.plan.cells.begin(), data.plan.cells.end(), [](const auto& cell) {
        return core::precisionText(cell.config) == "int8dq";
    }));
    child<QAction>(*m_window, "actionStopNow")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(!m_window->controller().isRunning(), kRunMs);
}

const tests::GuiTest<TestMainJob> registered(__FILE_NAME__);

}  // namespace qs::tst_main_job

#include "tst_main_job.moc"
