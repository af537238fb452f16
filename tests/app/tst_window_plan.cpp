#include "core/sweep/plan.h"
#include "tests/app/window_fixture.h"
#include "tests/support/gui_test.h"
#include "tests/widgets/support/screens.h"
#include "widgets/model/layers_view.h"
#include "widgets/plan/plan_panel.h"
#include "widgets/plan/plan_text.h"
#include "widgets/plan/preset_browser.h"
#include "widgets/plan/preset_edit.h"

#include <QAction>
#include <QCheckBox>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QStyleOptionViewItem>
#include <QTest>
#include <QToolButton>
#include <QTreeView>
#include <QTreeWidget>

namespace qs::tst_window_plan {

using app::MainWindow;
using tests::child;

namespace {

constexpr int kPlanMs = 20'000;

widgets::PlanPanel& panelOf(const MainWindow& window)
{
    return *child<widgets::PlanPanel>(window, "planPanel");
}

}  // namespace

// What the window does for the draft.
class TestWindowPlan : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { tests::setUpApplication(); }
    void init() { tests::failOnQtWarnings(); }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    void theDraftComesBack()
    {
        const tests::WindowFixture fixture;
        {
            MainWindow window(fixture.withoutEngine());
            window.openFirstPreset();
            QVERIFY(!window.isWindowModified());
            window.openPreset(fixture.preset(tests::tinyPreset()));
            child<QCheckBox>(window, "choice:fp16")->click();
        }
        MainWindow window(fixture.withoutEngine());
        window.openFirstPreset();
        QCOMPARE(panelOf(window).preset().name, std::string("Tiny sweep"));
        QCOMPARE(widgets::axisValues(panelOf(window).preset(), "precision").size(), qsizetype{4});
        QVERIFY(window.isWindowModified());
        QVERIFY(window.windowTitle().contains(QStringLiteral("Tiny sweep")));
    }

    // Editors have the values of an axis in an order of their own.
    void whatIsUntickedAgainIsNoChange()
    {
        const tests::WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.openPreset(fixture.preset(
            R"({"schema_version": 1, "name": "Reversed", "defaults": {"model": "demo"},
                "axes": {"precision": ["int8dq", "bf16"], "compile": ["cuda-graph", "none"]}})"));
        window.show();
        QVERIFY(!window.isWindowModified());
        for (const char* box : {"choice:fp16", "choice:bf16", "choice:none"}) {
            child<QCheckBox>(window, box)->click();
            QVERIFY2(window.isWindowModified(), box);
            child<QCheckBox>(window, box)->click();
            QVERIFY2(!window.isWindowModified(), box);
        }
    }

    // The mark says that it differs from its preset, not that it was touched.
    void whatIsUndoneIsNoChange()
    {
        const tests::WindowFixture fixture;
        const auto fp16 = [](MainWindow& window) {
            return child<QCheckBox>(window, "choice:fp16");
        };
        {
            MainWindow window(fixture.withoutEngine());
            window.openFirstPreset();
            window.show();
            fp16(window)->click();
            QVERIFY(window.isWindowModified());
            child<QAction>(window, "undoDraft")->trigger();
            QVERIFY(!window.isWindowModified());
            child<QAction>(window, "redoDraft")->trigger();
            QVERIFY(window.isWindowModified());
            child<QAction>(window, "undoDraft")->trigger();
        }
        {
            MainWindow window(fixture.withoutEngine());
            window.openFirstPreset();
            QVERIFY(!window.isWindowModified());
            fp16(window)->click();
            // Another preset, and back.
            window.openPreset(fixture.preset(tests::tinyPreset()));
            QVERIFY(!window.isWindowModified());
            child<QAction>(window, "undoDraft")->trigger();
            QVERIFY(window.isWindowModified());
            child<QAction>(window, "undoDraft")->trigger();
            QVERIFY(!window.isWindowModified());
            fp16(window)->click();
        }
        MainWindow window(fixture.withoutEngine());
        window.openFirstPreset();
        QVERIFY(window.isWindowModified());
    }

    // What it promises is no more true of an edited draft.
    void theDescriptionSaysThatItIsEdited()
    {
        const tests::WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.openPreset(fixture.preset(tests::tinyPreset()));
        window.show();
        const auto about = [&window] {
            return child<QLabel>(window, "presetDescription")->toolTip();
        };
        const QString asItIs = about();
        QVERIFY(!asItIs.isEmpty());
        child<QCheckBox>(window, "choice:fp16")->click();
        QVERIFY(about() != asItIs);
        child<QAction>(window, "undoDraft")->trigger();
        QCOMPARE(about(), asItIs);
    }

    void aBrokenDraftIsNoObstacle()
    {
        const tests::WindowFixture fixture;
        tests::writeFile(fixture / "draft.json", R"({"schema_version": 1, "name": 7})");
        MainWindow window(fixture.withoutEngine());
        window.openFirstPreset();
        QCOMPARE(panelOf(window).preset().name, std::string("Demo on the CPU"));
    }

    void layersFollowTheEditor()
    {
        const tests::WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.show();
        window.showView(QStringLiteral("layers"));
        window.openPreset(fixture.preset(tests::tinyPreset()));
        auto* summary = child<QLabel>(window, "layersSummary");
        QTRY_VERIFY_WITH_TIMEOUT(
            summary->text().contains(QStringLiteral("of 16 linear layers match")), kPlanMs);
        const QString all = summary->text();
        child<QCheckBox>(window, "choice:mlp")->click();
        child<QCheckBox>(window, "choice:all")->click();
        QTRY_VERIFY_WITH_TIMEOUT(
            summary->text() != all && summary->text().contains(QStringLiteral("6 of 16")), kPlanMs);
    }

    // Without layer reports, and with another model as the draft.
    void layersOfARunAreNotThoseOfTheDraft()
    {
        const tests::WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.show();
        window.openPreset(fixture.preset(tests::tinyPreset()));
        QVERIFY(tests::opens(window, tests::exampleRun("gptq_vitok_350m_h100")));
        window.showView(QStringLiteral("layers"));
        auto* view = child<widgets::LayersView>(window, "layersView");
        QTRY_VERIFY_WITH_TIMEOUT(!view->isLoading() && !view->layers().tree().stages.empty(),
                                 kPlanMs);
        const auto linear = [&] { return view->layers().tree().stages.back().linearLayers; };
        QCOMPARE(linear(), 98);  // that the run says to have quantized in its decoder
        QVERIFY(child<QTreeView>(window, "layerTree")
                    ->isColumnHidden(widgets::LayerTreeModel::LocalError));
        QTRY_VERIFY(child<QLabel>(window, "layersSummary")->text().contains(QStringLiteral("116")));
    }

    void layersGiveFiltersToTheDraft()
    {
        const tests::WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.show();
        window.openPreset(fixture.preset(tests::tinyPreset()));
        window.showView(QStringLiteral("layers"));
        auto* tree = child<QTreeView>(window, "layerTree");
        QTRY_VERIFY_WITH_TIMEOUT(tree->model()->rowCount() == 2, kPlanMs);
        // The whole encoder is ticked: its embedding as well.
        const QModelIndex encoder = tree->model()->index(0, 0);
        QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, tree->visualRect(encoder).center());
        QCOMPARE(tree->currentIndex(), encoder);
        QTRY_VERIFY(tree->hasFocus());
        QTest::keyClick(tree, Qt::Key_Space);
        auto* use = child<QPushButton>(window, "layersUseTicked");
        QVERIFY(use->isEnabled());
        QTest::mouseClick(use, Qt::LeftButton);
        QStringList filters = widgets::axisValues(panelOf(window).preset(), "layers");
        QCOMPARE(filters.size(), qsizetype{2});
        QVERIFY(filters[1].startsWith(QStringLiteral("only:")));
        // The editor of the sweep has it, too.
        QVERIFY(
            child<QCheckBox>(window, ("choice:" + filters[1].toStdString()).c_str())->isChecked());
        QTest::mouseClick(child<QPushButton>(window, "sensitivityBlocks"), Qt::LeftButton);
        filters = widgets::axisValues(panelOf(window).preset(), "layers");
        QCOMPARE(filters.size(), qsizetype{4});  // all, and three blocks
        QCOMPARE(widgets::axisValues(panelOf(window).preset(), "precision"),
                 QStringList{QStringLiteral("int8dq")});
    }

    void layersGiveRegionsToTheDraft()
    {
        const tests::WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.resize(1280, 800);
        window.show();
        window.openPreset(fixture.preset(tests::tinyPreset()));
        window.showView(QStringLiteral("layers"));
        auto* tree = child<QTreeView>(window, "layerTree");
        QTRY_VERIFY_WITH_TIMEOUT(tree->model()->rowCount() == 2, kPlanMs);
        const auto tick = [tree](const QModelIndex& index) {
            tree->scrollTo(index);
            QStyleOptionViewItem option;
            option.initFrom(tree);
            option.rect = tree->visualRect(index);
            option.features = QStyleOptionViewItem::HasCheckIndicator;
            const QRect box =
                tree->style()->subElementRect(QStyle::SE_ItemViewItemCheckIndicator, &option, tree);
            QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, box.center());
        };
        // Two blocks of the decoder, and nothing else.
        const auto rowOf = [tree](int stage, const char* path) {
            const QModelIndex parent = tree->model()->index(stage, 0);
            return tree->model()
                ->match(tree->model()->index(0, 0, parent), Qt::DisplayRole,
                        QString::fromLatin1(path), 1, Qt::MatchExactly)
                .value(0);
        };
        for (const int stage : {0, 1}) {
            const QModelIndex whole = tree->model()->index(stage, 0);
            tick(whole);
            if (whole.data(Qt::CheckStateRole).toInt() != Qt::Unchecked)
                tick(whole);
        }
        auto* compile = child<QPushButton>(window, "layersCompileTicked");
        QVERIFY(!compile->isEnabled());
        for (const char* path : {"decoder_blocks.0", "decoder_blocks.1"})
            tick(rowOf(1, path));
        QVERIFY(compile->isEnabled());
        QTest::mouseClick(compile, Qt::LeftButton);
        const QString mode = QStringLiteral("regions:at=decoder_blocks.{0-1}");
        const auto modes = [&] { return widgets::axisValues(panelOf(window).preset(), "compile"); };
        QTRY_VERIFY_WITH_TIMEOUT(modes().contains(mode), kPlanMs);
        auto* box = child<QCheckBox>(window, ("choice:" + mode.toStdString()).c_str());
        QVERIFY(box->isChecked());
        core::PlanOptions options;
        options.devices = {core::describeCpu()};
        const auto plan = core::makePlan(panelOf(window).preset(), options);
        QVERIFY(plan.ok());
        int compiled = 0;
        for (const core::PlannedCell& cell : plan.value().cells) {
            compiled += cell.config.compile == mode.toStdString() ? 1 : 0;
            QVERIFY2(cell.possible(), cell.config.compile.c_str());
        }
        QVERIFY(compiled > 0);
        child<QAction>(window, "undoDraft")->trigger();
        QVERIFY(!modes().contains(mode));
    }

    void modelsAreRemembered()
    {
        const tests::WindowFixture fixture;
        const auto folder = core::locatePrograms().resources / "demo_model";
        {
            MainWindow window(fixture.withoutEngine());
            window.show();
            window.openPreset(fixture.preset(tests::tinyPreset()));
            window.openItem(folder);
            QTRY_VERIFY_WITH_TIMEOUT(
                child<QLabel>(window, "modelHeadline")->text().contains(QStringLiteral("BF16")),
                kPlanMs);
        }
        const MainWindow window(fixture.withoutEngine());
        const auto actions = child<QMenu>(window, "openModelMenu")->actions();
        QCOMPARE(actions.back()->toolTip(), QString::fromStdString(folder.string()));
    }

    void presetsAreFoundAndOpened()
    {
        const tests::WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.show();
        window.openPreset(fixture.preset(tests::tinyPreset()));
        child<QToolButton>(window, "browsePresets")->click();
        auto* browser = child<widgets::PresetBrowser>(window, "presetBrowser");
        QTRY_VERIFY(!browser->isBusy());
        child<QPushButton>(*browser, "savePreset")->click();
        QTRY_VERIFY(std::filesystem::exists(fixture / "presets" / "tiny_sweep.json"));
        QTRY_VERIFY(!browser->isBusy());
        auto* tree = child<QTreeWidget>(*browser, "presetTree");
        const auto found = tree->findItems(QStringLiteral("Demo on the GPU"),
                                           Qt::MatchExactly | Qt::MatchRecursive);
        QVERIFY(!found.isEmpty());
        tree->setCurrentItem(found.front());
        child<QPushButton>(*browser, "openPresetButton")->click();
        QCOMPARE(panelOf(window).preset().name, std::string("Demo on the GPU"));
    }

    void everyPresetOfADocumentIsPlanned_data()
    {
        QTest::addColumn<QString>("file");
        for (const char* system :
             {"vitok", "olmoearth", "resnet_precision", "gptq_compile", "surgical_compile"}) {
            const auto folder = core::locatePrograms().presets / system;
            for (const auto& entry : std::filesystem::directory_iterator(folder))
                QTest::addRow("%s/%s", system, entry.path().stem().c_str())
                    << QString::fromStdString(entry.path().string());
        }
    }
    // Someone who knows the document alone: finds the sweep, and every cell of it can run here or
    // says why not.
    void everyPresetOfADocumentIsPlanned()
    {
        QFETCH(const QString, file);
        const std::string name = core::readPreset(file.toStdString()).value().name;
        const tests::WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.show();
        QTest::mouseClick(child<QToolButton>(window, "browsePresets"), Qt::LeftButton);
        auto* browser = child<widgets::PresetBrowser>(window, "presetBrowser");
        QTRY_VERIFY(!browser->isBusy());
        auto* tree = child<QTreeWidget>(*browser, "presetTree");
        const auto found =
            tree->findItems(QString::fromStdString(name), Qt::MatchExactly | Qt::MatchRecursive);
        QCOMPARE(found.size(), qsizetype{1});
        tree->scrollToItem(found.front());
        QTest::mouseClick(tree->viewport(), Qt::LeftButton, {},
                          tree->visualItemRect(found.front()).center());
        QTest::mouseClick(child<QPushButton>(*browser, "openPresetButton"), Qt::LeftButton);
        QCOMPARE(panelOf(window).preset().name, name);
        QTRY_VERIFY_WITH_TIMEOUT(panelOf(window).isSettled(), tests::kHangsMs);
        const auto& plan = panelOf(window).planned().plan();
        QVERIFY2(plan.has_value(), qPrintable(panelOf(window).planned().problem()));
        qsizetype explained = 0;
        for (const widgets::ImpossibleCells& cells : widgets::impossibleCells(*plan)) {
            QVERIFY(cells.reason.size() > 10);
            explained += cells.cells.size();
        }
        QCOMPARE(explained + plan->possibleCells(), static_cast<qsizetype>(plan->cells.size()));
        for (const core::PlannedCell& cell : plan->cells)
            QCOMPARE(cell.possible(), cell.config.device == "cpu");
    }
};

const tests::GuiTest<TestWindowPlan> registered(__FILE_NAME__);

}  // namespace qs::tst_window_plan

#include "tst_window_plan.moc"
