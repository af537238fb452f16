#include "app/gui/action_palette.h"
#include "app/gui/part_focus.h"
#include "tests/app/window_fixture.h"
#include "tests/support/gui_test.h"
#include "tests/widgets/support/mouse.h"
#include "tests/widgets/support/screens.h"

#include <QAction>
#include <QMenuBar>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace qs::tst_action_palette {

using tests::child;

namespace {

int shownRows(const QTreeWidget& list)
{
    int shown = 0;
    for (int row = 0; row < list.topLevelItemCount(); ++row)
        shown += list.topLevelItem(row)->isHidden() ? 0 : 1;
    return shown;
}

// A menu bar with a menu in a menu, one action that cannot be done and one with a key.
struct Menus {
    QMenuBar bar;
    QMenu* file = bar.addMenu(QStringLiteral("&File"));
    QAction* open = file->addAction(QStringLiteral("&Open…"));
    QMenu* exports = file->addMenu(QStringLiteral("&Export"));
    QAction* tables = exports->addAction(QStringLiteral("&Tables"));
    QAction* curves = exports->addAction(QStringLiteral("&Curves"));

    Menus()
    {
        file->addSeparator();
        open->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_O));
        tables->setEnabled(false);
    }
};

}  // namespace

class TestActionPalette : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { tests::setUpApplication(); }
    void init() { tests::failOnQtWarnings(); }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    void namesEveryActionOnce()
    {
        const Menus menus;
        const app::ActionPalette palette(menus.bar, nullptr);
        const auto* list = child<QTreeWidget>(palette, "paletteList");
        QCOMPARE(list->topLevelItemCount(), 3);
        QCOMPARE(list->topLevelItem(0)->text(0), QStringLiteral("File › Open…"));
        QCOMPARE(list->topLevelItem(0)->text(1),
                 QKeySequence(Qt::CTRL | Qt::Key_O).toString(QKeySequence::NativeText));
        QCOMPARE(list->topLevelItem(1)->text(0), QStringLiteral("File › Export › Tables"));
        QVERIFY(list->topLevelItem(1)->isDisabled());
    }

    void findsWordsInAnyOrderAndDoesIt()
    {
        const Menus menus;
        auto* palette = new app::ActionPalette(menus.bar, nullptr);
        palette->show();
        auto* search = child<QLineEdit>(*palette, "paletteSearch");
        const auto* list = child<QTreeWidget>(*palette, "paletteList");
        QTest::keyClicks(search, QStringLiteral("CURV exp"));
        QCOMPARE(shownRows(*list), 1);
        const QSignalSpy done(menus.curves, &QAction::triggered);
        QTest::keyClick(search, Qt::Key_Return);
        QTRY_COMPARE(done.count(), 1);
    }

    void whatCannotBeDoneIsNotDone()
    {
        const Menus menus;
        auto* palette = new app::ActionPalette(menus.bar, nullptr);
        palette->show();
        auto* search = child<QLineEdit>(*palette, "paletteSearch");
        const QSignalSpy tables(menus.tables, &QAction::triggered);
        QTest::keyClicks(search, QStringLiteral("tables"));
        QTest::keyClick(search, Qt::Key_Return);
        QVERIFY(palette->isVisible());  // nothing was chosen
        search->clear();
        QTest::keyClicks(search, QStringLiteral("no such thing"));
        QCOMPARE(shownRows(*child<QTreeWidget>(*palette, "paletteList")), 0);
        QTest::keyClick(search, Qt::Key_Return);
        QVERIFY(palette->isVisible());
        QCOMPARE(tables.count(), 0);
        palette->close();
    }

    void arrowsChooseWhileTyping()
    {
        const Menus menus;
        auto* palette = new app::ActionPalette(menus.bar, nullptr);
        palette->show();
        auto* search = child<QLineEdit>(*palette, "paletteSearch");
        const QSignalSpy open(menus.open, &QAction::triggered);
        const QSignalSpy curves(menus.curves, &QAction::triggered);
        QTest::keyClick(search, Qt::Key_Down);  // past the one that cannot be done
        QTest::keyClick(search, Qt::Key_Return);
        QTRY_COMPARE(curves.count(), 1);
        QCOMPARE(open.count(), 0);
    }

    void anActionMayVanish()
    {
        Menus menus;
        const QPointer palette(new app::ActionPalette(menus.bar, nullptr));
        palette->show();
        delete menus.open;
        QTest::keyClick(child<QLineEdit>(*palette, "paletteSearch"), Qt::Key_Return);
        QTRY_VERIFY(palette.isNull());
    }

    void partsAreWalkedRoundPastWhatTakesNoKeyboard()
    {
        QWidget window;
        QVBoxLayout layout(&window);
        QWidget parts[3];
        QPushButton first(&parts[0]);
        QPushButton last(&parts[2]);
        for (QWidget& part : parts)
            layout.addWidget(&part);
        window.resize(240, 240);
        window.show();
        window.activateWindow();
        QTRY_VERIFY(window.isActiveWindow());
        tests::click(last);
        QVERIFY(last.hasFocus());
        const QList<QWidget*> all{&parts[0], &parts[1], &parts[2]};
        app::focusNextPart(all, true);
        QVERIFY(first.hasFocus());
        app::focusNextPart(all, true);
        QVERIFY(last.hasFocus());
        app::focusNextPart(all, false);
        QVERIFY(first.hasFocus());
        parts[2].hide();
        app::focusNextPart(all, true);
        QVERIFY(first.hasFocus());
        QVERIFY(!app::focusInto(parts[1]));
    }
};

const tests::GuiTest<TestActionPalette> registered(__FILE_NAME__);

}  // namespace qs::tst_action_palette

#include "tst_action_palette.moc"
