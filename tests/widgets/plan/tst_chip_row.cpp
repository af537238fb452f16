#include "tests/support/gui_test.h"
#include "tests/widgets/support/children.h"
#include "tests/widgets/support/mouse.h"
#include "tests/widgets/support/screens.h"
#include "widgets/plan/chip_row.h"
#include "widgets/plan/range_edit.h"

#include <QListWidget>
#include <QSignalSpy>
#include <QToolButton>

namespace qs::tst_chip_row {

using namespace tests;
using widgets::RangeEdit;

namespace {

// A plan of one axis, with something below it.
struct Shown {
    QWidget window;
    RangeEdit edit{"batch"};
    QLabel below{QStringLiteral("below")};

    explicit Shown(int width)
    {
        auto* layout = new QVBoxLayout(&window);
        layout->addWidget(&edit);
        layout->addWidget(&below);
        layout->addStretch();
        window.resize(width, 300);
        window.show();
    }
    ~Shown()
    {
        edit.setParent(nullptr);
        below.setParent(nullptr);
    }
    Shown(const Shown&) = delete;
    Shown& operator=(const Shown&) = delete;

    [[nodiscard]] widgets::ChipRow& row() { return *edit.findChild<widgets::ChipRow*>(); }
    [[nodiscard]] QToolButton& more() { return *child<QToolButton>(edit, "moreChips"); }
    [[nodiscard]] QList<QToolButton*> chips()
    {
        QList<QToolButton*> seen;
        for (auto* chip : row().findChildren<QToolButton*>()) {
            if (chip->isVisible() && chip->objectName().startsWith(QLatin1String("chip:")))
                seen << chip;
        }
        return seen;
    }
    void setCount(int count)
    {
        QStringList values;
        for (int i = 1; i <= count; ++i)
            values << QString::number(i);
        edit.setValues(values);
    }
    [[nodiscard]] QListWidget* openByMouse()
    {
        click(more());
        auto* list = edit.findChild<QListWidget*>(QStringLiteral("chipValues"));
        return list != nullptr && QTest::qWaitForWindowExposed(list->window()) ? list : nullptr;
    }
};

}  // namespace

class TestChipRow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { failOnQtWarnings(); }

    void theRowIsOneAndNothingMoves_data()
    {
        QTest::addColumn<int>("width");
        for (const int width : {130, 200, 330, 700})
            QTest::newRow(QByteArray::number(width)) << width;
    }
    void theRowIsOneAndNothingMoves();
    void whatFitsHasNoListBehind();
    void theListTakesValuesOutByMouse();
    void theListTakesValuesOutByKeys();
    void whatCannotRunSaysSoInTheListToo();
    void theLastValueStays();
};

void TestChipRow::theRowIsOneAndNothingMoves()
{
    QFETCH(const int, width);
    Shown shown(width);
    QVERIFY(QTest::qWaitForWindowActive(&shown.window));
    shown.edit.setValues({QStringLiteral("1")});
    QCoreApplication::processEvents();
    const QRect below = shown.below.geometry();
    const int height = shown.row().height();
    click(*shown.edit.lineEdit());
    shown.edit.lineEdit()->clear();
    for (const char letter : std::string_view("1, 4, 1000, 2-60+1, 5000, 100000x")) {
        QTest::keyClick(shown.window.windowHandle(), letter);
        QCoreApplication::processEvents();
        QCOMPARE(shown.below.geometry(), below);
        QCOMPARE(shown.row().height(), height);
        int end = 0;
        for (const QToolButton* chip : shown.chips()) {
            QVERIFY2(chip->x() >= end, "one beside the other");
            end = chip->geometry().right();
            QVERIFY(shown.row().rect().contains(chip->geometry()));
        }
        if (shown.more().isVisible()) {
            QVERIFY(shown.more().x() >= end);
            QVERIFY2(shown.row().rect().contains(shown.more().geometry()), "nothing is cut");
        }
    }
    QCOMPARE(shown.window.width(), width);
}

void TestChipRow::whatFitsHasNoListBehind()
{
    Shown shown(400);
    shown.edit.setValues({QStringLiteral("1"), QStringLiteral("2"), QStringLiteral("4")});
    QVERIFY(QTest::qWaitForWindowExposed(&shown.window));
    QCOMPARE(shown.chips().size(), qsizetype{3});
    QVERIFY(!shown.more().isVisible());
    // As many as fit, and never fewer than the drawer allows.
    shown.window.resize(160, 300);
    shown.setCount(40);
    QTRY_VERIFY(shown.more().isVisible());
    const auto narrow = shown.chips().size();
    shown.window.resize(500, 300);
    QTRY_VERIFY(shown.chips().size() > narrow);
    QVERIFY(shown.more().text().contains(QString::number(40 - shown.chips().size())));
}

void TestChipRow::theListTakesValuesOutByMouse()
{
    Shown shown(200);
    QVERIFY(QTest::qWaitForWindowActive(&shown.window));
    shown.setCount(30);
    QSignalSpy edited(&shown.edit, &RangeEdit::valuesEdited);
    QListWidget* list = shown.openByMouse();
    QVERIFY(list != nullptr);
    QCOMPARE(list->count(), 30);
    const auto clickRow = [&](int row) {
        const QPoint at = list->visualItemRect(list->item(row)).center();
        clickAt(*list, list->viewport()->mapTo(list->window(), at));
    };
    clickRow(2);
    QCOMPARE(edited.size(), qsizetype{1});
    QVERIFY(!edited.back()[0].toStringList().contains(QStringLiteral("3")));
    QCOMPARE(list->count(), 29);
    QVERIFY2(list->window()->isVisible(), "the next one can be removed as well");
    clickRow(2);
    QVERIFY(!edited.back()[0].toStringList().contains(QStringLiteral("4")));
    QCOMPARE(edited.back()[0].toStringList().size(), qsizetype{28});
    QTest::keyClick(list->window()->windowHandle(), Qt::Key_Escape);
    QTRY_VERIFY(shown.edit.findChild<QListWidget*>(QStringLiteral("chipValues")) == nullptr);
}

void TestChipRow::theListTakesValuesOutByKeys()
{
    Shown shown(200);
    QVERIFY(QTest::qWaitForWindowActive(&shown.window));
    shown.setCount(30);
    QSignalSpy edited(&shown.edit, &RangeEdit::valuesEdited);
    click(*shown.edit.lineEdit());
    for (qsizetype i = 0; i <= shown.chips().size(); ++i)
        QTest::keyClick(shown.window.windowHandle(), Qt::Key_Tab);
    QCOMPARE(QApplication::focusWidget(), &shown.more());
    QTest::keyClick(shown.window.windowHandle(), Qt::Key_Space);
    auto* list = shown.edit.findChild<QListWidget*>(QStringLiteral("chipValues"));
    QVERIFY(list != nullptr && QTest::qWaitForWindowExposed(list->window()));
    QWindow* popup = list->window()->windowHandle();
    QTest::keyClick(popup, Qt::Key_Down);
    QTest::keyClick(popup, Qt::Key_Delete);
    QVERIFY(!edited.back()[0].toStringList().contains(QStringLiteral("2")));
    QTest::keyClick(popup, Qt::Key_Delete);
    QVERIFY(!edited.back()[0].toStringList().contains(QStringLiteral("3")));
    QCOMPARE(edited.back()[0].toStringList().size(), qsizetype{28});
    QTest::keyClick(popup, Qt::Key_Escape);
    QTRY_VERIFY(shown.edit.findChild<QListWidget*>(QStringLiteral("chipValues")) == nullptr);
    // One goes on typing.
    QTRY_COMPARE(QApplication::focusWidget(), shown.edit.lineEdit());
}

void TestChipRow::whatCannotRunSaysSoInTheListToo()
{
    Shown shown(200);
    shown.setCount(30);
    shown.edit.setReasons({{"30", "too many"}});
    QVERIFY(QTest::qWaitForWindowExposed(&shown.window));
    QListWidget* list = shown.openByMouse();
    QVERIFY(list != nullptr);
    const QListWidgetItem* grey = list->item(29);
    QVERIFY(grey->toolTip().contains(QStringLiteral("too many")));
    QVERIFY(grey->font().italic());
    QVERIFY(!list->item(28)->font().italic());
}

void TestChipRow::theLastValueStays()
{
    Shown shown(130);
    QVERIFY(QTest::qWaitForWindowActive(&shown.window));
    shown.edit.setValues({QStringLiteral("100000"), QStringLiteral("200000"),
                          QStringLiteral("300000"), QStringLiteral("400000")});
    QListWidget* list = shown.openByMouse();
    QVERIFY(list != nullptr);
    QSignalSpy edited(&shown.edit, &RangeEdit::valuesEdited);
    for (int i = 0; i < 5; ++i)
        QTest::keyClick(list->window()->windowHandle(), Qt::Key_Delete);
    QCOMPARE(edited.size(), qsizetype{3});
    QCOMPARE(shown.edit.lineEdit()->text(), QStringLiteral("400000"));
}

const GuiTest<TestChipRow> registered(__FILE_NAME__);

}  // namespace qs::tst_chip_row

#include "tst_chip_row.moc"
