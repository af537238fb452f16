#include "tests/support/gui_test.h"
#include "widgets/layout/flow_layout.h"

#include <QLabel>
#include <QPushButton>
#include <QTest>

namespace qs::tst_flow_layout {

using namespace widgets;

constexpr int kGap = 4;

class TestFlowLayout : public QObject
{
    Q_OBJECT

    // Of that width, so that rows end where a test says.
    static QPushButton* field(int width, QLayout& layout)
    {
        auto* button = new QPushButton(QStringLiteral("field"));
        button->setFixedWidth(width);
        layout.addWidget(button);
        return button;
    }
    static QLabel* label(int width, QLayout& layout)
    {
        auto* words = new QLabel(QStringLiteral("label"));
        words->setFixedWidth(width);
        layout.addWidget(words);
        return words;
    }
    static bool inOneRow(const QWidget& a, const QWidget& b)
    {
        return a.geometry().top() <= b.geometry().bottom() &&
               b.geometry().top() <= a.geometry().bottom();
    }

private Q_SLOTS:
    void initTestCase() { tests::setUpWidgets(); }
    void init() { tests::failOnQtWarnings(); }

    void aRowEndsWithTheWidth()
    {
        QWidget widget;
        auto* layout = new FlowLayout(&widget, kGap);
        QList<QPushButton*> buttons;
        for (int i = 0; i < 3; ++i) {
            buttons << new QPushButton(QStringLiteral("button"));
            layout->addWidget(buttons.back());
        }
        const QSize size = buttons.front()->sizeHint();
        QCOMPARE(layout->heightForWidth(3 * size.width() + 8), size.height());
        QCOMPARE(layout->heightForWidth(2 * size.width() + 8), 2 * size.height() + kGap);
        widget.resize(2 * size.width() + 8, 200);
        layout->setGeometry(widget.rect());
        QCOMPARE(buttons[2]->pos(), QPoint(0, size.height() + kGap));
        buttons[0]->setVisible(false);
        QCOMPARE(layout->heightForWidth(2 * size.width() + 8), size.height());
        QCOMPARE(layout->itemAt(7), nullptr);
    }

    void aLabelStaysWithItsField_data()
    {
        QTest::addColumn<int>("width");
        QTest::addColumn<bool>("together");
        QTest::addColumn<bool>("afterTheFirst");
        QTest::newRow("all in one row") << 308 << true << true;
        QTest::newRow("both fit behind the first") << 258 << true << true;
        QTest::newRow("the label alone would fit") << 257 << true << false;
        QTest::newRow("just the two") << 154 << true << false;
        QTest::newRow("too narrow for the two") << 153 << false << true;
    }
    void aLabelStaysWithItsField()
    {
        QFETCH(int, width);
        QFETCH(bool, together);
        QFETCH(bool, afterTheFirst);
        QWidget widget;
        auto* layout = new FlowLayout(&widget, kGap);
        const QWidget* first = field(100, *layout);
        QLabel* name = label(50, *layout);
        QWidget* named = field(100, *layout);
        QWidget* last = field(46, *layout);
        name->setBuddy(named);
        layout->setGeometry({0, 0, width, 200});
        QCOMPARE(inOneRow(*name, *named), together);
        // A row of its own for the label is as good as any where the field does not fit beside it.
        if (together)
            QCOMPARE(inOneRow(*first, *name), afterTheFirst);
        QVERIFY(last->geometry().right() < width);
    }

    // Of "Keep the worst [3] unquantized" none is left alone.
    void wordsBehindAFieldStayWithIt()
    {
        QWidget widget;
        auto* layout = new FlowLayout(&widget, kGap);
        const QWidget* first = field(100, *layout);
        QLabel* before = label(50, *layout);
        QWidget* named = field(50, *layout);
        QLabel* behind = label(50, *layout);
        before->setBuddy(named);
        behind->setBuddy(named);
        for (const int width : {158, 220, 261}) {
            layout->setGeometry({0, 0, width, 200});
            QVERIFY(inOneRow(*before, *named));
            QVERIFY(inOneRow(*named, *behind));
            QVERIFY(!inOneRow(*first, *before));
        }
        layout->setGeometry({0, 0, 262, 200});
        QVERIFY(inOneRow(*first, *behind));
    }

    void aLabelOfSomethingElseIsAWordAsAnyOther()
    {
        QWidget widget;
        auto* layout = new FlowLayout(&widget, kGap);
        const QWidget* first = field(100, *layout);
        QLabel* name = label(50, *layout);
        field(100, *layout);
        name->setBuddy(field(46, *layout));
        layout->setGeometry({0, 0, 160, 200});
        QVERIFY(inOneRow(*first, *name));
    }
};

const tests::GuiTest<TestFlowLayout> registered(__FILE_NAME__);

}  // namespace qs::tst_flow_layout

#include "tst_flow_layout.moc"
