#include "tests/app/window_fixture.h"
#include "tests/support/gui_test.h"
#include "tests/widgets/support/mouse.h"
#include "tests/widgets/support/screens.h"
#include "widgets/compare/compare_view.h"
#include "widgets/plan/fold_section.h"
#include "widgets/plan/plan_panel.h"

#include <QAbstractSpinBox>
#include <QAction>
#include <QComboBox>
#include <QLineEdit>
#include <QSplitter>
#include <QTabWidget>
#include <QToolButton>

namespace qs::tst_mouse {

using namespace tests;
using app::MainWindow;

namespace {

// What a person can type into, and the line that shows what was typed.
struct Field {
    QWidget* field = nullptr;
    QLineEdit* line = nullptr;
};

// Everything that takes text in the plan, as far as it can be seen.
QList<Field> fieldsOf(const QWidget& plan)
{
    QList<Field> fields;
    for (QLineEdit* line : plan.findChildren<QLineEdit*>()) {
        if (!line->isVisible() || !line->isEnabled() || line->isReadOnly())
            continue;
        QWidget* owner = line->parentWidget();
        const bool part = qobject_cast<QAbstractSpinBox*>(owner) != nullptr ||
                          qobject_cast<QComboBox*>(owner) != nullptr;
        fields.append({part ? owner : line, line});
    }
    return fields;
}

}  // namespace

// What a hand does with a mouse and then types goes where it points.
class TestMouse : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { setUpApplication(); }
    void init() { failOnQtWarnings(); }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    void everyFieldOfThePlanTakesWhatIsTypedAfterAClick()
    {
        const WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.resize(1400, 900);
        window.show();
        window.openPreset(fixture.preset(tinyPreset()));
        QVERIFY(QTest::qWaitForWindowActive(&window));
        auto* plan = child<widgets::PlanPanel>(window, "planPanel");
        for (const auto* section : plan->findChildren<widgets::FoldSection*>()) {
            auto* head = section->findChild<QToolButton*>();
            if (!head->isChecked())
                click(*head);
        }
        QTRY_VERIFY(fieldsOf(*plan).size() >= 10);
        for (const Field& field : fieldsOf(*plan)) {
            const QString name =
                QStringLiteral("%1 in %2")
                    .arg(field.field->objectName(), field.field->parentWidget()->objectName());
            click(*field.line);
            const QWidget* focus = QApplication::focusWidget();
            QVERIFY2(focus == field.field, qPrintable(name));
            const QString before = field.line->text();
            QTest::keyClick(window.windowHandle(), Qt::Key_End);
            QTest::keyClick(window.windowHandle(), Qt::Key_Home, Qt::ShiftModifier);
            QTest::keyClick(window.windowHandle(), Qt::Key_7);
            QVERIFY2(field.line->text() != before && field.line->text().contains(QLatin1Char('7')),
                     qPrintable(name + QLatin1Char(' ') + field.line->text()));
            QTest::keyClick(window.windowHandle(), Qt::Key_Z, Qt::ControlModifier);
        }
    }

    // The heart of the tool: a double click, and one image has the window.
    void aDoubleClickMakesAnImageLarge()
    {
        const WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.resize(1400, 860);
        window.show();
        QVERIFY(opensExample(window));
        auto* compare = child<widgets::CompareView>(window, "compareView");
        widgets::PicturePane& a = compare->panes().pane(widgets::PaneRole::A);
        const QSize before = a.viewport().size();
        doubleClick(a);
        QVERIFY(compare->wantsRoom());
        QVERIFY(!compare->panes().pane(widgets::PaneRole::Reference).isVisible());
        QTRY_VERIFY(a.viewport().width() > window.width() * 9 / 10);
        QVERIFY(a.viewport().height() > window.height() / 2);
        doubleClick(a);
        QVERIFY(!compare->wantsRoom());
        QVERIFY(compare->panes().pane(widgets::PaneRole::Reference).isVisible());
        QTRY_COMPARE(a.viewport().size(), before);
    }

    void aButtonGivesTheImagesTheWindow()
    {
        const WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.resize(1400, 860);
        window.show();
        QVERIFY(opensExample(window));
        auto* compare = child<widgets::CompareView>(window, "compareView");
        auto* action = child<QAction>(window, "actionLargeImages");
        const int width = compare->width();
        click(*child<QToolButton>(window, "large"));
        QVERIFY(action->isChecked());
        QTRY_VERIFY(compare->width() > window.width() * 9 / 10);
        click(*child<QToolButton>(window, "large"));
        QVERIFY(!action->isChecked());
        QTRY_COMPARE(compare->width(), width);
    }

    // The handle between views and images goes as far as one drags it.
    void theImagesCanBeDraggedLarge()
    {
        const WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.resize(1400, 860);
        window.show();
        QVERIFY(opensExample(window));
        auto* compare = child<widgets::CompareView>(window, "compareView");
        auto* splitter = child<QSplitter>(window, "mainSplitter");
        const auto drag = [&](int toX) {
            const QPoint from = middleOf(*splitter->handle(1));
            QWindow* handle = window.windowHandle();
            QTest::mousePress(handle, Qt::LeftButton, Qt::NoModifier, from);
            QTest::mouseMove(handle, QPoint(toX, from.y()));
            QTest::mouseRelease(handle, Qt::LeftButton, Qt::NoModifier, QPoint(toX, from.y()));
        };
        drag(400);
        QTRY_VERIFY(compare->width() > window.width() * 6 / 10);
        drag(2);
        QTRY_VERIFY(compare->width() > window.width() * 9 / 10);
        QCOMPARE(window.size(), QSize(1400, 860));
    }

    void thePlanIsADrawer()
    {
        const WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.resize(1400, 860);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        auto* plan = child<widgets::PlanPanel>(window, "planPanel");
        auto* compare = child<widgets::CompareView>(window, "compareView");
        QVERIFY(plan->isVisible());
        QVERIFY(opensExample(window));
        // A run is in view: the draft cannot be mistaken for it.
        QVERIFY(!plan->isVisible());
        const QRect images(compare->mapTo(&window, QPoint(0, 0)), compare->size());
        for (const QSize& size : {QSize(1400, 860), QSize(1024, 640)}) {
            window.resize(size);
            QTRY_COMPARE(window.size(), size);
            const QRect closed(compare->mapTo(&window, QPoint(0, 0)), compare->size());
            QTest::keyClick(window.windowHandle(), Qt::Key_B, Qt::ControlModifier);
            QVERIFY(plan->isVisible());
            QVERIFY(plan->isAncestorOf(QApplication::focusWidget()));
            QApplication::processEvents();
            // Nothing beside it moves, and nothing of it is cut.
            QCOMPARE(QRect(compare->mapTo(&window, QPoint(0, 0)), compare->size()), closed);
            QVERIFY(plan->width() >= plan->minimumSizeHint().width());
            QTest::keyClick(window.windowHandle(), Qt::Key_B, Qt::ControlModifier);
            QVERIFY(!plan->isVisible());
            QVERIFY(child<QTabWidget>(window, "viewTabs")->isVisible());
        }
        QVERIFY(images.width() > 600);
        // What is brought in is shown.
        window.openPreset(fixture.preset(tinyPreset()));
        QVERIFY(plan->isVisible());
    }
};

const tests::GuiTest<TestMouse> registered(__FILE_NAME__);

}  // namespace qs::tst_mouse

#include "tst_mouse.moc"
