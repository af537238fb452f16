#include "app/gui/check_picture_dialog.h"
#include "tests/app/opened_window.h"
#include "tests/support/gui_test.h"
#include "tests/support/small_program.h"
#include "tests/widgets/support/drop.h"
#include "tests/widgets/support/keyboard.h"
#include "tests/widgets/support/mouse.h"
#include "tests/widgets/support/screens.h"
#include "widgets/compare/compare_view.h"
#include "widgets/compare/picture_pane.h"
#include "widgets/plan/feed_fields.h"
#include "widgets/plan/plan_panel.h"

#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QLabel>

namespace qs::tst_window_feeding {

using namespace tests;

namespace {

constexpr int kPictureMs = 20'000;

// Opens the list by a click and goes to the line of that number.
void choose(QComboBox& box, int index)
{
    click(box);
    QTRY_VERIFY(box.view()->isVisible());
    press(Qt::Key_Home);
    for (int i = 0; i < index; ++i)
        press(Qt::Key_Down);
    press(Qt::Key_Return);
    QTRY_VERIFY(!box.view()->isVisible());
    QCOMPARE(box.currentIndex(), index);
}

// A program of which nothing is said, until it is planned.
void dropProgram(OpenedWindow& opened, std::int64_t batch = 1)
{
    app::MainWindow& window = opened.window;
    window.resize(1400, 900);
    QVERIFY(opened.getsReady());
    QVERIFY(QTest::qWaitForWindowActive(&window));
    writeSmallProgram(opened.fixture / "small.pt2", batch);
    QVERIFY(tests::drop(window, {opened.fixture / "small.pt2"}));
    auto* plan = child<widgets::PlanPanel>(window, "planPanel");
    QTRY_VERIFY_WITH_TIMEOUT(plan->isSettled() && plan->canRun(), kEngineMs);
}

void chooseKind(const QWidget& plan, const char* input, widgets::FeedKind kind)
{
    auto* box = child<QComboBox>(*child<QWidget>(plan, input), "feedKind");
    choose(*box, box->findData(QVariant::fromValue(kind)));
}

}  // namespace

// A model of which its file says nothing, from the drop to the images of its cells.
class TestWindowFeeding : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { setUpApplication(); }
    void init() { failOnQtWarnings(); }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    void droppedDeclaredCheckedAndRun()
    {
        OpenedWindow opened("[1]");
        app::MainWindow& window = opened.window;
        dropProgram(opened);
        auto* plan = child<widgets::PlanPanel>(window, "planPanel");
        QVERIFY2(!plan->planned().plan()->cells.front().trained, "nobody has said so");

        chooseKind(*plan, "input:image", widgets::FeedKind::Images);
        chooseKind(*plan, "input:noise", widgets::FeedKind::Random);
        const auto& noise = *child<QWidget>(*plan, "input:noise");
        choose(*child<QComboBox>(noise, "feed:distribution"), 1);
        choose(*child<QComboBox>(*plan, "weightsBox"), 1);
        QTRY_VERIFY_WITH_TIMEOUT(plan->isSettled() && plan->canRun(), kEngineMs);
        QCOMPARE(plan->planned().plan()->cells.front().output, core::OutputKind::Image);
        QVERIFY(plan->planned().plan()->cells.front().trained);
        screenshot(window, QStringLiteral("window-feeding"));

        child<QAction>(window, "actionCheckPicture")->trigger();
        auto* dialog = child<app::CheckPictureDialog>(window, "checkPictureDialog");
        QTRY_VERIFY_WITH_TIMEOUT(!dialog->isBusy(), kEngineMs);
        QVERIFY(!child<QLabel>(*dialog, "checkInput")->pixmap(Qt::ReturnByValue).isNull());
        QVERIFY2(!child<QLabel>(*dialog, "checkOutput")->pixmap(Qt::ReturnByValue).isNull(),
                 qPrintable(child<QLabel>(*dialog, "checkFindings")->text()));
        screenshot(*dialog, QStringLiteral("check-fed-image"));
        dialog->close();
        QTRY_VERIFY(window.findChild<QDialog*>(QStringLiteral("checkPictureDialog")) == nullptr);

        click(*opened.run);
        QTRY_COMPARE_WITH_TIMEOUT(opened.finished.count(), 1, kRunMs);
        QCOMPARE(opened.finished[0][0].toString(), QString());
        const core::RunData& data = window.store().data();
        QCOMPARE(data.measurements.size(), std::size_t{3});
        for (const core::Measurement& row : data.measurements)
            QVERIFY2(row.ok(), row.logTail.c_str());
        QVERIFY2(!data.qualities.empty(), "trained weights on images are judged");
        auto* compare = child<widgets::CompareView>(window, "compareView");
        QTRY_VERIFY_WITH_TIMEOUT(!compare->pictures().isLoading(), kPictureMs);
        for (const auto role : {widgets::PaneRole::A, widgets::PaneRole::Reference})
            QTRY_VERIFY(!compare->panes().pane(role).image().isNull());
    }

    // Nothing of images is shown of a model that takes none.
    void oneSampleWithoutImages()
    {
        OpenedWindow opened("[1]");
        app::MainWindow& window = opened.window;
        dropProgram(opened);
        child<QAction>(window, "actionCheckPicture")->trigger();
        auto* dialog = child<app::CheckPictureDialog>(window, "checkPictureDialog");
        QTRY_VERIFY_WITH_TIMEOUT(!dialog->isBusy(), kEngineMs);
        QVERIFY(dialog->isVisible());
        for (const char* picture : {"checkInput", "checkOutput"})
            QVERIFY(!child<QLabel>(*dialog, picture)->isVisible());
        QVERIFY(!child<QLabel>(*dialog, "checkFindings")->text().isEmpty());
        screenshot(*dialog, QStringLiteral("check-sample"));
        dialog->close();
    }

    // A program that was exported for four samples takes no single one: the image comes four times.
    void oneImageOfAFixedBatch()
    {
        OpenedWindow opened("[1, 4]");
        app::MainWindow& window = opened.window;
        dropProgram(opened, 4);
        auto* plan = child<widgets::PlanPanel>(window, "planPanel");
        chooseKind(*plan, "input:image", widgets::FeedKind::Images);
        QTRY_VERIFY_WITH_TIMEOUT(plan->isSettled() && plan->canRun(), kEngineMs);
        child<QAction>(window, "actionCheckPicture")->trigger();
        auto* dialog = child<app::CheckPictureDialog>(window, "checkPictureDialog");
        QTRY_VERIFY_WITH_TIMEOUT(!dialog->isBusy(), kEngineMs);
        QVERIFY2(!child<QLabel>(*dialog, "checkOutput")->pixmap(Qt::ReturnByValue).isNull(),
                 qPrintable(child<QLabel>(*dialog, "checkFindings")->text()));
        dialog->close();
    }

    // The scores of classes are no image: what is likeliest is said.
    void oneImageOfAClassifier()
    {
        OpenedWindow opened("[1]");
        app::MainWindow& window = opened.window;
        dropProgram(opened);
        auto* plan = child<widgets::PlanPanel>(window, "planPanel");
        chooseKind(*plan, "input:image", widgets::FeedKind::Images);
        auto* output = child<QComboBox>(*plan, "judgedOutput");
        choose(*output, output->findData(QStringLiteral("output_1")));
        auto* kind = child<QComboBox>(*plan, "outputKind");
        choose(*kind, kind->findData(QVariant::fromValue(core::OutputKind::Classes)));
        child<QAction>(window, "actionCheckPicture")->trigger();
        auto* dialog = child<app::CheckPictureDialog>(window, "checkPictureDialog");
        QTRY_VERIFY_WITH_TIMEOUT(!dialog->isBusy(), kEngineMs);
        QVERIFY(!child<QLabel>(*dialog, "checkInput")->pixmap(Qt::ReturnByValue).isNull());
        QVERIFY(child<QLabel>(*dialog, "checkOutput")->pixmap(Qt::ReturnByValue).isNull());
        const QString findings = child<QLabel>(*dialog, "checkFindings")->text();
        QVERIFY2(findings.count(QLatin1Char('%')) == 5, qPrintable(findings));
        dialog->close();
    }
};

const tests::GuiTest<TestWindowFeeding> registered(__FILE_NAME__);

}  // namespace qs::tst_window_feeding

#include "tst_window_feeding.moc"
