#include "app/gui/check_picture_dialog.h"
#include "tests/app/example_window.h"
#include "tests/app/listed_runs.h"
#include "tests/app/opened_window.h"
#include "tests/support/gui_test.h"
#include "tests/support/written_script.h"
#include "tests/widgets/support/keyboard.h"
#include "tests/widgets/support/mouse.h"
#include "tests/widgets/support/screens.h"
#include "widgets/plan/plan_panel.h"

#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPointer>
#include <QRadioButton>
#include <QSpinBox>
#include <QToolButton>

#include <chrono>
#include <functional>

namespace qs::tst_dialog_fields {

using namespace tests;
using app::MainWindow;

namespace {

constexpr int kSoonMs = 30'000;

bool isSeen(const QWidget& field)
{
    return field.isVisible() && field.isEnabled();
}

QString nameOf(const QWidget& field)
{
    return QString::fromLatin1(field.metaObject()->className()) + QLatin1Char(' ') +
           field.objectName();
}

// Keys go to the window of the dialog, as those of a person do.
void key(QWidget& field, Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
{
    QTest::keyClick(field.window()->windowHandle(), key, modifiers);
}

// Whether a click and keys change what a line holds; it is as it was afterwards. `focus`: what has
// to have the keyboard after the click.
bool takesText(QLineEdit& line, const QWidget& focus)
{
    const QString before = line.text();
    click(line);
    if (QApplication::focusWidget() != &focus)
        return false;
    key(line, Qt::Key_End);
    key(line, Qt::Key_Home, Qt::ShiftModifier);
    key(line, Qt::Key_7);
    bool changed = line.text() != before && line.text().contains(QLatin1Char('7'));
    if (!changed) {
        // A number may be out of reach that way, but not the next one.
        key(line, Qt::Key_Up);
        key(line, Qt::Key_Down);
        key(line, Qt::Key_Down);
        changed = line.text() != before;
    }
    line.setText(before);
    return changed;
}

bool takesText(QPlainTextEdit& text)
{
    click(text);
    key(text, Qt::Key_7);
    return QApplication::focusWidget() == &text && text.toPlainText().contains(QLatin1Char('7'));
}

// Opens the list by a click and takes another line by key.
bool takesChoice(QComboBox& box)
{
    const int before = box.currentIndex();
    click(box);
    if (!QTest::qWaitFor([&] { return box.view()->isVisible(); }))
        return false;
    press(before == box.count() - 1 ? Qt::Key_Up : Qt::Key_Down);
    press(Qt::Key_Return);
    return QTest::qWaitFor(
        [&] { return !box.view()->isVisible() && box.currentIndex() != before; });
}

// On the box: what lies beside the text of a wide one is no part of it.
bool takesClicks(QCheckBox& box)
{
    const auto clickBox = [&] {
        bringIntoView(box);
        clickAt(box, box.mapTo(box.window(), QPoint(8, box.height() / 2)));
    };
    const bool before = box.isChecked();
    clickBox();
    const bool changed = box.isChecked() != before;
    if (changed)
        clickBox();
    return changed;
}

struct Faults {
    int fields = 0;
    QStringList names;

    void note(const QWidget& field, bool works)
    {
        ++fields;
        if (!works)
            names << nameOf(field);
    }
};

// Goes over everything in it that holds a value.
Faults faultsOf(QWidget& dialog)
{
    Faults faults;
    for (auto* line : dialog.findChildren<QLineEdit*>()) {
        if (!isSeen(*line) || line->isReadOnly())
            continue;
        auto* spin = qobject_cast<QAbstractSpinBox*>(line->parentWidget());
        auto* combo = qobject_cast<QComboBox*>(line->parentWidget());
        const QWidget* owner = spin != nullptr ? static_cast<QWidget*>(spin) : combo;
        faults.note(owner != nullptr ? *owner : *line,
                    takesText(*line, owner != nullptr ? *owner : *line));
    }
    for (auto* text : dialog.findChildren<QPlainTextEdit*>()) {
        if (isSeen(*text) && !text->isReadOnly())
            faults.note(*text, takesText(*text));
    }
    for (auto* box : dialog.findChildren<QComboBox*>()) {
        if (isSeen(*box) && !box->isEditable() && box->count() > 1)
            faults.note(*box, takesChoice(*box));
    }
    for (auto* box : dialog.findChildren<QCheckBox*>()) {
        if (isSeen(*box))
            faults.note(*box, takesClicks(*box));
    }
    return faults;
}

void trigger(MainWindow& window, const char* action)
{
    auto* wanted = child<QAction>(window, action);
    QVERIFY2(wanted->isEnabled(), action);
    wanted->trigger();
}

void pressButton(MainWindow& window, const char* button)
{
    auto* wanted = child<QAbstractButton>(window, button);
    QVERIFY2(isSeen(*wanted), button);
    QTRY_VERIFY2(window.childAt(middleOf(*wanted)) == wanted, button);  // it is laid out
    click(*wanted);
}

// The row of the only run that is not an example.
void selectOwnRun(MainWindow& window)
{
    trigger(window, "actionRuns");
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kSoonMs);
    auto* list = child<QTreeView>(window, "runsList");
    const QModelIndexList found =
        list->model()->match(list->model()->index(0, 0), app::RunCatalogue::FolderRole,
                             QStringLiteral("/runs/mine"), 1, Qt::MatchEndsWith);
    QVERIFY(!found.isEmpty());
    list->scrollTo(found.front());
    clickAt(*list->viewport(),
            list->viewport()->mapTo(&window, list->visualRect(found.front()).center()));
}

}  // namespace

// Every field of every dialog is clicked and typed into, as those of the plan are elsewhere.
class TestDialogFields : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        setUpApplication();
        QVERIFY(writeScript(m_folder / "net.pt"));
    }
    void init() { failOnQtWarnings(); }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    void takeWhatIsTyped_data()
    {
        using Open = std::function<void(MainWindow&)>;
        QTest::addColumn<Open>("open");
        QTest::addColumn<int>("fields");  // at least
        const auto row = [](const char* name, int fields, const Open& open) {
            QTest::newRow(name) << open << fields;
        };
        row("figure", 6, [](MainWindow& window) { trigger(window, "actionExportFigure"); });
        row("palette", 1, [](MainWindow& window) { trigger(window, "actionPalette"); });
        row("environments", 1, [](MainWindow& window) {
            selectOwnRun(window);
            trigger(window, "actionEnvironments");
        });
        row("how it was measured", 1,
            [](MainWindow& window) { trigger(window, "actionMeasured"); });
        row("question", 3, [](MainWindow& window) { pressButton(window, "answerAsk"); });
        row("columns", 1, [](MainWindow& window) { pressButton(window, "cellColumns"); });
        row("presets", 3, [](MainWindow& window) {
            child<QAction>(window, "actionPlan")->setChecked(true);
            pressButton(window, "browsePresets");
        });
        row("planned cells", 1, [](MainWindow& window) {
            child<QAction>(window, "actionPlan")->setChecked(true);
            QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kSoonMs);
            QTRY_VERIFY_WITH_TIMEOUT(child<QWidget>(window, "showCells")->isEnabled(), kSoonMs);
            pressButton(window, "showCells");
        });
        row("note of a run", 1, [](MainWindow& window) {
            selectOwnRun(window);
            trigger(window, "runNote");
        });
        row("a program and its inputs", 3, [this](MainWindow& window) {
            child<QAction>(window, "actionPlan")->setChecked(true);
            auto* plan = child<widgets::PlanPanel>(window, "planPanel");
            plan->setModel(QString::fromStdString((m_folder / "net.pt").string()));
            QTRY_VERIFY_WITH_TIMEOUT(
                plan->findChild<QWidget*>(QStringLiteral("modelConvert")) != nullptr, kSoonMs);
            QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kSoonMs);
            pressButton(window, "modelConvert");
        });
        row("variants of a precision", 3, [](MainWindow& window) {
            child<QAction>(window, "actionPlan")->setChecked(true);
            pressButton(window, "options:gptq-int4-128");
        });
    }
    void takeWhatIsTyped()
    {
        QFETCH(const std::function<void(MainWindow&)>, open);
        QFETCH(const int, fields);
        const WindowFixture fixture;
        store(fixture / "runs/mine", {});
        MainWindow window(fixture.withoutEngine());
        QVERIFY(showsExample(window, fixture));
        open(window);
        QWidget* dialog = nullptr;
        QTRY_VERIFY((dialog = openedBeside(window)) != nullptr);
        QVERIFY(QTest::qWaitForWindowExposed(dialog));
        QApplication::setActiveWindow(dialog);
        const Faults faults = faultsOf(*dialog);
        QVERIFY2(faults.names.isEmpty(), qPrintable(faults.names.join(QStringLiteral(", "))));
        QVERIFY2(faults.fields >= fields, qPrintable(QString::number(faults.fields)));
        dialog->close();
        QTRY_VERIFY(openedBeside(window) == nullptr);
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kSoonMs);
    }

    // There is nothing to fill in: its findings can be selected and copied, by mouse and by keys,
    // and the button closes it.
    void findingsOfOneImageAreCopied()
    {
        OpenedWindow opened(std::chrono::milliseconds(1));
        QVERIFY(opened.getsReady());
        MainWindow& window = opened.window;
        trigger(window, "actionCheckPicture");
        auto* dialog = child<app::CheckPictureDialog>(window, "checkPictureDialog");
        QVERIFY(QTest::qWaitForWindowActive(dialog));
        QTRY_VERIFY_WITH_TIMEOUT(!dialog->isBusy(), kSoonMs);
        QCOMPARE(faultsOf(*dialog).fields, 0);
        auto* findings = child<QLabel>(*dialog, "checkFindings");
        QVERIFY(!findings->text().isEmpty());
        QTest::mouseDClick(dialog->windowHandle(), Qt::LeftButton, Qt::NoModifier,
                           findings->mapTo(dialog, QPoint(8, findings->fontMetrics().ascent())));
        QVERIFY(findings->hasSelectedText());
        QApplication::clipboard()->clear();
        key(*dialog, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(), findings->selectedText());
        findings->setSelection(0, 0);
        QVERIFY(tabTo(QStringLiteral("checkFindings")));
        key(*dialog, Qt::Key_A, Qt::ControlModifier);
        key(*dialog, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(), findings->text());
        click(*dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Close));
        QTRY_VERIFY(window.findChild<app::CheckPictureDialog*>() == nullptr);
    }

    // Name and tags of a run are typed where they stand.
    void namesAndTagsOfRuns()
    {
        const WindowFixture fixture;
        store(fixture / "runs/mine", {});
        MainWindow window(fixture.withoutEngine());
        window.resize(1500, 900);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        selectOwnRun(window);
        for (const char* action : {"runTags", "runRename"}) {
            trigger(window, action);
            auto* list = child<QTreeView>(window, "runsList");
            QTRY_VERIFY2(list->findChild<QLineEdit*>() != nullptr, action);
            const QPointer<QLineEdit> editor = list->findChild<QLineEdit*>();
            click(*editor);
            QVERIFY2(editor != nullptr, action);
            QCOMPARE(QApplication::focusWidget(), editor.data());
            type(QStringLiteral("seven"));
            QVERIFY2(editor != nullptr && editor->text().contains(QStringLiteral("seven")), action);
            press(Qt::Key_Return);
            QTRY_VERIFY2(list->findChild<QLineEdit*>() == nullptr, action);
            QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kSoonMs);
        }
        const auto label = [&] { return core::readRunLabel(fixture / "runs/mine").value(); };
        QTRY_VERIFY(label().name.find("seven") != std::string::npos && !label().tags.empty());
    }

private:
    TestFolder m_folder;
};

const tests::GuiTest<TestDialogFields> registered(__FILE_NAME__);

}  // namespace qs::tst_dialog_fields

#include "tst_dialog_fields.moc"
