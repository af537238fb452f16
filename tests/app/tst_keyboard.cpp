#include "core/record/run_folder.h"
#include "tests/app/window_fixture.h"
#include "tests/support/gui_test.h"
#include "tests/widgets/support/keyboard.h"
#include "tests/widgets/support/screens.h"
#include "widgets/compare/compare_view.h"
#include "widgets/plan/plan_panel.h"
#include "widgets/plan/preset_edit.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/plot/curve_view.h"

#include <QAction>
#include <QFileDialog>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QTimer>
#include <QTreeWidget>

namespace qs::tst_keyboard {

using namespace tests;
using app::MainWindow;

namespace {

constexpr int kEngineMs = 90'000;
constexpr int kRunMs = 180'000;
constexpr int kPictureMs = 20'000;

QStringList axis(const MainWindow& window, const std::string& name)
{
    return widgets::axisValues(child<widgets::PlanPanel>(window, "planPanel")->preset(), name);
}

std::size_t drawnPoints(const MainWindow& window)
{
    std::size_t points = 0;
    for (const auto& curve : child<widgets::CurveView>(window, "curveView")->plot().curves().curves)
        points += curve.points.size();
    return points;
}

// Types a path into the file dialog that has just come and accepts it.
void answerDialog(const std::filesystem::path& path)
{
    press(Qt::Key_A, Qt::ControlModifier);
    type(QString::fromStdString(path.string()));
    press(Qt::Key_Return);
}

bool dialogIsOpen(const char* name)
{
    const QWidget* active = QApplication::activeWindow();
    return active != nullptr && active->objectName() == QLatin1String(name) &&
           focusName() == QStringLiteral("fileNameEdit");
}

}  // namespace

// The main job from an empty window to files, without a mouse: every step is a key that goes to
// where the keyboard is. Runs the real worker on the processor.
class TestKeyboard : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { setUpApplication(); }
    void init() { failOnQtWarnings(); }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    void wholeJob();
    void gesturesToABlinkAtOneToOne();

private:
    void openPreset(MainWindow& window);
    void editSweep(const MainWindow& window);
    void run(MainWindow& window);
    void walkTheViews(MainWindow& window);
    void changePanes(MainWindow& window);
    void askWhy(MainWindow& window);
    void exportFiles(MainWindow& window);

    std::optional<WindowFixture> m_fixture;
};

// Checks end only the function that they are in.
#define QS_STEP(step)                                                                              \
    do {                                                                                           \
        step;                                                                                      \
        if (QTest::currentTestFailed())                                                            \
            return;                                                                                \
    } while (false)

void TestKeyboard::wholeJob()
{
    m_fixture.emplace();
    {
        MainWindow window(m_fixture->options());
        window.resize(1366, 768);
        window.show();
        QTRY_VERIFY(window.isActiveWindow());
        QVERIFY(window.store().isEmpty());
        QS_STEP(openPreset(window));
        QS_STEP(editSweep(window));
        QS_STEP(run(window));
        QS_STEP(walkTheViews(window));
        QS_STEP(changePanes(window));
        QS_STEP(askWhy(window));
        QS_STEP(exportFiles(window));
        press(Qt::Key_Q, Qt::ControlModifier);
        QTRY_VERIFY(!window.isVisible());
    }
    m_fixture.reset();
}

// "My model, my images: is int8 good enough?", every chord and every typed or pasted path counted.
// By mouse these are four gestures: see tst_main_job.
void TestKeyboard::gesturesToABlinkAtOneToOne()
{
    constexpr int kMost = 12;
    m_fixture.emplace();
    const std::filesystem::path resources = core::locatePrograms().resources;
    const std::filesystem::path images = *m_fixture / "images";
    std::filesystem::create_directories(images);
    for (const char* name : {"02 portrait.png", "04 text.png"})
        std::filesystem::copy_file(resources / "test_images" / name, images / name);
    {
        MainWindow window(m_fixture->options());
        window.resize(1500, 900);
        window.show();
        QTRY_VERIFY(window.isActiveWindow());
        window.openPreset(m_fixture->preset(shortSweep()));
        child<QAction>(window, "actionPlan")->setChecked(true);
        int gestures = 0;
        const auto chord = [&](Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
            ++gestures;
            press(key, modifiers);
        };
        const auto path = [&](const std::filesystem::path& typed) {
            ++gestures;
            type(QString::fromStdString(typed.string()));
        };
        chord(Qt::Key_M, Qt::AltModifier);
        path(resources / "demo_model");
        chord(Qt::Key_G, Qt::AltModifier);
        QCOMPARE(focusName(), QStringLiteral("pictureSource"));
        chord(Qt::Key_Down);  // a folder of one's own
        QTRY_COMPARE(focusName(), QStringLiteral("fileNameEdit"));
        path(images);
        chord(Qt::Key_Return);
        QVERIFY(comesBack(window));
        const core::Preset& draft = child<widgets::PlanPanel>(window, "planPanel")->preset();
        QCOMPARE(draft.defaults.model, (resources / "demo_model").string());
        QCOMPARE(draft.pictures.source, images.string());

        auto* button = child<QPushButton>(window, "runButton");
        QTRY_VERIFY_WITH_TIMEOUT(button->isEnabled(), kEngineMs);
        chord(Qt::Key_R, Qt::ControlModifier);
        QVERIFY(window.controller().isRunning());
        QTRY_VERIFY_WITH_TIMEOUT(!window.controller().isRunning(), kRunMs);
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPictureMs);
        const QString shown = window.store().selectedCell();
        QVERIFY(!shown.isEmpty());

        chord(Qt::Key_1, Qt::ControlModifier);
        chord(Qt::Key_Left);
        QVERIFY(window.store().selectedCell() != shown);
        chord(Qt::Key_5, Qt::ControlModifier);
        chord(Qt::Key_Z);
        chord(Qt::Key_B);
        QVERIFY2(gestures <= kMost, qPrintable(QString::number(gestures)));

        auto& compare = *child<widgets::CompareView>(window, "compareView");
        QTRY_VERIFY_WITH_TIMEOUT(!compare.isBusy(), kPictureMs);
        QCOMPARE(compare.controls().mode(), widgets::CompareMode::Blink);
        const widgets::PicturePane& a = compare.panes().pane(widgets::PaneRole::A);
        QTRY_VERIFY_WITH_TIMEOUT(!a.image().isNull(), kPictureMs);
        QCOMPARE(a.frame().scale() * compare.devicePixelRatioF(), 1.0);
    }
    m_fixture.reset();
}

void TestKeyboard::openPreset(MainWindow& window)
{
    press(Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(dialogIsOpen("openPresetDialog"));
    answerDialog(m_fixture->preset(tinyPreset()));
    QTRY_COMPARE(axis(window, "batch"), (QStringList{QStringLiteral("1"), QStringLiteral("2")}));
    QVERIFY(comesBack(window));
}

void TestKeyboard::editSweep(const MainWindow& window)
{
    // F6 goes from part to part of the window; mnemonics to the editors of the draft.
    press(Qt::Key_C, Qt::AltModifier);
    QVERIFY(tabTo(QStringLiteral("choice:int8wo")));
    press(Qt::Key_Space);
    QVERIFY(axis(window, "precision").contains(QStringLiteral("int8wo")));
    press(Qt::Key_B, Qt::AltModifier);
    QCOMPARE(focusName(), QStringLiteral("rangeText"));
    // It is scrolled into view.
    QVERIFY(!QApplication::focusWidget()->visibleRegion().isEmpty());
    press(Qt::Key_A, Qt::ControlModifier);
    type(QStringLiteral("1, 3"));
    QCOMPARE(axis(window, "batch"), (QStringList{QStringLiteral("1"), QStringLiteral("3")}));
    // Undo and redo are keys as well.
    press(Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(axis(window, "batch") != (QStringList{QStringLiteral("1"), QStringLiteral("3")}));
    press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(axis(window, "batch"), (QStringList{QStringLiteral("1"), QStringLiteral("3")}));
}

void TestKeyboard::run(MainWindow& window)
{
    auto* button = child<QPushButton>(window, "runButton");
    QTRY_VERIFY_WITH_TIMEOUT(button->isEnabled(), kEngineMs);
    QCOMPARE(axis(window, "precision").join(QLatin1Char(' ')),
             QStringLiteral("fp32 bf16 int8dq int8wo"));
    press(Qt::Key_R, Qt::ControlModifier);
    QVERIFY(window.controller().isRunning());
    QTRY_VERIFY_WITH_TIMEOUT(!window.controller().isRunning(), kRunMs);
    QCOMPARE(window.store().data().measurements.size(), std::size_t{8});
    for (const core::Measurement& row : window.store().data().measurements)
        QVERIFY2(row.ok(), row.cellId.c_str());
    // The last cells are analysed and drawn a moment after the run has ended.
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPictureMs);
    QVERIFY(!window.store().selectedCell().isEmpty());
}

void TestKeyboard::walkTheViews(MainWindow& window)
{
    press(Qt::Key_2, Qt::ControlModifier);
    QCOMPARE(focusName(), QStringLiteral("cellView"));
    press(Qt::Key_Home, Qt::ControlModifier);
    const QString first = window.store().selectedCell();
    press(Qt::Key_Down);
    const QString second = window.store().selectedCell();
    QVERIFY(second != first);

    press(Qt::Key_1, Qt::ControlModifier);
    QCOMPARE(focusName(), QStringLiteral("curvePlot"));
    QCOMPARE(drawnPoints(window), std::size_t{8});
    press(Qt::Key_Right);
    if (window.store().selectedCell() == second)
        press(Qt::Key_Left);  // it was the last of its curve
    QVERIFY(window.store().selectedCell() != second);
    for (const auto key : {Qt::Key_3, Qt::Key_4}) {
        const int before = child<QTabWidget>(window, "viewTabs")->currentIndex();
        press(key, Qt::ControlModifier);
        QVERIFY(child<QTabWidget>(window, "viewTabs")->currentIndex() != before);
    }
    press(Qt::Key_1, Qt::ControlModifier);
    // Round the parts of the window and back.
    press(Qt::Key_F6);
    QVERIFY(child<QWidget>(window, "cellTable")->isAncestorOf(QApplication::focusWidget()));
    press(Qt::Key_F6);
    QVERIFY(child<QWidget>(window, "compareView")->isAncestorOf(QApplication::focusWidget()));
    press(Qt::Key_F6);
    QVERIFY(child<QWidget>(window, "answerBar")->isAncestorOf(QApplication::focusWidget()));
    // The plan is closed while a run is in view.
    press(Qt::Key_F6);
    QVERIFY(child<QWidget>(window, "viewTabs")->isAncestorOf(QApplication::focusWidget()));
    press(Qt::Key_B, Qt::ControlModifier);
    QVERIFY(child<QWidget>(window, "planPanel")->isAncestorOf(QApplication::focusWidget()));
    press(Qt::Key_F6, Qt::ShiftModifier);
    QVERIFY(child<QWidget>(window, "answerBar")->isAncestorOf(QApplication::focusWidget()));
    press(Qt::Key_B, Qt::ControlModifier);
    QVERIFY(!child<QWidget>(window, "planPanel")->isVisible());
}

void TestKeyboard::changePanes(MainWindow& window)
{
    auto* compare = child<widgets::CompareView>(window, "compareView");
    QTRY_VERIFY_WITH_TIMEOUT(!compare->isBusy(), kPictureMs);
    press(Qt::Key_5, Qt::ControlModifier);
    QVERIFY(compare->isAncestorOf(QApplication::focusWidget()));
    press(Qt::Key_1);
    QCOMPARE(compare->cells().pinned(1), window.store().selectedCell());
    press(Qt::Key_N);
    press(Qt::Key_Space);
    QVERIFY(compare->wantsRoom());
    press(Qt::Key_Escape);
    QVERIFY(!compare->wantsRoom());
    QTest::keyPress(QGuiApplication::focusWindow(), Qt::Key_Shift);
    QVERIFY(compare->referenceHold().isHeld());
    QTest::keyRelease(QGuiApplication::focusWindow(), Qt::Key_Shift);
    QVERIFY(!compare->referenceHold().isHeld());
    QVERIFY(tabTo(QStringLiteral("modeMap")));
    press(Qt::Key_Space);
    QCOMPARE(compare->controls().mode(), widgets::CompareMode::Map);
    // The menu of panes, and the input in it.
    QVERIFY(tabTo(QStringLiteral("panes")));
    // The button waits for its menu.
    QTimer chooser;
    connect(&chooser, &QTimer::timeout, &chooser, [&chooser] {
        QWidget* menu = QApplication::activePopupWidget();
        if (menu == nullptr)
            return;
        chooser.stop();
        QTest::keyClick(menu, Qt::Key_I);
    });
    chooser.start(10);
    press(Qt::Key_Space);
    QVERIFY(compare->controls().isPaneWanted(widgets::PaneRole::Input));
    QVERIFY(comesBack(window));
    QTRY_VERIFY_WITH_TIMEOUT(!compare->isBusy(), kPictureMs);
}

void TestKeyboard::askWhy(MainWindow& window)
{
    press(Qt::Key_W, Qt::AltModifier);
    QTRY_COMPARE(focusName(), QStringLiteral("answerWhyCells"));
    const QString before = window.store().selectedCell();
    press(Qt::Key_Home);
    press(Qt::Key_Down);  // the first cell below its heading
    for (int i = 0; i < 8 && window.store().selectedCell() == before; ++i)
        press(Qt::Key_Down);
    QVERIFY(window.store().selectedCell() != before);
    press(Qt::Key_Escape);
    QVERIFY(comesBack(window));
}

void TestKeyboard::exportFiles(MainWindow& window)
{
    // File, Export, Tables.
    const auto tables = *m_fixture / "tables";
    std::filesystem::create_directories(tables);
    press(Qt::Key_F, Qt::AltModifier);
    QTRY_VERIFY(QApplication::activePopupWidget() != nullptr);
    press(Qt::Key_E);
    QTRY_COMPARE(QApplication::activePopupWidget()->objectName(), QStringLiteral("exportMenu"));
    press(Qt::Key_T);
    QTRY_VERIFY(dialogIsOpen("exportTablesDialog"));
    answerDialog(tables);
    QTRY_VERIFY_WITH_TIMEOUT(std::filesystem::exists(tables / "cells.csv"), kPictureMs);

    // The same by name, for the curves.
    QVERIFY(comesBack(window));
    press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_COMPARE(focusName(), QStringLiteral("paletteSearch"));
    type(QStringLiteral("two curves"));
    press(Qt::Key_Return);
    QTRY_VERIFY(dialogIsOpen("exportCurvesDialog"));
    answerDialog(*m_fixture / "curves.png");
    const QString png = QString::fromStdString((*m_fixture / "curves.png").string());
    QTRY_VERIFY_WITH_TIMEOUT(!QImage(png).isNull(), kPictureMs);
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPictureMs);
    QVERIFY(comesBack(window));
}

const tests::GuiTest<TestKeyboard> registered(__FILE_NAME__);

}  // namespace qs::tst_keyboard

#include "tst_keyboard.moc"
