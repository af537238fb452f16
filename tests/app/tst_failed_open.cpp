#include "core/record/run_folder.h"
#include "tests/app/window_fixture.h"
#include "tests/support/gui_test.h"
#include "tests/widgets/support/keyboard.h"
#include "tests/widgets/support/mouse.h"
#include "tests/widgets/support/screens.h"

#include <QAction>
#include <QSignalSpy>
#include <QSplitter>
#include <QTabWidget>

#include <functional>

namespace qs::tst_failed_open {

using namespace tests;
using app::MainWindow;

namespace {

constexpr int kSoonMs = 30'000;

// What a person has in view.
struct View {
    std::filesystem::path run;
    QString cell;
    QString tab;
    QList<QList<int>> splitters;
    bool plan = false;
    std::string draft;

    bool operator==(const View&) const = default;
};

View viewOf(MainWindow& window)
{
    View view{.run = window.store().data().folder,
              .cell = window.store().selectedCell(),
              .tab = child<QTabWidget>(window, "viewTabs")->currentWidget()->objectName(),
              .splitters = {},
              .plan = child<QAction>(window, "actionPlan")->isChecked(),
              .draft = window.windowTitle().toStdString()};
    for (const char* name : {"mainSplitter", "viewSplitter"})
        view.splitters.append(child<QSplitter>(window, name)->sizes());
    return view;
}

// By its handle, as a hand does.
void drag(MainWindow& window, const char* name, QPoint way)
{
    auto* splitter = child<QSplitter>(window, name);
    const QPoint from = middleOf(*splitter->handle(1));
    QWindow* handle = window.windowHandle();
    QTest::mousePress(handle, Qt::LeftButton, Qt::NoModifier, from);
    QTest::mouseMove(handle, from + way);
    QTest::mouseRelease(handle, Qt::LeftButton, Qt::NoModifier, from + way);
    QApplication::processEvents();
}

}  // namespace

// What cannot be opened leaves everything in view as it was.
class TestFailedOpen : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { setUpApplication(); }
    void init() { failOnQtWarnings(); }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    // From a plot, and from the list where one chooses runs.
    void theRunInViewStays_data()
    {
        QTest::addColumn<QByteArray>("action");
        QTest::addColumn<QString>("tab");
        QTest::newRow("plot") << QByteArray("actionPareto") << QStringLiteral("paretoView");
        QTest::newRow("list of runs") << QByteArray("actionRuns") << QStringLiteral("runsPage");
    }
    void theRunInViewStays()
    {
        QFETCH(const QByteArray, action);
        QFETCH(const QString, tab);
        const WindowFixture fixture;
        const auto damaged = fixture / "damaged";
        std::filesystem::copy(exampleRun("demo_cpu_one_thread"), damaged,
                              std::filesystem::copy_options::recursive);
        const std::string plan = readFile(damaged / "plan.json");
        writeFile(damaged / "plan.json", plan.substr(0, plan.size() / 2));
        const auto unknown = fixture / "notes.txt";
        writeFile(unknown, "nothing that can be opened");
        const auto preset = fixture / "broken.json";
        writeFile(preset, R"({"schema_version": 1, "name": )");

        MainWindow window(fixture.withoutEngine());
        window.resize(1500, 900);
        window.show();
        window.openPreset(fixture.preset(tinyPreset()));
        QVERIFY(opensExample(window));
        const auto& cells = window.store().data().plan.cells;
        window.store().selectCell(QString::fromStdString(cells[cells.size() / 2].id));
        child<QAction>(window, action.constData())->trigger();
        const View usual = viewOf(window);
        drag(window, "mainSplitter", QPoint(-90, 0));
        if (tab == QStringLiteral("paretoView"))
            drag(window, "viewSplitter", QPoint(0, 60));
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kSoonMs);
        const View before = viewOf(window);
        QVERIFY(before.splitters != usual.splitters);
        QCOMPARE(before.tab, tab);

        const QSignalSpy problem(&window, &MainWindow::problemShown);
        const std::function<void()> opens[] = {
            [&] { window.openRun(damaged); },   [&] { window.openRun(fixture / "nowhere"); },
            [&] { window.openItem(unknown); },  [&] { window.openItem(damaged); },
            [&] { window.openPreset(preset); },
        };
        int shown = 0;
        for (const auto& open : opens) {
            open();
            ++shown;
            QTRY_COMPARE_WITH_TIMEOUT(problem.count(), shown, kSoonMs);
            QTest::keyClick(child<QMessageBox>(window, "problemBox"), Qt::Key_Escape);
            QTRY_VERIFY(window.findChild<QMessageBox*>(QStringLiteral("problemBox")) == nullptr);
            QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kSoonMs);
            QVERIFY2(viewOf(window) == before, qPrintable(QString::number(shown)));
        }
    }
};

const tests::GuiTest<TestFailedOpen> registered(__FILE_NAME__);

}  // namespace qs::tst_failed_open

#include "tst_failed_open.moc"
