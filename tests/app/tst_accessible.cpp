#include "tests/app/window_fixture.h"
#include "tests/support/gui_test.h"
#include "tests/widgets/support/keyboard.h"
#include "tests/widgets/support/screens.h"
#include "widgets/compare/compare_view.h"
#include "widgets/plan/fold_section.h"

#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QSplitter>
#include <QTabBar>
#include <QToolBar>
#include <QToolButton>

#include <map>
#include <set>

namespace qs::tst_accessible {

using app::MainWindow;

namespace {

constexpr int kLoadMs = 30'000;

template <typename... Types>
bool isOneOf(const QObject* object)
{
    return ((qobject_cast<const Types*>(object) != nullptr) || ...);
}

bool takesTab(const QWidget& widget)
{
    return (widget.focusPolicy() & Qt::TabFocus) != 0;
}

// A person acts on it: it takes the keyboard, or it is a button of a tool bar.
bool isInteractive(const QWidget& widget)
{
    const QWidget* parent = widget.parentWidget();
    // Parts of a compound widget speak through it.
    if (parent == nullptr || widget.focusProxy() != nullptr ||
        widget.window()->parent() != nullptr || widget.isWindow() ||
        isOneOf<QAbstractSpinBox, QComboBox, QAbstractScrollArea, QLineEdit, QTabBar, QMenuBar,
                QLabel>(parent) ||
        isOneOf<QMenu, QLabel, QMenuBar>(&widget))
        return false;
    const bool onToolBar = isOneOf<QToolBar>(parent) && isOneOf<QAbstractButton>(&widget) &&
                           widget.objectName() != QStringLiteral("qt_toolbar_ext_button");
    return onToolBar || takesTab(widget);
}

QString accessibleName(QWidget& widget)
{
    QAccessibleInterface* face = QAccessible::queryAccessibleInterface(&widget);
    return face == nullptr ? widget.accessibleName() : face->text(QAccessible::Name);
}

bool showsItsText(const QWidget& widget)
{
    const auto* button = qobject_cast<const QAbstractButton*>(&widget);
    const auto* tool = qobject_cast<const QToolButton*>(&widget);
    const bool iconAlone = tool != nullptr && tool->toolButtonStyle() == Qt::ToolButtonIconOnly &&
                           !tool->icon().isNull();
    return button != nullptr && !iconAlone && button->text().size() > 2;
}

QString describe(const QWidget& widget)
{
    QStringList path;
    for (const QWidget* each = &widget; each != nullptr; each = each->parentWidget()) {
        if (!each->objectName().isEmpty())
            path.prepend(each->objectName());
    }
    return QStringLiteral("%1 (%2)").arg(path.join(QLatin1Char('/')),
                                         QString::fromLatin1(widget.metaObject()->className()));
}

QStringList faultsOf(QWidget& widget)
{
    QStringList wrong;
    if (accessibleName(widget).isEmpty())
        wrong << describe(widget) + QStringLiteral(": no accessible name");
    if (widget.toolTip().isEmpty() && !showsItsText(widget) &&
        widget.accessibleDescription().isEmpty() && !isOneOf<QAbstractItemView, QTabBar>(&widget))
        wrong << describe(widget) + QStringLiteral(": no tooltip and no text");
    return wrong;
}

// Folds, the log and what only some modes show.
void showEverything(MainWindow& window)
{
    for (auto* fold : window.findChildren<widgets::FoldSection*>())
        fold->setOpen(true);
    // Wide enough for the plan beside the views.
    window.resize(2400, 1000);
    tests::child<QSplitter>(window, "mainSplitter")->setSizes({1500, 900});
    tests::child<QAction>(window, "actionPlan")->setChecked(true);
    tests::child<QToolButton>(window, "curveReset")->setVisible(true);
    auto* compare = tests::child<widgets::CompareView>(window, "compareView");
    compare->controls().setMode(widgets::CompareMode::Wipe);
    for (const char* name : {"mapKind", "mapRange"})
        tests::child<QWidget>(window, name)->setVisible(true);
    tests::child<QAction>(window, "actionLog")->trigger();
}

QString mnemonicOf(const QString& text)
{
    return QKeySequence::mnemonic(text).toString();
}

// Puts "what" under each key that leads there; empty keys lead nowhere.
class Places final
{
public:
    void add(const QString& key, const QString& what)
    {
        if (!key.isEmpty())
            m_places[key] << what;
    }
    [[nodiscard]] QStringList collisions() const
    {
        QStringList found;
        for (const auto& [key, places] : m_places) {
            if (places.size() > 1)
                found << QStringLiteral("%1: %2").arg(key, places.join(QStringLiteral(", ")));
        }
        return found;
    }

private:
    std::map<QString, QStringList> m_places;
};

void addMenu(const QMenu& menu, QStringList& collisions)
{
    Places places;
    for (const QAction* action : menu.actions()) {
        places.add(mnemonicOf(action->text()), action->text());
        if (action->menu() != nullptr)
            addMenu(*action->menu(), collisions);
    }
    for (const QString& each : places.collisions())
        collisions << QStringLiteral("menu %1: %2").arg(menu.title(), each);
}

// What Alt and a letter mean while the window has the focus.
void addMnemonics(const MainWindow& window, Places& places)
{
    for (const QAction* action : window.menuBar()->actions())
        places.add(mnemonicOf(action->text()), action->text());
    for (const QLabel* label : window.findChildren<QLabel*>()) {
        if (label->window() == &window && label->buddy() != nullptr)
            places.add(mnemonicOf(label->text()), label->text());
    }
    for (const QAbstractButton* button : window.findChildren<QAbstractButton*>()) {
        if (button->window() == &window)
            places.add(button->shortcut().toString(), button->text());
    }
    for (const QTabBar* tabs : window.findChildren<QTabBar*>()) {
        for (int i = 0; i < tabs->count(); ++i)
            places.add(mnemonicOf(tabs->tabText(i)), tabs->tabText(i));
    }
}

}  // namespace

// What a screen reader says of the window, and what its keys mean.
class TestAccessible : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { tests::setUpApplication(); }
    void init() { tests::failOnQtWarnings(); }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    void everythingHasAName()
    {
        const tests::WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.show();
        window.openFirstPreset();
        window.openFirstRun();
        QTRY_VERIFY_WITH_TIMEOUT(!window.store().isEmpty() && window.isSettled(), kLoadMs);
        showEverything(window);
        QStringList wrong;
        std::set<const QWidget*> seen;
        for (const char* view : {"curves", "table", "layers", "compile", "runs"}) {
            window.showView(QString::fromLatin1(view));
            for (QWidget* widget : window.findChildren<QWidget*>()) {
                if (isInteractive(*widget) && widget->isVisible() && seen.insert(widget).second)
                    wrong << faultsOf(*widget);
            }
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(QLatin1Char('\n') + wrong.join(QLatin1Char('\n'))));
        QVERIFY2(seen.size() > 60, qPrintable(QString::number(seen.size())));
    }

    // An ampersand is a key only where the label knows its field; elsewhere it is read.
    void labelsWithAKeyHaveAField()
    {
        const tests::WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.show();
        int keys = 0;
        for (const QLabel* label : window.findChildren<QLabel*>()) {
            if (mnemonicOf(label->text()).isEmpty())
                continue;
            ++keys;
            QVERIFY2(label->buddy() != nullptr, qPrintable(label->text()));
        }
        QVERIFY(keys > 5);
    }

    void keysMeanOneThing()
    {
        const tests::WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.show();
        QStringList collisions;
        Places shortcuts;
        for (const QAction* action : window.findChildren<QAction*>()) {
            for (const QKeySequence& keys : action->shortcuts()) {
                if (action->shortcutContext() == Qt::WindowShortcut)
                    shortcuts.add(keys.toString(), action->text());
            }
        }
        collisions << shortcuts.collisions();
        Places mnemonics;
        addMnemonics(window, mnemonics);
        collisions << mnemonics.collisions();
        for (const QAction* action : window.menuBar()->actions())
            addMenu(*action->menu(), collisions);
        QVERIFY2(collisions.isEmpty(),
                 qPrintable(QLatin1Char('\n') + collisions.join(QLatin1Char('\n'))));
    }

    // Alt and the letter of a label take the keyboard to what it names.
    void mnemonicsOfLabelsWork()
    {
        const tests::WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.show();
        window.openFirstPreset();
        showEverything(window);
        QTRY_VERIFY(window.isActiveWindow());
        int tried = 0;
        for (const QLabel* label : window.findChildren<QLabel*>()) {
            const QKeySequence keys = QKeySequence::mnemonic(label->text());
            if (label->buddy() == nullptr || keys.isEmpty() || !label->isVisible())
                continue;
            ++tried;
            QTest::keyClick(window.windowHandle(), keys[0].key(), keys[0].keyboardModifiers());
            QWidget* focus = QApplication::focusWidget();
            QVERIFY2(focus != nullptr &&
                         (focus == label->buddy() || label->buddy()->isAncestorOf(focus)),
                     qPrintable(label->text()));
        }
        QVERIFY2(tried >= 10, qPrintable(QString::number(tried)));
    }

    // Tab reaches every widget that takes the keyboard, shows where it is, and comes back.
    void tabGoesRoundAndIsSeen_data()
    {
        QTest::addColumn<QString>("view");
        for (const char* view : {"curves", "table", "layers", "runs"})
            QTest::newRow(view) << QString::fromLatin1(view);
    }
    void tabGoesRoundAndIsSeen()
    {
        QFETCH(QString, view);
        const tests::WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.resize(1366, 768);
        window.show();
        window.openFirstPreset();
        window.openFirstRun();
        window.showView(view);
        QTRY_VERIFY_WITH_TIMEOUT(!window.store().isEmpty() && window.isSettled(), kLoadMs);
        QTRY_VERIFY(window.isActiveWindow());
        QList<QWidget*> visited;
        QStringList wrong;
        constexpr int kMost = 400;
        for (int step = 0; step < kMost; ++step) {
            QTest::keyClick(window.windowHandle(), Qt::Key_Tab);
            QWidget* here = QApplication::focusWidget();
            QVERIFY(here != nullptr);
            if (!visited.isEmpty() && here == visited.front())
                break;
            if (visited.contains(here)) {
                wrong << QStringLiteral("%1: Tab does not leave it").arg(describe(*here));
                break;
            }
            visited << here;
            if (!focusIsSeen(*here))
                wrong << QStringLiteral("%1: the focus is not seen").arg(describe(*here));
        }
        for (QWidget* widget : window.findChildren<QWidget*>()) {
            if (isInteractive(*widget) && widget->isVisible() && widget->isEnabled() &&
                takesTab(*widget) && !visited.contains(widget))
                wrong << QStringLiteral("%1: Tab does not get there").arg(describe(*widget));
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(QLatin1Char('\n') + wrong.join(QLatin1Char('\n'))));
    }

private:
    // Whether it looks different without the focus. Its surroundings count: a style may draw there.
    static bool focusIsSeen(QWidget& widget)
    {
        constexpr int kAround = 3;
        QWidget& window = *widget.window();
        const QRect place(widget.mapTo(&window, QPoint()), widget.size());
        const QRect area = place.adjusted(-kAround, -kAround, kAround, kAround);
        const QImage with = window.grab(area).toImage();
        // There and back with the keys, as one does who went too far.
        tests::press(Qt::Key_Backtab, Qt::ShiftModifier);
        const QImage without = window.grab(area).toImage();
        tests::press(Qt::Key_Tab);
        return with != without && widget.hasFocus();
    }
};

const tests::GuiTest<TestAccessible> registered(__FILE_NAME__);

}  // namespace qs::tst_accessible

#include "tst_accessible.moc"
