#include "app/gui/window/no_outputs_strip.h"
#include "core/record/run_folder.h"
#include "tests/app/window_fixture.h"
#include "tests/support/gui_test.h"
#include "tests/widgets/support/mouse.h"
#include "tests/widgets/support/places.h"
#include "widgets/compare/compare_view.h"
#include "widgets/compare/saved_images.h"

#include <QAbstractScrollArea>
#include <QFile>
#include <QPushButton>
#include <QScrollBar>
#include <QSplitter>
#include <QSplitterHandle>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>

#include <algorithm>
#include <map>
#include <string>

namespace qs::tst_examples {

using app::MainWindow;
using tests::child;

namespace {

constexpr int kA = widgets::ComparedCells::kA;

std::vector<std::string> shippedRuns()
{
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(tests::exampleRun().parent_path()))
        if (entry.is_directory())
            names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

// Found without the product's own look.
bool hasPictures(const std::filesystem::path& run)
{
    const std::filesystem::recursive_directory_iterator files(run);
    return std::any_of(begin(files), end(files), [](const auto& file) {
        return file.path().filename().string().starts_with("output_") &&
               file.path().extension() == ".png";
    });
}

const core::PlannedCell* selectedIn(MainWindow& window)
{
    return window.store().data().plan.find(window.store().selectedCell().toStdString());
}

// Of the pixels, those that are no shade of the darkest colours.
double visiblePart(const QImage& image)
{
    constexpr int kDark = 24;  // of 255
    int visible = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            visible += image.pixelColor(x, y).value() > kDark ? 1 : 0;
    return static_cast<double>(visible) / std::max(1, image.width() * image.height());
}

QSplitter& sides(const MainWindow& window)
{
    return *child<QSplitter>(window, "mainSplitter");
}

// By the mouse, to the right or down.
void drag(const QSplitter& splitter, int by)
{
    QSplitterHandle* handle = splitter.handle(1);
    const QPoint from = tests::middleOf(*handle);
    const auto along = [&](int distance) {
        return splitter.orientation() == Qt::Horizontal ? from + QPoint(distance, 0)
                                                        : from + QPoint(0, distance);
    };
    QWindow* whole = handle->window()->windowHandle();
    QTest::mousePress(whole, Qt::LeftButton, Qt::NoModifier, from);
    QTest::mouseMove(whole, along(by / 2));
    QTest::mouseMove(whole, along(by));
    QTest::mouseRelease(whole, Qt::LeftButton, Qt::NoModifier, along(by));
}

void dragSides(const MainWindow& window, int by)
{
    drag(sides(window), by);
}

// None of the figures of the sample is cut.
bool figuresAreWhole(const MainWindow& window)
{
    bool whole = child<QWidget>(window, "figures")->isVisible();
    for (const QWidget* each = child<QWidget>(window, "figures"); each != nullptr;
         each = each->parentWidget()) {
        if (const auto* area = qobject_cast<const QAbstractScrollArea*>(each))
            whole = whole && !area->horizontalScrollBar()->isVisible();
    }
    return whole;
}

}  // namespace

// The shipped runs, as one sees them when they are opened.
class TestExamples : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { tests::setUpApplication(); }
    void init() { tests::failOnQtWarnings(); }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    void haveNamesOfTheirOwn();
    void beginWithWhatIsThere_data();
    void beginWithWhatIsThere();
    void withoutImagesTheResultsHaveTheWindow_data();
    void withoutImagesTheResultsHaveTheWindow();
    void figuresAloneTakeLittleRoom();
    void samplesBeginWithTheWorst();
    void aPlotCanHaveTheWindow();
    void theSidesComeBackAsTheyWere();
    void everyPartCanBeDraggedAway_data();
    void everyPartCanBeDraggedAway();
    void aRunWithoutImagesIsRunAgain();
};

// In the list of runs the name is all that tells them apart.
void TestExamples::haveNamesOfTheirOwn()
{
    std::map<std::string, std::string> runs;  // by name
    for (const std::string& run : shippedRuns()) {
        const auto plan = core::readRunPlan(tests::exampleRun(run));
        QVERIFY2(plan.ok(), run.c_str());
        const auto [other, isNew] = runs.emplace(plan.value().preset.name, run);
        QVERIFY2(isNew, (run + " has the name of " + other->second).c_str());
    }
}

void TestExamples::beginWithWhatIsThere_data()
{
    QTest::addColumn<QString>("run");
    for (const std::string& name : shippedRuns())
        QTest::newRow(name.c_str()) << QString::fromStdString(name);
}

// Nobody is greeted by panes that have nothing to show.
void TestExamples::beginWithWhatIsThere()
{
    QFETCH(const QString, run);
    const tests::WindowFixture fixture;
    MainWindow window(fixture.withoutEngine());
    window.resize(1400, 860);
    window.show();
    QVERIFY(tests::opensExample(window, run.toStdString()));
    auto* compare = child<widgets::CompareView>(window, "compareView");
    const core::PlannedCell* shown = selectedIn(window);
    const bool images = hasPictures(tests::exampleRun(run.toStdString()));
    if (!images) {
        QVERIFY(compare->isHidden() || shown->output != core::OutputKind::Image);
        return;
    }
    const widgets::ComparePanes& panes = compare->panes();
    for (const widgets::PicturePane* pane : panes.all()) {
        if (pane->isVisible())
            QVERIFY2(!pane->image().isNull(), qPrintable(pane->title()));
    }
    QVERIFY(!panes.picture(kA).image().isNull());
    // One that has no other beside it is its own reference.
    if (window.store().data().plan.cells.size() == 1)
        return;
    QVERIFY(!panes.reference().image().isNull());
    QVERIFY(shown->id != shown->referenceId);
    // What one came for: a quantized cell beside its reference, where the run kept one.
    const std::string precision = core::precisionText(shown->config);
    if (run.startsWith(QStringLiteral("demo_")))
        QVERIFY2(precision.find("int8") != std::string::npos ||
                     precision.find("float8") != std::string::npos,
                 precision.c_str());
    tests::click(*child<QToolButton>(window, "modeMap"));
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), tests::kHangsMs);
    QTRY_VERIFY(panes.map(kA).isVisible() && !panes.map(kA).image().isNull());
    const double visible = visiblePart(panes.map(kA).image());
    QVERIFY2(visible > 0.1, qPrintable(QString::number(visible)));
}

void TestExamples::withoutImagesTheResultsHaveTheWindow_data()
{
    QTest::addColumn<QString>("run");
    QTest::addColumn<bool>("layers");
    QTest::newRow("one batch") << QStringLiteral("vitok_350m_modes_b1_h200") << false;
    QTest::newRow("layer reports") << QStringLiteral("vitok_350m_schemes_h100") << true;
    QTest::newRow("quantizing") << QStringLiteral("gptq_vitok_350m_h100") << false;
}

void TestExamples::withoutImagesTheResultsHaveTheWindow()
{
    QFETCH(const QString, run);
    QFETCH(const bool, layers);
    const tests::WindowFixture fixture;
    MainWindow window(fixture.withoutEngine());
    window.resize(1366, 768);
    window.show();
    QVERIFY(tests::opensExample(window, run.toStdString()));
    QVERIFY(!child<QWidget>(window, "compareView")->isVisible());
    const auto* tabs = child<QTabWidget>(window, "viewTabs");
    QVERIFY(tabs->width() > window.width() * 95 / 100);
    QVERIFY(child<app::NoOutputsStrip>(window, "noOutputsStrip")->isVisible());
    auto* button = child<QPushButton>(window, "showLayersInstead");
    QCOMPARE(button->isVisible(), layers);
    // The banner offers that already.
    QVERIFY(!child<QPushButton>(window, "runAgainForOutputs")->isVisible());
    const tests::PlacesOfPart places(window, 15);
    for (const core::PlannedCell& cell : window.store().data().plan.cells) {
        window.store().selectCell(QString::fromStdString(cell.id));
        QVERIFY2(places.moved().isEmpty(), qPrintable(places.moved()));
    }
    if (layers) {
        tests::click(*button);
        QCOMPARE(tabs->tabText(tabs->currentIndex()), QStringLiteral("Layers"));
    }
}

void TestExamples::figuresAloneTakeLittleRoom()
{
    const tests::WindowFixture fixture;
    MainWindow window(fixture.withoutEngine());
    window.resize(1366, 768);
    window.show();
    QVERIFY(tests::opensExample(window));
    const QList<int> usual = sides(window).sizes();
    QVERIFY2(usual[0] < usual[1], "images have the most");
    QVERIFY(tests::opensExample(window, "llama_sizes_h200"));
    const auto* compare = child<QWidget>(window, "compareView");
    QVERIFY(compare->isVisible());
    QVERIFY(sides(window).sizes()[0] > sides(window).sizes()[1]);
    QVERIFY(figuresAreWhole(window));
    QVERIFY(tests::opensExample(window));
    QCOMPARE(sides(window).sizes(), usual);
    window.close();
}

// All samples have the likeliest class of the reference: what is finer tells which is the worst.
void TestExamples::samplesBeginWithTheWorst()
{
    const tests::WindowFixture fixture;
    MainWindow window(fixture.withoutEngine());
    window.resize(1366, 768);
    window.show();
    QVERIFY(tests::opensExample(window, "resnet_guide_h200"));
    const auto* samples = child<QTableView>(window, "samples");
    QVERIFY(samples->isVisible());
    QCOMPARE(samples->currentIndex().row(), 0);
    QVERIFY(figuresAreWhole(window));
}

// On a small screen the plot is next to nothing beside everything else.
void TestExamples::aPlotCanHaveTheWindow()
{
    const tests::WindowFixture fixture;
    MainWindow window(fixture.withoutEngine());
    window.resize(683, 450);
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    QVERIFY(tests::opensExample(window));
    const auto* plot = child<QWidget>(window, "curvePlot");
    const auto* table = child<QWidget>(window, "cellTable");
    const auto* compare = child<QWidget>(window, "compareView");
    const QSize usual = plot->size();
    auto* button = child<QToolButton>(window, "curvesLarge");
    tests::click(*button);
    QTRY_VERIFY(plot->height() > 2 * usual.height());
    QVERIFY(plot->width() > window.width() * 9 / 10);
    QVERIFY(!table->isVisible() && !compare->isVisible());
    tests::click(*button);
    QTRY_COMPARE(plot->size(), usual);
    QVERIFY(table->isVisible() && compare->isVisible());
    // By the keyboard, whatever has the room; who asks for the table or the images gets them.
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_F11, Qt::ShiftModifier);
    QVERIFY(button->isChecked() && !table->isVisible());
    child<QAction>(window, "actionTable")->trigger();
    QVERIFY(!button->isChecked() && table->isVisible());
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_F11, Qt::ShiftModifier);
    child<QAction>(window, "actionComparison")->trigger();
    QVERIFY(!button->isChecked() && compare->isVisible());
    tests::click(*button);
    child<QAction>(window, "actionLargeImages")->trigger();
    QVERIFY(!button->isChecked() && compare->isVisible() && !plot->isVisible());
    child<QAction>(window, "actionLargeImages")->trigger();
    // What is closed so begins with its usual parts.
    tests::click(*button);
    window.close();
    MainWindow next(fixture.withoutEngine());
    next.show();
    QVERIFY(tests::opensExample(next));
    QVERIFY(child<QWidget>(next, "compareView")->isVisible());
    next.close();
}

void TestExamples::theSidesComeBackAsTheyWere()
{
    const tests::WindowFixture fixture;
    MainWindow window(fixture.withoutEngine());
    window.resize(1400, 860);
    window.show();
    const auto* compare = child<QWidget>(window, "compareView");
    QVERIFY(tests::opensExample(window));
    const QList<int> usual = sides(window).sizes();
    QVERIFY(tests::opensExample(window, "gptq_vitok_350m_h100"));
    QVERIFY(compare->isHidden());
    // A table in the whole window does not bring back what has nothing to show.
    for (int twice = 0; twice < 2; ++twice)
        tests::click(*child<QToolButton>(window, "tableLarge"));
    QVERIFY(compare->isHidden());
    QVERIFY(tests::opensExample(window));
    QVERIFY(compare->isVisible() && !child<QWidget>(window, "noOutputsStrip")->isVisible());
    QCOMPARE(sides(window).sizes(), usual);
    dragSides(window, 120);
    const QList<int> dragged = sides(window).sizes();
    QVERIFY(dragged != usual);
    QVERIFY(tests::opensExample(window, "gptq_vitok_350m_h100"));
    QVERIFY(compare->isHidden());
    QVERIFY(tests::opensExample(window));
    QTRY_COMPARE(sides(window).sizes(), dragged);
    // Also in the next window, when this one is closed without the comparison.
    QVERIFY(tests::opensExample(window, "gptq_vitok_350m_h100"));
    window.close();
    MainWindow next(fixture.withoutEngine());
    next.show();
    QVERIFY(tests::opensExample(next));
    QTRY_COMPARE(sides(next).sizes(), dragged);
    next.close();
}

void TestExamples::everyPartCanBeDraggedAway_data()
{
    QTest::addColumn<QString>("splitter");
    QTest::newRow("results and comparison") << QStringLiteral("mainSplitter");
    QTest::newRow("plot and table") << QStringLiteral("viewSplitter");
}

void TestExamples::everyPartCanBeDraggedAway()
{
    QFETCH(const QString, splitter);
    const tests::WindowFixture fixture;
    MainWindow window(fixture.withoutEngine());
    window.resize(1400, 860);
    window.show();
    QVERIFY(tests::opensExample(window));
    const auto& parts = *window.findChild<QSplitter*>(splitter);
    const int room = parts.orientation() == Qt::Horizontal ? parts.width() : parts.height();
    drag(parts, room - parts.sizes().front() - 2);
    QCOMPARE(parts.sizes().at(1), 0);
    drag(parts, -(room / 2));
    QVERIFY(parts.sizes().at(1) > 0);
    drag(parts, 2 - parts.sizes().front());
    QCOMPARE(parts.sizes().at(0), 0);
}

void TestExamples::aRunWithoutImagesIsRunAgain()
{
    const tests::WindowFixture fixture;
    const std::filesystem::path copy = fixture / "copy";
    std::filesystem::copy(tests::exampleRun("demo_cpu_one_thread"), copy,
                          std::filesystem::copy_options::recursive);
    std::filesystem::remove_all(copy / "cells");
    MainWindow window(fixture.withoutEngine());
    window.resize(1400, 860);
    window.show();
    QVERIFY(tests::opens(window, copy));
    QVERIFY(!child<QWidget>(window, "compareView")->isVisible());
    auto* again = child<QPushButton>(window, "runAgainForOutputs");
    QVERIFY(again->isVisible());
    tests::click(*again);
    QTRY_VERIFY(child<QWidget>(window, "planPanel")->isVisible());
    // An image that comes back is enough.
    std::filesystem::create_directories(copy / "cells" / "any");
    QFile back(QString::fromStdString((copy / "cells" / "any" / "output_0.png").string()));
    QVERIFY(back.open(QIODevice::WriteOnly));
    QVERIFY(widgets::hasSomethingToCompare(window.store().data()));
}

const tests::GuiTest<TestExamples> registered(__FILE_NAME__);

}  // namespace qs::tst_examples

#include "tst_examples.moc"
