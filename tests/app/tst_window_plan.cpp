#include "tests/app/window_fixture.h"
#include "tests/widgets/support/screens.h"
#include "widgets/model/layers_view.h"
#include "widgets/plan/plan_panel.h"
#include "widgets/plan/preset_browser.h"
#include "widgets/plan/preset_edit.h"

#include <QAction>
#include <QCheckBox>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>
#include <QTreeWidget>

using namespace qs;
using qs::app::MainWindow;
using qs::tests::child;

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
};

QTEST_MAIN(TestWindowPlan)
#include "tst_window_plan.moc"
