#include "tests/support/gui_test.h"
#include "tests/widgets/support/children.h"
#include "tests/widgets/support/screens.h"
#include "widgets/layout/elided_combo_box.h"

#include <QTest>

namespace qs::tst_elided_combo_box {

class TestElidedComboBox : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { tests::setUpWidgets(); }
    void init() { tests::failOnQtWarnings(); }

    void whatDoesNotFitIsElided()
    {
        widgets::ElidedComboBox box;
        const QString text = QStringLiteral("01 dead-leaves.png · SSIM 0.99888");
        box.addItems({text, QStringLiteral("02")});
        box.resize(120, box.sizeHint().height());
        QVERIFY(box.shownText().endsWith(QChar(0x2026)));
        QVERIFY(text.startsWith(box.shownText().chopped(1)));
        QVERIFY(box.fontMetrics().horizontalAdvance(box.shownText()) < box.width());
        box.resize(400, box.sizeHint().height());
        QCOMPARE(box.shownText(), text);
        box.resize(120, box.sizeHint().height());
        box.setCurrentIndex(1);
        QCOMPARE(box.shownText(), QStringLiteral("02"));
        // And that is what is painted.
        const QImage brief = box.grab().toImage();
        box.setItemText(1, text);
        QVERIFY(box.grab().toImage() != brief);
    }
};

const tests::GuiTest<TestElidedComboBox> registered(__FILE_NAME__);

}  // namespace qs::tst_elided_combo_box

#include "tst_elided_combo_box.moc"
