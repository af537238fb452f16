#include "core/run/program_paths.h"
#include "tests/app/window_fixture.h"
#include "tests/support/gui_test.h"
#include "tests/support/sample_run.h"
#include "tests/widgets/support/drop.h"
#include "tests/widgets/support/screens.h"
#include "widgets/compare/compare_view.h"
#include "widgets/models/cell_columns.h"
#include "widgets/plan/plan_panel.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabWidget>
#include <QToolButton>

#include <functional>

namespace qs::tst_main_window {

using app::MainWindow;
using tests::child;

namespace {

constexpr int kPlanMs = 20'000;

// Whether the window takes it.
}  // namespace

// The window as it is without an engine: everything but measuring.
class TestMainWindow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { tests::setUpApplication(); }
    void init() { tests::failOnQtWarnings(); }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    // Whatever has a key stands in the list of keys, and what people look for has a name.
    void everyCommandIsFound()
    {
        const tests::WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        QFile page(QString::fromStdString(
            (core::locatePrograms().resources / "help" / "keys.md").string()));
        QVERIFY(page.open(QIODevice::ReadOnly));
        const QString keys = QString::fromUtf8(page.readAll());
        QString names;
        const std::function<void(const QMenu&)> visit = [&](const QMenu& menu) {
            for (const QAction* action : menu.actions()) {
                const QString text = QString(action->text()).remove(QLatin1Char('&'));
                names += text.section(QLatin1Char('\t'), 0, 0) + QLatin1Char('\n');
                const QString key = text.contains(QLatin1Char('\t'))
                                        ? text.section(QLatin1Char('\t'), 1)
                                        : action->shortcut().toString(QKeySequence::PortableText);
                QVERIFY2(keys.contains(key), qPrintable(text + QLatin1Char(' ') + key));
                if (action->menu() != nullptr)
                    visit(*action->menu());
            }
        };
        for (const QAction* action : window.menuBar()->actions())
            visit(*action->menu());
        for (const char* word : {"worst", "wipe", "log y", "histogram", "contact sheet", "1:1",
                                 "undo", "redo", "exposure", "blink"})
            QVERIFY2(names.contains(QLatin1String(word), Qt::CaseInsensitive), word);
    }

    // The menu does what the key does.
    void theImageMenuActsOnTheComparison()
    {
        const tests::WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.store().setRun(tests::sampleRun());
        window.show();
        const auto& controls = child<widgets::CompareView>(window, "compareView")->controls();
        child<QAction>(window, "imageMap")->trigger();
        QCOMPARE(controls.mode(), widgets::CompareMode::Map);
        child<QAction>(window, "imageMap")->trigger();
        QCOMPARE(controls.mode(), widgets::CompareMode::SideBySide);
        auto* logarithmic = child<QCheckBox>(window, "curveLogY");
        const bool before = logarithmic->isChecked();
        child<QAction>(window, "actionLogarithmicY")->trigger();
        QCOMPARE(logarithmic->isChecked(), !before);
        QTRY_VERIFY(!child<widgets::CompareView>(window, "compareView")->isBusy());
    }

    void runIsDisabledWithTheReason()
    {
        const tests::WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.show();
        auto* run = child<QPushButton>(window, "runButton");
        QVERIFY(!run->isEnabled());
        window.openPreset(fixture.preset(tests::tinyPreset()));
        QTRY_VERIFY_WITH_TIMEOUT(
            run->toolTip().contains(QStringLiteral("/nonexistent/quantscope-worker")), kPlanMs);
        QVERIFY(!run->isEnabled());
        QVERIFY(!child<QAction>(window, "actionRun")->isEnabled());
        // Counting needs no engine.
        QTRY_COMPARE_WITH_TIMEOUT(run->text().section(QLatin1Char(' '), 0, 1),
                                  QStringLiteral("Run 6"), kPlanMs);
        auto* summary = child<QLabel>(window, "planSummary");
        QVERIFY2(summary->text().startsWith(
                     QStringLiteral("3 precisions × 2 batch sizes = 6 cells\u00a0· about ")),
                 qPrintable(summary->text()));
        // No line begins with a dot.
        QVERIFY(!summary->text().contains(QStringLiteral(" ·")));
        QVERIFY(child<QLabel>(window, "statusText")->text().contains(QStringLiteral("No engine")));
        QVERIFY(window.windowTitle().contains(QStringLiteral("Tiny sweep")));
    }

    void badPresetShowsItsMessages()
    {
        const tests::WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.show();
        window.openPreset(fixture.preset(tests::tinyPreset()));
        window.openPreset(fixture.preset(
            R"({"schema_version": 1, "name": "Bad", "defaults": {"model": "demo", "colour": 1}, "axes": {"batch": "0"}})"));
        auto* box = child<QMessageBox>(window, "problemBox");
        QVERIFY2(box->informativeText().contains(QStringLiteral("colour")),
                 qPrintable(box->informativeText()));
        QVERIFY(box->informativeText().contains(QStringLiteral("$.axes.batch")));
        // The draft is what it was.
        QCOMPARE(child<widgets::PlanPanel>(window, "planPanel")->preset().name,
                 std::string("Tiny sweep"));
        box->close();
    }

    void missingRunFolderIsSaid()
    {
        const tests::WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.show();
        const QSignalSpy problem(&window, &MainWindow::problemShown);
        window.openRun(fixture / "nowhere");
        QTRY_COMPARE(problem.count(), 1);
        QVERIFY(problem[0][0].toString().contains(QStringLiteral("nowhere")));
        // Its title is read, and its text is no column of single words.
        auto* box = child<QMessageBox>(window, "problemBox");
        const QFontMetrics metrics = box->fontMetrics();
        QVERIFY(box->width() > metrics.horizontalAdvance(box->windowTitle()) + 100);
        QVERIFY2(box->width() >= 56 * metrics.averageCharWidth(),
                 qPrintable(QString::number(box->width())));
        box->close();
    }

    void emptyStates()
    {
        const tests::WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.show();
        QCOMPARE(child<QLabel>(window, "answerHeadline")->text(), QStringLiteral("No run yet"));
        QVERIFY(
            child<QLabel>(window, "answerDetail")->text().contains(QStringLiteral("Drop presets")));
        QVERIFY(!child<QAction>(window, "actionExportTables")->isEnabled());
        QVERIFY(!child<QAction>(window, "actionStopNow")->isEnabled());
    }

    void editingMarksTheDraft()
    {
        const tests::WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.show();
        window.openPreset(fixture.preset(tests::tinyPreset()));
        QVERIFY(!window.isWindowModified());
        child<QCheckBox>(window, "choice:int8wo")->click();
        QVERIFY(window.isWindowModified());
        auto* run = child<QPushButton>(window, "runButton");
        QTRY_COMPARE_WITH_TIMEOUT(run->text().section(QLatin1Char(' '), 0, 1),
                                  QStringLiteral("Run 8"), kPlanMs);
    }

    void savedPresetOpensAgain()
    {
        const tests::WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.show();
        window.openPreset(fixture.preset(tests::tinyPreset()));
        child<QCheckBox>(window, "choice:fp16")->click();
        child<QAction>(window, "actionSavePreset")->trigger();
        const auto saved = fixture / "saved.json";
        tests::acceptDialog(*child<QFileDialog>(window, "savePresetDialog"), saved);
        QTRY_VERIFY(std::filesystem::exists(saved));
        QVERIFY(!window.isWindowModified());
        const auto preset = core::readPreset(saved);
        QVERIFY2(preset.ok(), preset.ok() ? "" : preset.error().message.c_str());
        QCOMPARE(preset.value().axes.size(), std::size_t{2});
    }

    // A file name is suggested, and another one is a name for the preset, too.
    void savedUnderAnotherNameItHasThatName()
    {
        const tests::WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.show();
        window.openPreset(fixture.preset(tests::tinyPreset()));
        const auto save = [&window] { child<QAction>(window, "actionSavePreset")->trigger(); };
        save();
        auto* dialog = child<QFileDialog>(window, "savePresetDialog");
        const QString suggested = child<QLineEdit>(*dialog, "fileNameEdit")->text();
        QVERIFY2(suggested.contains(QStringLiteral("iny")) &&
                     suggested.endsWith(QStringLiteral(".json")),
                 qPrintable(suggested));
        const auto mine = fixture / "my sweep.json";
        tests::acceptDialog(*dialog, mine);
        QTRY_VERIFY(std::filesystem::exists(mine));
        const auto saved = core::readPreset(mine);
        QVERIFY(saved.ok());
        QCOMPARE(saved.value().name, std::string("my sweep"));
        QVERIFY(saved.value().description.empty());
        QCOMPARE(child<widgets::PlanPanel>(window, "planPanel")->preset().name,
                 std::string("my sweep"));
        QVERIFY(window.windowTitle().contains(QStringLiteral("my sweep")));
    }

    void thingsCanBeDropped()
    {
        const tests::WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.show();
        auto* panel = child<widgets::PlanPanel>(window, "planPanel");
        QVERIFY(tests::drop(window, {fixture.preset(tests::tinyPreset())}));
        QCOMPARE(panel->preset().name, std::string("Tiny sweep"));

        const auto photos = fixture / "photos";
        std::filesystem::create_directories(photos);
        tests::writeFile(photos / "a.png", "");
        QVERIFY(tests::drop(window, {photos}));
        QCOMPARE(panel->preset().pictures.source, photos.string());

        const auto weights = fixture / "encoder.safetensors";
        tests::writeFile(weights, "");
        QVERIFY(tests::drop(window, {weights}));
        QCOMPARE(panel->preset().defaults.model, weights.string());
        // It holds no weights, which stands below its field.
        QTRY_VERIFY_WITH_TIMEOUT(child<QLabel>(window, "modelHeadline")
                                     ->text()
                                     .contains(QStringLiteral("encoder.safetensors")),
                                 kPlanMs);

        const auto text = fixture / "notes.txt";
        tests::writeFile(text, "");
        const QSignalSpy problem(&window, &MainWindow::problemShown);
        QVERIFY(tests::drop(window, {text}));
        QCOMPARE(problem.count(), 1);
        child<QMessageBox>(window, "problemBox")->close();
    }

    void keysChangeTheView()
    {
        const tests::WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        auto* tabs = child<QTabWidget>(window, "viewTabs");
        const auto* table = child<QWidget>(window, "cellTable");
        child<QAction>(window, "actionPlan")->setChecked(false);
        QCOMPARE(tabs->currentIndex(), 0);
        QVERIFY(table->isVisible());
        child<QAction>(window, "actionLayers")->trigger();
        QVERIFY(tabs->currentIndex() != 0);
        QVERIFY(!table->isVisible());
        QTest::keyClick(&window, Qt::Key_8, Qt::ControlModifier);
        QCOMPARE(tabs->currentWidget()->objectName(), QStringLiteral("compileCostView"));
        QVERIFY(!table->isVisible());
        child<QAction>(window, "actionTable")->trigger();
        QCOMPARE(tabs->currentIndex(), 0);
        QVERIFY(table->isVisible());
        auto* log = child<QPlainTextEdit>(window, "log");
        QVERIFY(!log->isVisible());
        child<QToolButton>(window, "logToggle")->click();
        QVERIFY(log->isVisible());
        QVERIFY(child<QAction>(window, "actionLog")->isChecked());
    }

    void comparisonTakesAllTheRoom()
    {
        const tests::WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.resize(1400, 860);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        auto* compare = child<widgets::CompareView>(window, "compareView");
        auto* tabs = child<QTabWidget>(window, "viewTabs");
        child<QAction>(window, "actionPlan")->setChecked(false);
        QVERIFY(tabs->isVisible());
        const int width = compare->width();
        QTest::keyClick(compare, Qt::Key_Space);
        QVERIFY(!tabs->isVisible());
        QTRY_VERIFY(compare->width() > window.width() * 9 / 10);
        QTest::keyClick(compare, Qt::Key_Escape);
        QVERIFY(tabs->isVisible());
        QTRY_COMPARE(compare->width(), width);
    }

    void everythingHasAName()
    {
        const tests::WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        for (const QAction* action : window.findChildren<QAction*>()) {
            if (action->objectName().startsWith(QStringLiteral("action")))
                QVERIFY2(!action->toolTip().isEmpty(), qPrintable(action->objectName()));
        }
        for (const char* name : {"modelBox", "deviceChooser", "presetChooser", "pictureSource",
                                 "pictureCount", "roundsBox", "qualityLimit", "log"})
            QVERIFY2(!child<QWidget>(window, name)->accessibleName().isEmpty(), name);
        // No two actions share their keys: Qt would run neither.
        QStringList keys;
        for (const QAction* action : window.findChildren<QAction*>()) {
            if (action->shortcut().isEmpty())
                continue;
            const QString text = action->shortcut().toString();
            QVERIFY2(!keys.contains(text), qPrintable(text));
            keys << text;
        }
    }

    void layoutIsRemembered()
    {
        const tests::WindowFixture fixture;
        QSize size;
        {
            MainWindow window(fixture.withoutEngine());
            window.show();
            window.resize(1100, 650);
            size = window.size();
            window.close();
        }
        MainWindow window(fixture.withoutEngine());
        QCOMPARE(window.size(), size);
    }

    // The smallest window that is asked for: every part is seen and none is cut.
    void fitsASmallWindow()
    {
        const tests::WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.resize(1024, 640);
        window.show();
        window.openPreset(fixture.preset(tests::tinyPreset()));
        QVERIFY(tests::opensExample(window));
        QCOMPARE(window.size(), QSize(1024, 640));
        for (const char* name : {"answerBar", "viewTabs", "cellTable", "compareView"}) {
            const auto* part = child<QWidget>(window, name);
            QVERIFY2(part->isVisible(), name);
            const QRect place(part->mapTo(&window, QPoint(0, 0)), part->size());
            QVERIFY2(window.rect().contains(place), name);
            const QSize needed = part->minimumSizeHint();
            QVERIFY2(part->width() >= needed.width() && part->height() >= needed.height(),
                     qPrintable(QStringLiteral("%1: %2 x %3 of %4 x %5")
                                    .arg(QLatin1String(name))
                                    .arg(part->width())
                                    .arg(part->height())
                                    .arg(needed.width())
                                    .arg(needed.height())));
        }
    }

    // What the outputs are decides what stands beside the views; there is always something.
    void outputsHaveTheirViewWhateverTheyAre()
    {
        const tests::WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.resize(1400, 860);
        window.show();
        const std::filesystem::path examples = core::locatePrograms().resources / "example_runs";
        const auto* compare = child<widgets::CompareView>(window, "compareView");
        for (const auto& [run, images] : {std::pair("llama_h200", false), {"demo_h200", true}}) {
            window.openRun(examples / run);
            QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && !window.store().isEmpty() &&
                                         window.store().data().folder.filename() == run,
                                     kPlanMs);
            QTRY_VERIFY_WITH_TIMEOUT(!window.store().selectedCell().isEmpty(), kPlanMs);
            QVERIFY(compare->isVisible());
            const auto* samples = child<QTableView>(window, "samples");
            QTRY_COMPARE(samples->isVisible(), !images);
            QCOMPARE(child<QWidget>(window, "place")->isVisible(), images);
        }
    }

    // One looks at images for an hour: they get the room that there is.
    void imagesHaveMostOfTheWindow_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<double>("share");
        QTest::newRow("1500x900") << QSize(1500, 900) << 0.35;
        QTest::newRow("1920x1080") << QSize(1920, 1080) << 0.50;
    }

    void imagesHaveMostOfTheWindow()
    {
        QFETCH(const QSize, size);
        QFETCH(const double, share);
        const tests::WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.resize(size);
        window.show();
        window.openFirstPreset();
        window.openFirstRun();
        QTRY_VERIFY_WITH_TIMEOUT(!window.store().selectedCell().isEmpty(), kPlanMs);
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPlanMs);
        tests::screenshot(window, QStringLiteral("first-start-%1").arg(size.width()));
        const core::PlannedCell* shown =
            window.store().data().plan.find(window.store().selectedCell().toStdString());
        const std::string precision = core::precisionText(shown->config);
        QVERIFY2(precision.find("int8") != std::string::npos ||
                     precision.find("float8") != std::string::npos,
                 precision.c_str());
        double covered = 0.0;
        for (const widgets::PicturePane* pane :
             child<widgets::CompareView>(window, "compareView")->panes().all()) {
            if (!pane->isVisible() || pane->image().isNull())
                continue;
            const widgets::PaneFrame frame = pane->frame();
            const QRectF seen = QRectF(frame.toWidget(pane->imageOffset()),
                                       QSizeF(pane->image().size()) * frame.scale())
                                    .intersected(QRectF(frame.area));
            covered += seen.width() * seen.height();
        }
        const double part = covered / (window.width() * window.height());
        QVERIFY2(part >= share, qPrintable(QString::number(part)));
    }

    // Every figure that decides is read without scrolling, beside images that have the larger part.
    void essentialColumnsAreInSight_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("1024x640") << QSize(1024, 640);
        QTest::newRow("1500x900") << QSize(1500, 900);
        QTest::newRow("1920x1080") << QSize(1920, 1080);
    }

    void essentialColumnsAreInSight()
    {
        QFETCH(const QSize, size);
        const tests::WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.resize(size);
        window.show();
        QVERIFY(tests::opensExample(window));
        const auto* view = child<QTableView>(window, "cellView");
        const QHeaderView& header = *view->horizontalHeader();
        for (const char* id : {"precision", "compile", "batch", "throughput", "speedup",
                               "ssim_mean", "allocated_peak", "status"}) {
            const int column = widgets::columnOf(id);
            QVERIFY2(!view->isColumnHidden(column), id);
            const int right = header.sectionViewportPosition(column) + header.sectionSize(column);
            QVERIFY2(right <= view->viewport()->width(),
                     qPrintable(QStringLiteral("%1 ends at %2 of %3")
                                    .arg(QLatin1String(id))
                                    .arg(right)
                                    .arg(view->viewport()->width())));
        }
        // All of the window for all columns, and back.
        QTest::mouseClick(child<QToolButton>(window, "tableLarge"), Qt::LeftButton);
        const auto* compare = child<QWidget>(window, "compareView");
        QVERIFY(!compare->isVisible());
        QTRY_VERIFY(view->width() > size.width() * 9 / 10);
        QTRY_VERIFY(!view->isColumnHidden(widgets::columnOf("verdict")));
        // The last of them is reached beside the names.
        view->horizontalScrollBar()->setValue(view->horizontalScrollBar()->maximum());
        QCOMPARE(child<QTableView>(*view, "frozenColumns")->isVisible(), header.offset() > 0);
        QTest::mouseClick(child<QToolButton>(window, "tableLarge"), Qt::LeftButton);
        QVERIFY(compare->isVisible());
        QTRY_VERIFY(view->isColumnHidden(widgets::columnOf("verdict")));
    }

    // What is selected or said never changes the size of the window.
    void contentNeverResizesTheWindow()
    {
        const tests::WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.resize(1100, 660);
        window.show();
        QVERIFY(tests::opensExample(window));
        const QSize smallest = window.minimumSizeHint();
        for (const core::PlannedCell& cell : window.store().data().plan.cells) {
            window.store().selectCell(QString::fromStdString(cell.id));
            QApplication::processEvents();
            QCOMPARE(window.size(), QSize(1100, 660));
            QCOMPARE(window.minimumSizeHint(), smallest);
        }
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPlanMs);
        QCOMPARE(window.minimumSizeHint(), smallest);
    }
};

const tests::GuiTest<TestMainWindow> registered(__FILE_NAME__);

}  // namespace qs::tst_main_window

#include "tst_main_window.moc"
