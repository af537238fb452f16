#include "app/gui/runs/compared_runs_bar.h"
#include "app/gui/runs/example_banner.h"
#include "app/gui/silent_phase_bar.h"
#include "tests/app/opened_window.h"
#include "tests/support/gui_test.h"
#include "tests/support/sample_run.h"
#include "tests/widgets/support/mouse.h"
#include "tests/widgets/support/screens.h"
#include "tests/widgets/support/settle.h"
#include "widgets/plot/curve_plot.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QAction>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QPointer>
#include <QScrollArea>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>
#include <vector>

namespace qs::tst_nothing_moves {

using app::MainWindow;
using tests::child;
using namespace std::chrono_literals;

namespace {

constexpr int kWaitMs = 20'000;

// What a person aims at, and what is compared by eye.
bool isAimedAt(const QWidget& widget)
{
    return qobject_cast<const QAbstractButton*>(&widget) != nullptr ||
           qobject_cast<const QComboBox*>(&widget) != nullptr ||
           qobject_cast<const QLineEdit*>(&widget) != nullptr ||
           qobject_cast<const QAbstractSpinBox*>(&widget) != nullptr ||
           qobject_cast<const QTabBar*>(&widget) != nullptr ||
           qobject_cast<const QHeaderView*>(&widget) != nullptr ||
           qobject_cast<const widgets::CurvePlot*>(&widget) != nullptr;
}

// Contents of a scroll area move when it is scrolled, and are no part of the frame.
bool isScrolled(const QWidget& widget)
{
    for (const QWidget* up = widget.parentWidget(); up != nullptr; up = up->parentWidget()) {
        if (qobject_cast<const QScrollArea*>(up) != nullptr)
            return true;
    }
    return false;
}

// Where everything stood, to be compared with where it stands.
class Places final
{
public:
    explicit Places(const MainWindow& window) : m_window(window), m_size(window.size())
    {
        for (QWidget* widget : window.findChildren<QWidget*>()) {
            if (widget->window() == &window && widget->isVisible() && isAimedAt(*widget) &&
                !isScrolled(*widget))
                m_places.push_back({widget, placeOf(*widget)});
        }
    }

    [[nodiscard]] std::size_t count() const { return m_places.size(); }
    // One line for each that stands elsewhere; those that have gone are not looked for.
    [[nodiscard]] QString moved() const
    {
        QString lines;
        if (m_window.size() != m_size)
            lines += QStringLiteral("the window has another size\n");
        for (const auto& [widget, before] : m_places) {
            if (widget == nullptr || !widget->isVisible() || placeOf(*widget) == before)
                continue;
            const QRect now = placeOf(*widget);
            lines += QStringLiteral("%1 %2 in %3: %4,%5 %6x%7, was %8,%9 ")
                         .arg(QString::fromLatin1(widget->metaObject()->className()),
                              widget->objectName(), widget->parentWidget()->objectName())
                         .arg(now.x())
                         .arg(now.y())
                         .arg(now.width())
                         .arg(now.height())
                         .arg(before.x())
                         .arg(before.y()) +
                     QStringLiteral("%1x%2\n").arg(before.width()).arg(before.height());
        }
        return lines;
    }

private:
    [[nodiscard]] QRect placeOf(const QWidget& widget) const
    {
        return {widget.mapTo(&m_window, QPoint(0, 0)), widget.size()};
    }

    const MainWindow& m_window;
    QSize m_size;
    std::vector<std::pair<QPointer<QWidget>, QRect>> m_places;
};

// Layouts and delayed refreshes follow in events and timers of their own.
void settle()
{
    constexpr int kLongestTimerMs = 250;
    tests::settle(kLongestTimerMs);
}

core::RunData warned(core::RunData data)
{
    data.events = {{"2026-11-22T01:00:01Z",
                    core::EventKind::Warning,
                    {{core::NoteCode::Remark, {std::string(300, 'x')}}}}};
    return data;
}

// The plan is closed, as when a run is opened from its folder.
void openRun(MainWindow& window, core::RunData data)
{
    child<QAction>(window, "actionPlan")->setChecked(false);
    window.store().setRun(std::move(data));
}

}  // namespace

// Whatever arrives, nothing moves under the pointer: not by a pixel.
class TestNothingMoves : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { tests::setUpApplication(); }
    void init() { tests::failOnQtWarnings(); }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    void whatIsSaidOfARun_data();
    void whatIsSaidOfARun();
    void aPointIsSelected();
    void aModeIsChosen();
    void aSilentPhase();
    void aRunBeginsAndEnds();
    void thePlanIsEdited();
    void theBannerHasOneHeight();
    void theComparedRunsHaveOneHeight();
};

void TestNothingMoves::whatIsSaidOfARun_data()
{
    QTest::addColumn<QString>("view");
    for (const char* view : {"actionCurves", "actionPareto"})
        QTest::newRow(view) << QString::fromLatin1(view);
}

void TestNothingMoves::whatIsSaidOfARun()
{
    QFETCH(QString, view);
    const tests::WindowFixture fixture;
    MainWindow window(fixture.withoutEngine());
    window.show();
    openRun(window, tests::sampleRun());
    child<QAction>(window, view.toLatin1().constData())->trigger();
    settle();
    const Places places(window);
    QVERIFY(places.count() > 15);
    for (const core::RunData& data :
         {warned(tests::sampleRun()), tests::sampleRun({.withFailures = true}),
          tests::sampleRun({.rounds = 1}), tests::sampleRun({.trained = false}),
          tests::sampleRun({.rounds = 0}), tests::sampleRun()}) {
        window.store().setRun(data);
        settle();
        QVERIFY2(places.moved().isEmpty(), qPrintable(places.moved()));
    }
}

void TestNothingMoves::aPointIsSelected()
{
    const tests::WindowFixture fixture;
    MainWindow window(fixture.withoutEngine());
    window.show();
    openRun(window, tests::sampleRun({.withFailures = true}));
    settle();
    const Places places(window);
    for (const core::PlannedCell& cell : window.store().data().plan.cells) {
        window.store().selectCell(QString::fromStdString(cell.id));
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kWaitMs);
        settle();
        QVERIFY2(places.moved().isEmpty(), qPrintable(places.moved()));
    }
}

// What only one way of comparing needs comes and goes between what is always there.
void TestNothingMoves::aModeIsChosen()
{
    const tests::WindowFixture fixture;
    MainWindow window(fixture.withoutEngine());
    window.resize(1366, 730);
    window.show();
    QVERIFY(tests::opensExample(window));
    settle();
    const Places places(window);
    const auto& cells = window.store().data().plan.cells;
    for (const char* mode : {"modeBlink", "modeWipe", "modeMap", "modeSideBySide"}) {
        tests::click(*child<QToolButton>(window, mode));
        settle();
        QVERIFY2(places.moved().isEmpty(), qPrintable(places.moved()));
        // The boxes of a mode hold names of cells.
        const Places placesInMode(window);
        for (const std::string& cell : {cells.front().id, cells.back().id}) {
            window.store().selectCell(QString::fromStdString(cell));
            QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kWaitMs);
            settle();
            QVERIFY2(placesInMode.moved().isEmpty(), qPrintable(placesInMode.moved()));
        }
    }
}

// The offer to skip comes and goes by itself.
void TestNothingMoves::aSilentPhase()
{
    const tests::WindowFixture fixture;
    MainWindow window(fixture.withoutEngine());
    window.show();
    openRun(window, tests::sampleRun());
    settle();
    const Places places(window);
    auto* bar = child<app::SilentPhaseBar>(window, "silentPhaseBar");
    bar->setPatience(0);
    core::RunProgress progress;
    progress.cellId = "bf16-none-b4";
    progress.phase = core::Phase::Compile;
    bar->showProgress(progress, QStringLiteral("inductor-max-autotune-no-cudagraphs"));
    QTRY_VERIFY_WITH_TIMEOUT(bar->isVisible(), kWaitMs);
    settle();
    QVERIFY2(places.moved().isEmpty(), qPrintable(places.moved()));
    bar->clear();
    settle();
    QVERIFY2(places.moved().isEmpty(), qPrintable(places.moved()));
}

void TestNothingMoves::aRunBeginsAndEnds()
{
    tests::OpenedWindow opened(200ms);
    MainWindow& window = opened.window;
    QVERIFY(opened.getsReady());
    settle();
    const Places places(window);
    opened.run->click();
    // Of these, only the headings that the first row brings are new.
    while (opened.finished.count() == 0) {
        settle();
        QVERIFY2(places.moved().isEmpty(), qPrintable(places.moved()));
    }
    settle();
    QVERIFY2(places.moved().isEmpty(), qPrintable(places.moved()));
}

void TestNothingMoves::thePlanIsEdited()
{
    const tests::WindowFixture fixture;
    MainWindow window(fixture.withoutEngine());
    window.show();
    window.openPreset(fixture.preset(tests::tinyPreset()));
    child<QAction>(window, "actionPlan")->setChecked(true);
    settle();
    const Places places(window);
    const QString tiny = QString::fromStdString(tests::tinyPreset());
    for (const QString& preset :
         {QString::fromStdString(tests::tinyPreset("[1]")),
          QString::fromStdString(tests::tinyPreset("[1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 64]")),
          QString(tiny).replace(QStringLiteral("\"device\": \"cpu\""),
                                QStringLiteral("\"device\": \"cuda:0\"")),
          QString(tiny).replace(QStringLiteral("vitok:w64_d1_h2-w48_d2_h3/1x8x16"),
                                QStringLiteral("/nowhere/of/a/long/name/model.safetensors"))}) {
        window.openPreset(fixture.preset(preset.toStdString()));
        settle();
        QVERIFY2(places.moved().isEmpty(), qPrintable(places.moved()));
    }
}

void TestNothingMoves::theBannerHasOneHeight()
{
    app::ExampleBanner banner;
    core::RunData data = tests::sampleRun();
    banner.resize(600, banner.sizeHint().height());
    banner.showRun(data, true);
    const int height = banner.height();
    data.plan.preset.name = std::string(300, 'x');
    banner.showRun(data, true);
    banner.setOffer(QStringLiteral("Run here (40 cells, about 92 h)…"), {});
    settle();
    QCOMPARE(banner.height(), height);
    QCOMPARE(banner.minimumHeight(), banner.maximumHeight());
}

void TestNothingMoves::theComparedRunsHaveOneHeight()
{
    widgets::RunStore store;
    QWidget window;
    auto* bar = new app::ComparedRunsBar(store, &window);
    auto* below = new QPushButton(QStringLiteral("below"), &window);
    auto* layout = new QVBoxLayout(&window);
    layout->addWidget(bar);
    layout->addWidget(below);
    layout->addStretch(1);
    window.resize(900, 300);
    window.show();
    bar->setReading(true);
    settle();
    const QRect place = below->geometry();
    bar->setProblem(QString(400, QLatin1Char('x')));
    settle();
    QCOMPARE(below->geometry(), place);
    bar->setProblem({});
    settle();
    QCOMPARE(below->geometry(), place);
}

const tests::GuiTest<TestNothingMoves> registered(__FILE_NAME__);

}  // namespace qs::tst_nothing_moves

#include "tst_nothing_moves.moc"
