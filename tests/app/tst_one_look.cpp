#include "app/gui/theme.h"
#include "tests/app/example_window.h"
#include "tests/support/gui_test.h"
#include "tests/widgets/support/mouse.h"
#include "tests/widgets/support/screens.h"
#include "widgets/layout/drawn_icon.h"
#include "widgets/layout/spacing_grid.h"

#include <QAction>
#include <QBoxLayout>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QGridLayout>
#include <QLineEdit>
#include <QTabWidget>
#include <QToolBar>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>

namespace qs::tst_one_look {

using namespace tests;
using app::MainWindow;
using widgets::DrawnIcon;

namespace {

constexpr int kSoonMs = 30'000;

constexpr DrawnIcon kIcons[] = {DrawnIcon::Pause,   DrawnIcon::Skip,    DrawnIcon::StopAfterCell,
                                DrawnIcon::StopNow, DrawnIcon::Undo,    DrawnIcon::Redo,
                                DrawnIcon::Export,  DrawnIcon::Warning, DrawnIcon::Information};

// Parts that Qt builds itself.
bool isOfQt(const QObject* part)
{
    for (; part != nullptr; part = part->parent()) {
        if (part->inherits("QDialogButtonBox") || part->inherits("QToolBar") ||
            part->inherits("QComboBox") || part->inherits("QLineEdit") ||
            part->inherits("QMessageBox") || part->inherits("QMenuBar") ||
            part->inherits("QTabBar") || part->inherits("QSplitterHandle"))
            return true;
    }
    return false;
}

QString nameOf(const QObject& object)
{
    QStringList names;
    for (const QObject* up = &object; up != nullptr && names.size() < 3; up = up->parent())
        names << QString::fromLatin1(up->metaObject()->className()) + QLatin1Char(' ') +
                     up->objectName();
    return names.join(QStringLiteral(" in "));
}

bool isOnGrid(int length)
{
    return length % widgets::kGridUnit == 0;
}

// A frame of one pixel shows which plot has the keyboard.
bool isOnGrid(const QMargins& around)
{
    return around == QMargins(1, 1, 1, 1) ||
           (isOnGrid(around.left()) && isOnGrid(around.top()) && isOnGrid(around.right()) &&
            isOnGrid(around.bottom()));
}

// One line for each layout that is not on the grid.
QStringList besideGrid(const QWidget& top)
{
    QStringList faults;
    for (const QLayout* layout : top.findChildren<QLayout*>()) {
        if (isOfQt(layout))
            continue;
        QList<int> spaces;
        if (const auto* box = qobject_cast<const QBoxLayout*>(layout))
            spaces = {box->spacing()};
        else if (const auto* grid = qobject_cast<const QGridLayout*>(layout))
            spaces = {grid->horizontalSpacing(), grid->verticalSpacing()};
        else if (const auto* form = qobject_cast<const QFormLayout*>(layout))
            spaces = {form->horizontalSpacing(), form->verticalSpacing()};
        else
            continue;
        const QMargins around = layout->contentsMargins();
        const bool good = isOnGrid(around) && std::all_of(spaces.begin(), spaces.end(),
                                                          [](int each) { return isOnGrid(each); });
        if (good)
            continue;
        QStringList numbers;
        for (const int each :
             QList<int>{around.left(), around.top(), around.right(), around.bottom()} + spaces)
            numbers << QString::number(each);
        faults << nameOf(*layout) + QStringLiteral(": ") + numbers.join(QLatin1Char(' '));
    }
    return faults;
}

// One line for each action or button with an icon of another family.
QStringList strangeIcons(const QWidget& top)
{
    QStringList faults;
    const auto look = [&](const QObject& owner, const QIcon& icon) {
        if (!icon.isNull() && !isOfQt(owner.parent()) &&
            !icon.name().startsWith(QLatin1String(widgets::kIconFamily)))
            faults << nameOf(owner);
    };
    for (const QAction* action : top.findChildren<QAction*>())
        look(*action, action->icon());
    for (const QAbstractButton* button : top.findChildren<QAbstractButton*>())
        look(*button, button->icon());
    return faults;
}

// Shows the window and each of its dialogs, one at a time.
// At what was opened beside the window.
void lookAndClose(MainWindow& window, const char* name,
                  const std::function<void(const QWidget&)>& look)
{
    QWidget* opened = nullptr;
    QTRY_VERIFY2((opened = openedBeside(window)) != nullptr, name);
    QCoreApplication::processEvents();
    look(*opened);
    opened->close();
    QTRY_VERIFY2(openedBeside(window) == nullptr, name);
}

void forEveryWindow(MainWindow& window, const std::function<void(const QWidget&)>& look)
{
    look(window);
    for (const char* name :
         {"actionExportFigure", "actionCaches", "actionMeasured", "actionEnvironments",
          "actionReferences", "actionCompareRuns", "actionPalette", "actionAbout", "actionHelp"}) {
        auto* action = child<QAction>(window, name);
        QVERIFY2(action->isEnabled(), name);
        action->trigger();
        lookAndClose(window, name, look);
    }
    for (const char* name : {"browsePresets", "answerWhy", "answerAsk", "cellColumns"}) {
        // Only of these the first is in the plan, which the others are not seen beside.
        if (name == std::string_view("answerWhy"))
            child<QAction>(window, "actionPlan")->setChecked(false);
        auto* button = child<QAbstractButton>(window, name);
        QVERIFY2(button->isVisible() && button->isEnabled(), name);
        click(*button);
        lookAndClose(window, name, look);
    }
}

double luminance(const QColor& colour)
{
    const auto linear = [](float part) {
        const double value = static_cast<double>(part);
        return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) +
           0.0722 * linear(colour.blueF());
}

// As WCAG has it: 1 to 21.
double contrast(const QColor& a, const QColor& b)
{
    const double first = luminance(a) + 0.05;
    const double second = luminance(b) + 0.05;
    return std::max(first, second) / std::min(first, second);
}

// How many pixels of an icon stand out from the ground by at least so much.
int inkOf(const QIcon& icon, const QColor& ground, QIcon::Mode mode, double least)
{
    constexpr int kSide = 16;
    const QImage image = icon.pixmap(QSize(kSide, kSide), 1.0, mode).toImage();
    int ink = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const QColor pixel = image.pixelColor(x, y);
            ink += pixel.alpha() > 200 && contrast(pixel, ground) >= least ? 1 : 0;
        }
    }
    return ink;
}

int pixelsOf(const QImage& image, const QColor& colour)
{
    int count = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x)
            count += image.pixelColor(x, y) == colour ? 1 : 0;
    }
    return count;
}

}  // namespace

// One grid of spaces, one family of icons and one accent, in the window and its dialogs.
class TestOneLook : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { setUpApplication(); }
    void init()
    {
        failOnQtWarnings();
        app::applyTheme(*qApp, app::Theme::Light);
    }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    void spacesAndIcons()
    {
        const WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        QVERIFY(showsExample(window, fixture));
        child<QAction>(window, "actionPlan")->setChecked(true);
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kSoonMs);
        QStringList spaces;
        QStringList icons;
        qsizetype layouts = 0;
        forEveryWindow(window, [&](const QWidget& top) {
            spaces << besideGrid(top);
            icons << strangeIcons(top);
            layouts += top.findChildren<QLayout*>().size();
        });
        spaces.removeDuplicates();
        icons.removeDuplicates();
        QVERIFY2(spaces.isEmpty(), qPrintable(spaces.join(QLatin1Char('\n'))));
        QVERIFY2(icons.isEmpty(), qPrintable(icons.join(QLatin1Char('\n'))));
        QVERIFY2(layouts > 100, qPrintable(QString::number(layouts)));
    }

    void iconsHaveInk_data()
    {
        QTest::addColumn<app::Theme>("theme");
        QTest::newRow("light") << app::Theme::Light;
        QTest::newRow("dark") << app::Theme::Dark;
    }
    void iconsHaveInk()
    {
        QFETCH(const app::Theme, theme);
        app::applyTheme(*qApp, theme);
        const QColor ground = QApplication::palette().color(QPalette::Window);
        QStringList names;
        for (const DrawnIcon each : kIcons) {
            const QIcon icon = widgets::drawnIcon(each);
            names << icon.name();
            // A text has 4.5; of a warning the sign in it.
            const double wanted = 4.5;
            const int ink = inkOf(icon, ground, QIcon::Normal, wanted);
            const int least = each == DrawnIcon::Warning ? 4 : 30;
            QVERIFY2(ink >= least, qPrintable(icon.name() + QString::number(ink)));
            QVERIFY2(inkOf(icon, ground, QIcon::Disabled, 2.0) >= least, qPrintable(icon.name()));
        }
        QCOMPARE(names.removeDuplicates(), 0);
    }

    // Icons that are there already change with the theme.
    void iconsFollowTheTheme()
    {
        const QIcon icon = widgets::drawnIcon(DrawnIcon::Pause);
        for (const app::Theme theme : {app::Theme::Dark, app::Theme::Light, app::Theme::Dark}) {
            app::applyTheme(*qApp, theme);
            QVERIFY(inkOf(icon, QApplication::palette().color(QPalette::Window), QIcon::Normal,
                          4.5) >= 30);
        }
    }

    // Another accent in the palette is another accent everywhere.
    void theAccentComesFromThePalette()
    {
        const WindowFixture fixture;
        QPalette palette = QApplication::palette();
        const QColor usual = palette.color(QPalette::Highlight);
        const QColor link = palette.color(QPalette::Link);
        const QColor other(0xc8, 0x14, 0xb4);
        for (const auto role : {QPalette::Highlight, QPalette::Link, QPalette::LinkVisited})
            palette.setColor(role, other);
        const auto grab = [&] {
            MainWindow window(fixture.withoutEngine());
            window.resize(1500, 900);
            window.show();
            if (!opensExample(window))
                return QImage();
            return window.grab().toImage();
        };
        const QImage before = grab();
        QVERIFY(!before.isNull());
        QVERIFY(pixelsOf(before, usual) > 100);
        QApplication::setPalette(palette);
        const QImage after = grab();
        QVERIFY(!after.isNull());
        QCOMPARE(pixelsOf(after, usual), 0);
        QCOMPARE(pixelsOf(after, link), 0);
        QVERIFY(pixelsOf(after, other) > 100);
    }
};

const tests::GuiTest<TestOneLook> registered(__FILE_NAME__);

}  // namespace qs::tst_one_look

#include "tst_one_look.moc"
