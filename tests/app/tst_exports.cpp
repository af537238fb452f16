#include "app/gui/dropped_item.h"
#include "app/gui/exports.h"
#include "core/record/run_folder.h"
#include "core/report/profiles/profile_registry.h"
#include "core/sweep/preset_axes.h"
#include "tests/app/window_fixture.h"
#include "tests/support/gui_test.h"
#include "tests/support/sample_run.h"
#include "tests/support/test_folder.h"
#include "tests/widgets/support/drop.h"
#include "tests/widgets/support/screens.h"
#include "widgets/compare/compare_view.h"
#include "widgets/plan/plan_panel.h"

#include <QAction>
#include <QContextMenuEvent>
#include <QDialog>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QImage>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>

namespace qs::tst_exports {

using app::MainWindow;
using tests::child;

namespace {

constexpr int kWaitMs = 20'000;

core::RunData namedRun()
{
    core::RunData data = tests::sampleRun({.withFailures = true});
    data.plan.preset.name = "Exported ünïcode sweep";
    data.plan.preset.defaults.model = "demo";
    data.plan.preset.defaults.precision = {"bf16"};
    data.plan.preset.axes = {{.name = "batch", .values = {"1", "4"}}};
    return data;
}

}  // namespace

// What leaves the window as files: that it is there, says where, and finds its way back.
class TestExports : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { tests::setUpApplication(); }
    void init() { tests::failOnQtWarnings(); }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    void figureRestoresThePreset()
    {
        const tests::WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.show();
        window.store().setRun(namedRun());
        QCoreApplication::processEvents();
        struct Width {
            const char* action;
            double inches;
        };
        for (const Width& width :
             {Width{"actionExportCurvesColumn", 3.5}, Width{"actionExportCurves", 7.16}}) {
            const auto path = fixture / (std::string(width.action) + ".png");
            child<QAction>(window, width.action)->trigger();
            tests::acceptDialog(*child<QFileDialog>(window, "exportCurvesDialog"), path);
            QTRY_VERIFY_WITH_TIMEOUT(child<QLabel>(window, "statusText")
                                         ->text()
                                         .contains(QString::fromStdString(path.string())),
                                     kWaitMs);
            const QImage image(QString::fromStdString(path.string()));
            QVERIFY(qAbs(image.width() - width.inches * 300.0) <= 3.0);
            QVERIFY(!image.text(QStringLiteral("QuantScope-Environments")).isEmpty());
            QTRY_VERIFY(window.findChild<QFileDialog*>() == nullptr);
        }
        auto* panel = child<widgets::PlanPanel>(window, "planPanel");
        QVERIFY(panel->preset().name != "Exported ünïcode sweep");
        QVERIFY(tests::drop(window, {fixture / "actionExportCurves.png"}));
        QTRY_COMPARE_WITH_TIMEOUT(panel->preset().name, std::string("Exported ünïcode sweep"),
                                  kWaitMs);
        QCOMPARE(panel->preset().axes.size(), std::size_t{1});
        QVERIFY(window.isWindowModified());
        QVERIFY(child<QLabel>(window, "statusText")
                    ->text()
                    .contains(QStringLiteral("Loaded the preset of ")));
        // By the menu as well as by dropping it.
        window.openPreset(fixture.preset(tests::tinyPreset()));
        QCOMPARE(panel->preset().name, std::string("Tiny sweep"));
        child<QAction>(window, "actionOpenPreset")->trigger();
        tests::acceptDialog(*child<QFileDialog>(window, "openPresetDialog"),
                            fixture / "actionExportCurves.png");
        QTRY_COMPARE_WITH_TIMEOUT(panel->preset().name, std::string("Exported ünïcode sweep"),
                                  kWaitMs);
        // Any other picture is an input.
        QImage plain(8, 8, QImage::Format_RGB32);
        plain.fill(Qt::red);
        const auto photo = fixture / "photo.png";
        QVERIFY(plain.save(QString::fromStdString(photo.string())));
        QVERIFY(tests::drop(window, {photo}));
        QTRY_COMPARE_WITH_TIMEOUT(panel->preset().pictures.source, photo.string(), kWaitMs);
    }

    // As the author of the benchmark has it: chosen with the mouse, and dropped.
    void runsOfTheBenchmarkBecomeADraft_data()
    {
        QTest::addColumn<bool>("dropped");
        QTest::newRow("chosen") << false;
        QTest::newRow("dropped") << true;
    }
    void runsOfTheBenchmarkBecomeADraft()
    {
        QFETCH(const bool, dropped);
        const tests::WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.show();
        const auto config = fixture / "run_params.json";
        tests::writeFile(config, R"({"default_run_params": {"model_size": "nano", "batch_size": 4,
            "profiler_enabled": true, "wandb_enabled": true}, "sweep_keys": ["time"], "sweep_group_name": "times"})");
        if (dropped) {
            QVERIFY(tests::drop(window, {config}));
        } else {
            QTest::mouseClick(child<QToolButton>(window, "browsePresets"), Qt::LeftButton);
            auto* browser = child<QDialog>(window, "presetBrowser");
            QTest::mouseClick(child<QPushButton>(*browser, "openPresetFile"), Qt::LeftButton);
            tests::acceptDialog(*child<QFileDialog>(window, "openPresetDialog"), config);
        }
        const auto* panel = child<widgets::PlanPanel>(window, "planPanel");
        QTRY_COMPARE_WITH_TIMEOUT(panel->preset().name, std::string("times"), kWaitMs);
        QCOMPARE(panel->preset().defaults.model, std::string("olmoearth:nano"));
        QCOMPARE(core::findAxis(panel->preset(), "time_steps")->values.size(), std::size_t{6});
        QVERIFY(window.isWindowModified());
        auto* box = child<QMessageBox>(window, "problemBox");
        for (const char* field : {"wandb_enabled", "profiler_enabled"})
            QVERIFY2(box->informativeText().contains(QLatin1String(field)), field);
        QTest::mouseClick(box->button(QMessageBox::Close), Qt::LeftButton);
        QTRY_VERIFY(window.findChild<QMessageBox*>(QStringLiteral("problemBox")) == nullptr);

        // A field that the benchmark does not have is said; the draft stays.
        tests::writeFile(config, R"({"default_run_params": {"model_sise": "nano"}})");
        QVERIFY(tests::drop(window, {config}));
        box = child<QMessageBox>(window, "problemBox");
        QVERIFY(box->informativeText().contains(QStringLiteral("model_sise")));
        QTest::mouseClick(box->button(QMessageBox::Close), Qt::LeftButton);
        QTRY_VERIFY(window.findChild<QMessageBox*>(QStringLiteral("problemBox")) == nullptr);
        QCOMPARE(panel->preset().name, std::string("times"));
    }

    void reportNamesItsFiles()
    {
        const tests::WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.show();
        window.store().setRun(namedRun());
        QCoreApplication::processEvents();
        window.store().setBaseline(QStringLiteral("int8dq-none-b4"));
        const auto folder = fixture / "report";
        std::filesystem::create_directories(folder);
        // What one gets is named before it is asked for.
        auto* action = child<QAction>(window, "actionExportReport");
        const QString page = QStringLiteral("report.html");
        QVERIFY(action->toolTip().contains(page));
        QVERIFY(child<QToolButton>(window, "exportButton")->toolTip().contains(page));
        action->trigger();
        auto* dialog = child<QFileDialog>(window, "exportReportDialog");
        QVERIFY(dialog->windowTitle().contains(page));
        tests::acceptDialog(*dialog, folder);
        // Rows that come while it is being written are not in it, and do no harm.
        window.store().addMeasurement(window.store().data().measurements.back());
        QTRY_VERIFY_WITH_TIMEOUT(
            child<QLabel>(window, "statusText")->text().contains(QStringLiteral("summary.md")),
            kWaitMs);
        for (const char* name : {"summary.md", "report.html", "report.json", "cells.csv",
                                 "measurements.csv", "samples.csv", "environment.json"})
            QVERIFY2(std::filesystem::file_size(folder / name) > 100, name);
        QVERIFY(child<QLabel>(window, "statusText")->text().contains(page));
        // The ratios are those that the window shows.
        const std::string cells = tests::readFile(folder / "cells.csv");
        QVERIFY(cells.find(",int8dq-none-b4,") != std::string::npos);
    }

    // A part of an image, and the whole of it: the very pixels that are seen.
    void cropsAndImagesKeepTheirPixels()
    {
        const tests::WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.resize(1400, 900);
        window.show();
        QVERIFY(tests::opensExample(window));
        auto* compare = child<widgets::CompareView>(window, "compareView");
        widgets::PicturePane& pane = compare->panes().pane(widgets::PaneRole::A);
        const QImage image = pane.image().convertToFormat(QImage::Format_RGB32);
        const QRect region(37, 50, 83, 61);
        QVERIFY(image.rect().contains(region));
        compare->sharedView().setRegion(region);
        for (const auto& [entry, part] :
             {std::pair("savePart", region), std::pair("saveImage", image.rect())}) {
            const QPoint middle = pane.viewport().center();
            QContextMenuEvent event(QContextMenuEvent::Mouse, middle, pane.mapToGlobal(middle));
            QApplication::sendEvent(&pane, &event);
            auto* menu = child<QMenu>(window, "imageMenu");
            auto* action = child<QAction>(*menu, entry);
            QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
            const auto file = fixture / (std::string(entry) + ".png");
            auto* dialog = child<QFileDialog>(window, "exportImageDialog");
            tests::acceptDialog(*dialog, file);
            QTRY_VERIFY_WITH_TIMEOUT(std::filesystem::exists(file) && window.isSettled(), kWaitMs);
            const QImage saved(QString::fromStdString(file.string()));
            QCOMPARE(saved.convertToFormat(QImage::Format_RGB32), image.copy(part));
            QTRY_VERIFY(window.findChild<QFileDialog*>() == nullptr);
            QTRY_VERIFY(window.findChild<QMenu*>(QStringLiteral("imageMenu")) == nullptr);
        }
        QVERIFY(image.copy(region) != image.copy(region.translated(1, 0)));
    }

    // The name of a new one is typed like that of a file.
    void aTypedFolderIsMade_data()
    {
        QTest::addColumn<bool>("byKey");
        QTest::newRow("button") << false;
        QTest::newRow("Return") << true;
    }
    void aTypedFolderIsMade()
    {
        QFETCH(const bool, byKey);
        const tests::WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.show();
        window.store().setRun(namedRun());
        QCoreApplication::processEvents();
        const auto folder = fixture / "made" / "tables";
        child<QAction>(window, "actionExportTables")->trigger();
        auto* dialog = child<QFileDialog>(window, "exportTablesDialog");
        auto* name = child<QLineEdit>(*dialog, "fileNameEdit");
        name->setText(QString::fromStdString(folder.string()));
        QVERIFY(!std::filesystem::exists(folder));
        if (byKey)
            QTest::keyClick(name, Qt::Key_Return);
        else
            tests::acceptDialog(*dialog, folder);
        QTRY_VERIFY_WITH_TIMEOUT(std::filesystem::exists(folder / "cells.csv"), kWaitMs);
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kWaitMs);
        // One that cannot be made is refused as ever.
        QTRY_VERIFY(window.findChild<QFileDialog*>() == nullptr);
    }

    void profilesAreFilesOfDocuments()
    {
        const tests::WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.show();
        auto* menu = child<QMenu>(window, "exportProfilesMenu");
        QVERIFY(!menu->menuAction()->isEnabled());
        window.store().setRun(namedRun());
        QTRY_VERIFY(menu->menuAction()->isEnabled());
        QCOMPARE(menu->actions().size(), qsizetype(core::exportProfiles().size()));
        const auto folder = fixture / "profile";
        std::filesystem::create_directories(folder);
        child<QAction>(window, "actionExport:vitok-benchmark")->trigger();
        tests::acceptDialog(*child<QFileDialog>(window, "exportProfileDialog"), folder);
        QTRY_VERIFY_WITH_TIMEOUT(child<QLabel>(window, "statusText")
                                     ->text()
                                     .contains(QString::fromStdString(folder.string())),
                                 kWaitMs);
        for (const char* name : {"benchmark_results.json", "reasons.json", "environment.json"})
            QVERIFY2(std::filesystem::file_size(folder / name) > 100, name);
    }

    void failureIsSaid()
    {
        const tests::WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.show();
        window.store().setRun(namedRun());
        QCoreApplication::processEvents();
        const auto file = fixture / "file";
        tests::writeFile(file, "x");
        const QSignalSpy problem(&window, &MainWindow::problemShown);
        auto* exports = window.findChild<app::Exports*>();
        QVERIFY(exports != nullptr);
        child<QAction>(window, "actionExportCurves")->trigger();
        auto* dialog = child<QFileDialog>(window, "exportCurvesDialog");
        // As if the folder had gone between choosing and writing.
        Q_EMIT dialog->fileSelected(QString::fromStdString((file / "curves.png").string()));
        dialog->close();
        QTRY_COMPARE_WITH_TIMEOUT(problem.count(), 1, kWaitMs);
        QVERIFY(!exports->isWriting());
        child<QMessageBox>(window, "problemBox")->close();
    }

    void nothingToDrawIsSaid()
    {
        const tests::WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.show();
        window.store().setRun(tests::sampleRun({.rounds = 0}));
        QCoreApplication::processEvents();
        const QSignalSpy problem(&window, &MainWindow::problemShown);
        child<QAction>(window, "actionExportCurves")->trigger();
        tests::acceptDialog(*child<QFileDialog>(window, "exportCurvesDialog"),
                            fixture / "none.png");
        QTRY_COMPARE_WITH_TIMEOUT(problem.count(), 1, kWaitMs);
        QVERIFY(problem[0][0].toString().contains(QStringLiteral("no curve")));
        QVERIFY(!std::filesystem::exists(fixture / "none.png"));
        child<QMessageBox>(window, "problemBox")->close();
    }
};

const tests::GuiTest<TestExports> registered(__FILE_NAME__);

}  // namespace qs::tst_exports

#include "tst_exports.moc"
