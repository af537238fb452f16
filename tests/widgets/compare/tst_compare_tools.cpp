#include "tests/support/gui_test.h"
#include "tests/widgets/compare/comparison_run.h"
#include "tests/widgets/support/children.h"
#include "tests/widgets/support/screens.h"
#include "widgets/compare/compare_text.h"
#include "widgets/compare/compare_view.h"
#include "widgets/compare/image_sheet.h"
#include "widgets/compare/image_tone.h"
#include "widgets/compare/pane_histogram.h"
#include "widgets/compare/picture_pane.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QListView>
#include <QMenu>
#include <QPointer>
#include <QSignalSpy>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace qs::tst_compare_tools {

using namespace widgets;
using tests::ComparisonRun;

namespace {

struct Shown {
    RunStore store;
    CompareView view{store};

    Shown(const ComparisonRun& run, const std::string& cell)
    {
        store.setRun(run.data());
        view.resize(1000, 640);
        view.show();
        store.selectCell(QString::fromStdString(cell));
    }
    [[nodiscard]] bool isReady()
    {
        return QTest::qWaitForWindowExposed(&view) &&
               QTest::qWaitFor([this] { return !view.isBusy(); });
    }
    [[nodiscard]] PicturePane& a() const { return view.panes().pane(PaneRole::A); }
};

// Triggers an entry of the menu of a pane, as a hand does.
void clickImageMenu(CompareView& view, PicturePane& pane, const char* entry)
{
    const QPoint middle = pane.viewport().center();
    QContextMenuEvent event(QContextMenuEvent::Mouse, middle, pane.mapToGlobal(middle));
    QApplication::sendEvent(&pane, &event);
    auto* menu = view.findChild<QMenu*>(QStringLiteral("imageMenu"));
    if (menu == nullptr)
        return;
    auto* action = menu->findChild<QAction*>(QString::fromLatin1(entry));
    QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
    menu->close();
}

int level(float value)
{
    return static_cast<int>(std::lround(std::clamp(static_cast<double>(value), 0.0, 1.0) * 255.0));
}

}  // namespace

class TestCompareTools : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { tests::setUpWidgets(); }
    void init() { tests::failOnQtWarnings(); }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    void exposureIsOfTheValues()
    {
        Shown shown(m_run, m_run.a());
        QVERIFY(shown.isReady());
        const core::Picture output = m_run.output(m_run.a());
        const QString said = shown.a().valueText(QPoint(20, 30));
        QTest::keyClick(&shown.a(), Qt::Key_D);
        QTest::keyClick(&shown.a(), Qt::Key_D);
        QVERIFY(shown.view.tools().toneText().contains(QStringLiteral("−2")));
        QTRY_VERIFY(!shown.view.isBusy());
        for (const QPoint at : {QPoint(0, 0), QPoint(20, 30), QPoint(191, 191)}) {
            QTRY_VERIFY(std::abs(qRed(shown.a().image().pixel(at)) -
                                 level(output.at(at.x(), at.y(), 0) / 4.0F)) <= 1);
            QVERIFY(std::abs(qBlue(shown.a().image().pixel(at)) -
                             level(output.at(at.x(), at.y(), 2) / 4.0F)) <= 1);
        }
        // Of the pixel is said what the model made.
        QCOMPARE(shown.a().valueText(QPoint(20, 30)), said);
        QTest::keyClick(&shown.a(), Qt::Key_E);
        QTest::keyClick(&shown.a(), Qt::Key_E);
        QVERIFY(shown.view.tools().toneText().isEmpty());
        QTRY_COMPARE(qRed(shown.a().image().pixel(20, 30)), level(output.at(20, 30, 0)));
    }

    void channelsAreGrey()
    {
        Shown shown(m_run, m_run.a());
        QVERIFY(shown.isReady());
        const core::Picture output = m_run.output(m_run.a());
        QTest::keyClick(&shown.a(), Qt::Key_C);
        QTest::keyClick(&shown.a(), Qt::Key_C);
        QCOMPARE(shown.view.tools().toneText(), channelName(ImageChannel::Green));
        const int green = level(output.at(50, 60, 1));
        QTRY_COMPARE(shown.a().image().pixel(50, 60), qRgb(green, green, green));
        // All panes, so that they stay comparable.
        const QRgb reference = shown.view.panes().pane(PaneRole::Reference).image().pixel(50, 60);
        QCOMPARE(qRed(reference), qGreen(reference));
        QCOMPARE(qRed(reference), qBlue(reference));
        QTest::keyClick(&shown.a(), Qt::Key_C);
        QTest::keyClick(&shown.a(), Qt::Key_C);
        QVERIFY(shown.view.tools().toneText().isEmpty());
    }

    void histogramCountsEveryPixel()
    {
        Shown shown(m_run, m_run.a());
        QVERIFY(shown.isReady());
        QVERIFY(!shown.a().levels().histogram().has_value());
        const QRect before = shown.a().geometry();
        QTest::keyClick(&shown.a(), Qt::Key_H);
        QVERIFY(shown.a().levels().histogram().has_value());
        QCOMPARE(shown.a().geometry(), before);  // nothing moves
        const QImage& image = shown.a().image();
        for (const auto& channel : shown.a().levels().histogram()->counts)
            QCOMPARE(std::accumulate(channel.begin(), channel.end(), 0),
                     image.width() * image.height());
        std::array<int, 256> reds{};
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x)
                ++reds[static_cast<std::size_t>(qRed(image.pixel(x, y)))];
        }
        QCOMPARE(shown.a().levels().histogram()->counts[0], reds);
        tests::screenshot(shown.view, QStringLiteral("compare-histogram"));
        QTest::keyClick(&shown.a(), Qt::Key_H);
        QVERIFY(!shown.a().levels().histogram().has_value());
    }

    void imagesAreCopied()
    {
        Shown shown(m_run, m_run.a());
        QVERIFY(shown.isReady());
        QApplication::clipboard()->clear();
        clickImageMenu(shown.view, shown.a(), "copyImage");
        QCOMPARE(QApplication::clipboard()->image().convertToFormat(QImage::Format_RGB32),
                 shown.a().image());
        QApplication::clipboard()->clear();
        QTest::mouseClick(&shown.a(), Qt::LeftButton);
        QTRY_VERIFY(shown.a().hasFocus());
        QTest::keySequence(&shown.a(), QKeySequence::Copy);
        QCOMPARE(QApplication::clipboard()->image().size(), shown.a().image().size());
        // A region is copied in its own pixels.
        shown.view.sharedView().setRegion(QRect(16, 24, 40, 32));
        clickImageMenu(shown.view, shown.a(), "copyPart");
        QCOMPARE(QApplication::clipboard()->image().convertToFormat(QImage::Format_RGB32),
                 shown.a().image().copy(16, 24, 40, 32));
    }

    void cropsAreSaved()
    {
        Shown shown(m_run, m_run.a());
        QVERIFY(shown.isReady());
        QSignalSpy saves(&shown.view.tools(), &CompareTools::saveWanted);
        shown.view.sharedView().show(QPointF(96, 96), 8.0);
        clickImageMenu(shown.view, shown.a(), "savePart");
        QCOMPARE(saves.count(), 1);
        const auto crop = saves[0][0].value<QImage>();
        const QSize seen = shown.a().viewport().size() / 8;
        QVERIFY(std::abs(crop.width() - std::min(192, seen.width())) <= 2);
        QVERIFY(std::abs(crop.height() - std::min(192, seen.height())) <= 2);
        QVERIFY(saves[0][1].toString().endsWith(QStringLiteral("-crop")));
        // Its pixels are those that the pane shows at its corners.
        const QRect area = shown.a().viewport();
        const QPointF corner = shown.a().frame().toPicture(QRectF(area).topLeft());
        const QPoint first(std::max(0, static_cast<int>(std::floor(corner.x()))),
                           std::max(0, static_cast<int>(std::floor(corner.y()))));
        QCOMPARE(crop.convertToFormat(QImage::Format_RGB32),
                 shown.a().image().copy(QRect(first, crop.size())));
    }

    void keysBlinkWithAnyCell()
    {
        Shown shown(m_run, m_run.a());
        QVERIFY(shown.isReady());
        shown.view.cells().pin(1, QString::fromStdString(m_run.b()));
        QTRY_VERIFY(!shown.view.isBusy());
        const QImage own = shown.a().image();
        const QImage pinned = shown.view.panes().pinned(1).image();
        QVERIFY(!pinned.isNull() && pinned != own);
        auto* with = shown.view.findChild<QComboBox*>(QStringLiteral("splitLeft"));
        with->setCurrentIndex(with->findText(QStringLiteral("1")));
        QVERIFY(with->currentIndex() > 0);
        const QRect before = shown.a().geometry();
        QTest::keyClick(&shown.a(), Qt::Key_Left);
        QCOMPARE(shown.a().image(), pinned);
        QCOMPARE(shown.a().geometry(), before);
        QTest::keyClick(&shown.a(), Qt::Key_Right);
        QCOMPARE(shown.a().image(), own);
        // Shift is the reference, whatever was chosen.
        QTest::keyPress(&shown.a(), Qt::Key_Shift);
        QCOMPARE(shown.a().image(), shown.view.panes().pane(PaneRole::Reference).image());
        QTest::keyRelease(&shown.a(), Qt::Key_Shift);
        QCOMPARE(shown.a().image(), own);
    }

    void contactSheetHasEveryCell()
    {
        Shown shown(m_run, m_run.a());
        QVERIFY(shown.isReady());
        QTest::keyClick(&shown.a(), Qt::Key_G);
        auto* sheet = shown.view.findChild<ImageSheet*>();
        QVERIFY(sheet != nullptr && sheet->isVisible());
        QTRY_VERIFY(!sheet->model().isBusy());
        const ImageSheetModel& model = sheet->model();
        QStringList found;
        int place = -1;
        for (int row = 0; row < model.rowCount(); ++row) {
            found << QString::fromStdString(model.entry(row).source.cellId);
            QVERIFY(!model.index(row).data(ImageSheetModel::ImageRole).value<QImage>().isNull());
            if (model.entry(row).source.cellId == m_run.b())
                place = row;
        }
        for (const std::string& cell : {m_run.reference(), m_run.a(), m_run.b(), m_run.equal()})
            QVERIFY2(found.contains(QString::fromStdString(cell)), cell.c_str());
        QCOMPARE(found.size(), 4);  // no other has images
        tests::screenshot(*sheet, QStringLiteral("contact-sheet"));
        auto* list = tests::child<QListView>(*sheet, "sheetView");
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                          list->visualRect(model.index(place)).center());
        QCOMPARE(shown.store.selectedCell().toStdString(), m_run.b());
        sheet->close();
    }

    void worstImagesComeFirst()
    {
        Shown shown(m_run, m_run.a());
        QVERIFY(shown.isReady());
        auto* action = shown.view.findChild<QAction*>(QStringLiteral("worstImages"));
        action->trigger();
        auto* sheet = shown.view.findChild<ImageSheet*>();
        QTRY_VERIFY(!sheet->model().isBusy());
        QCOMPARE(sheet->kind(), ImageSheet::Kind::WorstImages);
        std::vector<std::pair<double, int>> expected;
        for (int picture = 0; picture < pictureCount(m_run.data()); ++picture) {
            for (const core::OutputQuality& quality : m_run.data().qualities) {
                if (quality.cellId == m_run.a() && quality.referenceId == m_run.reference() &&
                    quality.sample == picture)
                    expected.emplace_back(*quality.find("ssim"), picture);
            }
        }
        std::stable_sort(expected.begin(), expected.end(),
                         [](const auto& x, const auto& y) { return x.first < y.first; });
        QCOMPARE(sheet->model().rowCount(), static_cast<int>(expected.size()));
        for (int row = 0; row < sheet->model().rowCount(); ++row)
            QCOMPARE(sheet->model().entry(row).picture,
                     expected[static_cast<std::size_t>(row)].second);
        auto* list = tests::child<QListView>(*sheet, "sheetView");
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                          list->visualRect(sheet->model().index(0)).center());
        QCOMPARE(shown.store.selectedPicture(), expected.front().second);
        sheet->close();
    }

private:
    const ComparisonRun m_run;
};

const tests::GuiTest<TestCompareTools> registered(__FILE_NAME__);

}  // namespace qs::tst_compare_tools

#include "tst_compare_tools.moc"
