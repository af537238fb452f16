#include "tests/app/mouse.h"
#include "tests/app/window_fixture.h"
#include "tests/widgets/support/screens.h"
#include "widgets/plan/fold_section.h"
#include "widgets/plan/plan_panel.h"

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QLineEdit>
#include <QToolButton>

using namespace qs;
using namespace qs::tests;
using qs::app::MainWindow;

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
};

QTEST_MAIN(TestMouse)
#include "tst_mouse.moc"
