#include "app/gui/help/about_dialog.h"
#include "tests/app/window_fixture.h"
#include "tests/support/gui_test.h"
#include "tests/widgets/support/keyboard.h"
#include "tests/widgets/support/mouse.h"
#include "tests/widgets/support/screens.h"

#include <QAction>
#include <QClipboard>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>
#include <QPushButton>

namespace qs::tst_about {

using namespace tests;
using app::AboutDialog;
using app::AboutFacts;
using app::MainWindow;

namespace {

widgets::EngineState readyEngine()
{
    widgets::EngineState engine;
    engine.kind = widgets::EngineState::Kind::Ready;
    engine.devices = core::commonGpus();
    engine.facts.torch = "2.11.0";
    engine.facts.cuda = "13.0";
    engine.facts.commit = "0123456789ab-dirty";
    return engine;
}

QString valueOf(const QObject& dialog, const char* id)
{
    return child<QLabel>(dialog, (std::string("about_") + id).c_str())->text();
}

// What the button copied: a line for each line of the box, with its value.
void checkCopied(const QObject& dialog)
{
    const QString copied = QApplication::clipboard()->text();
    int lines = 0;
    for (const char* id :
         {"version", "commit", "qt", "torch", "engineCommit", "system", "devices"}) {
        const QString value = valueOf(dialog, id);
        QVERIFY2(!value.isEmpty(), id);
        QVERIFY2(copied.contains(QStringLiteral(": %1\n").arg(value)), id);
        ++lines;
    }
    QCOMPARE(copied.count(QLatin1Char('\n')), lines);
}

void clickIn(QMenu& menu, QAction& action)
{
    QTest::mouseClick(&menu, Qt::LeftButton, {}, menu.actionGeometry(&action).center());
}

}  // namespace

class TestAbout : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        setUpApplication();
        QCoreApplication::setApplicationVersion(QStringLiteral("9.8.7"));
    }
    void init()
    {
        failOnQtWarnings();
        QApplication::clipboard()->clear();
    }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    static void saysWhatRuns()
    {
        const AboutDialog dialog({.version = QStringLiteral("9.8.7"),
                                  .commit = QStringLiteral("abc"),
                                  .engine = readyEngine()});
        QCOMPARE(valueOf(dialog, "version"), QStringLiteral("9.8.7"));
        QCOMPARE(valueOf(dialog, "commit"), QStringLiteral("abc"));
        QVERIFY(valueOf(dialog, "qt").startsWith(QString::fromLatin1(qVersion())));
        QVERIFY(valueOf(dialog, "torch").contains(QStringLiteral("2.11.0")));
        QVERIFY(valueOf(dialog, "torch").contains(QStringLiteral("13.0")));
        QCOMPARE(valueOf(dialog, "engineCommit"), QStringLiteral("0123456789ab-dirty"));
        QVERIFY(valueOf(dialog, "devices")
                    .contains(QString::fromStdString(core::commonGpus().front().name)));
    }

    // The answer may come while the box is open: it fills the same lines.
    static void followsTheEngine()
    {
        widgets::EngineState engine;
        engine.problem = QStringLiteral("Looking <b>here</b>\nand there");
        AboutDialog dialog({.version = {}, .commit = {}, .engine = engine});
        dialog.show();
        const auto* torch = child<QLabel>(dialog, "about_torch");
        QCOMPARE(torch->text(), QStringLiteral("Looking <b>here</b>"));
        QCOMPARE(torch->textFormat(), Qt::PlainText);
        const QSize size = dialog.size();
        dialog.setFacts({.version = {}, .commit = {}, .engine = readyEngine()});
        QVERIFY(torch->text().contains(QStringLiteral("2.11.0")));
        QCOMPARE(dialog.size(), size);
    }

    static void opensFromTheMenuWithTheMouse()
    {
        const WindowFixture fixture;
        app::WindowOptions options = fixture.withoutEngine();
        options.commit = QStringLiteral("fedcba987654");
        MainWindow window(std::move(options));
        window.resize(1200, 760);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        auto* about = child<QAction>(window, "actionAbout");
        QMenuBar* bar = window.menuBar();
        QMenu* menu = bar->actions().constLast()->menu();
        QVERIFY(menu->actions().contains(about));
        clickAt(window, bar->mapTo(&window, bar->actionGeometry(menu->menuAction()).center()));
        QTRY_VERIFY(menu->isVisible());
        clickIn(*menu, *about);
        QTRY_VERIFY(window.findChild<AboutDialog*>() != nullptr);
        const QPointer<AboutDialog> dialog = window.findChild<AboutDialog*>();
        QTRY_VERIFY(dialog->isVisible());
        QCOMPARE(valueOf(*dialog, "version"), QStringLiteral("9.8.7"));
        QCOMPARE(valueOf(*dialog, "commit"), QStringLiteral("fedcba987654"));
        screenshot(*dialog, QStringLiteral("about"));
        auto* copied = child<QLabel>(*dialog, "aboutCopied");
        const QSize size = dialog->size();
        click(*child<QPushButton>(*dialog, "aboutCopy"));
        checkCopied(*dialog);
        QVERIFY(!copied->text().isEmpty());
        QCOMPARE(dialog->size(), size);
        dialog->close();
        QTRY_VERIFY(dialog.isNull());
    }

    static void opensFromTheMenuWithKeys()
    {
        const WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.resize(1200, 760);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        press(Qt::Key_H, Qt::AltModifier);
        QTRY_VERIFY(QApplication::activePopupWidget() != nullptr);
        press(Qt::Key_A);
        QTRY_VERIFY(window.findChild<AboutDialog*>() != nullptr);
        const QPointer<AboutDialog> dialog = window.findChild<AboutDialog*>();
        QTRY_COMPARE(QApplication::activePopupWidget(), nullptr);
        QTRY_COMPARE(QGuiApplication::focusWindow(), dialog->windowHandle());
        press(Qt::Key_B, Qt::AltModifier);
        // A button that a key presses is down for a moment first.
        QTRY_VERIFY(!QApplication::clipboard()->text().isEmpty());
        checkCopied(*dialog);
        press(Qt::Key_Escape);
        QTRY_VERIFY(dialog.isNull());
    }
};

const tests::GuiTest<TestAbout> registered(__FILE_NAME__);

}  // namespace qs::tst_about

#include "tst_about.moc"
