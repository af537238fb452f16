#include "core/image/picture.h"
#include "tests/support/gui_test.h"
#include "tests/widgets/support/screens.h"
#include "widgets/compare/caption_flow.h"
#include "widgets/compare/color_bar.h"
#include "widgets/compare/pane_grid.h"
#include "widgets/compare/picture_pane.h"

#include <QApplication>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QToolButton>
#include <QWheelEvent>

#include <cmath>
#include <limits>

namespace qs::tst_picture_pane {

using namespace widgets;

namespace {

std::shared_ptr<const core::Picture> gradient()
{
    core::Picture picture = core::makePicture(64, 64, 3);
    for (int y = 0; y < 64; ++y) {
        for (int x = 0; x < 64; ++x) {
            picture.at(x, y, 0) = static_cast<float>(x) / 63.0F;
            picture.at(x, y, 1) = static_cast<float>(y) / 63.0F;
            picture.at(x, y, 2) = 1.25F;
        }
    }
    return std::make_shared<const core::Picture>(std::move(picture));
}

PaneImage content(const std::shared_ptr<const core::Picture>& picture)
{
    return paneImage(picture);
}

void turnWheel(QWidget& widget, QPointF at, int units)
{
    QWheelEvent event(at, widget.mapToGlobal(at), {}, {0, units}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(&widget, &event);
}

// QTest moves the real cursor, which reaches shown windows only.
void moveMouse(QWidget& widget, QPointF at)
{
    QMouseEvent event(QEvent::MouseMove, at, widget.mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                      Qt::NoModifier);
    QApplication::sendEvent(&widget, &event);
}

bool near(QPointF a, QPointF b)
{
    return std::hypot(a.x() - b.x(), a.y() - b.y()) < 1e-6;
}

QColor pixelAt(const QImage& grabbed, QPointF at)
{
    return grabbed.pixelColor((at * grabbed.devicePixelRatio()).toPoint());
}

}  // namespace

class TestPicturePane : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnQtWarnings(); }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    void wheelZoomsAboutTheCursorInAllPanes()
    {
        SharedView view;
        view.setPictureSize({64, 64});
        PicturePane first(view);
        PicturePane second(view);
        for (PicturePane* pane : {&first, &second}) {
            pane->setContent(content(gradient()));
            pane->resize(260, 300);
        }
        QVERIFY(view.isFit());
        const QPointF at = QRectF(first.viewport()).center() + QPointF(40, 25);
        const QPointF before = first.frame().toPicture(at);
        turnWheel(first, at, 120);
        QVERIFY(!view.isFit());
        QVERIFY(near(first.frame().toPicture(at), before));
        QVERIFY(near(second.frame().toPicture(at), before));
        const double scale = view.scaleIn(first.viewport().size());
        QCOMPARE(scale, 1.25 * view.fitScaleIn(first.viewport().size()));
        turnWheel(first, at, -120);
        QVERIFY(view.isFit());
    }

    void zoomIsLimited()
    {
        SharedView view;
        view.setPictureSize({64, 64});
        view.zoomBy(1e9, {10, 10}, {200, 200});
        QCOMPARE(view.scaleIn({200, 200}), SharedView::kLargestScale);
        view.show({-50, 500}, 4.0);
        QCOMPARE(view.centre(), QPointF(0, 64));
    }

    void draggingMoves()
    {
        SharedView view;
        view.setPictureSize({64, 64});
        PicturePane pane(view);
        pane.setContent(content(gradient()));
        pane.resize(260, 300);
        view.show({32, 32}, 10.0);
        const QPoint from = pane.viewport().center();
        QTest::mousePress(&pane, Qt::LeftButton, {}, from);
        QTest::mouseMove(&pane, from + QPoint(50, -20));
        QTest::mouseRelease(&pane, Qt::LeftButton, {}, from + QPoint(50, -20));
        QVERIFY(near(view.centre(), {27, 34}));
        moveMouse(pane, from);
        QVERIFY(near(view.centre(), {27, 34}));
        QTest::keyClick(&pane, Qt::Key_Right, Qt::ControlModifier);
        QVERIFY(view.centre().x() > 27);
    }

    void newSizeShowsTheWholePicture()
    {
        SharedView view;
        view.setPictureSize({64, 64});
        view.show({10, 10}, 8.0);
        view.setMark(QRect(0, 0, 8, 8));
        view.setPictureSize({64, 64});
        QVERIFY(!view.isFit());
        view.setPictureSize({128, 128});
        QVERIFY(view.isFit());
        QVERIFY(!view.mark());
    }

    void valueUnderTheCursor()
    {
        SharedView view;
        view.setPictureSize({64, 64});
        PicturePane pane(view);
        pane.setContent(content(gradient()));
        pane.resize(260, 300);
        QCOMPARE(pane.valueText({63, 0}),
                 QStringLiteral("RGB 1.0000 0.0000 1.2500 · 255 0 319 of 255"));
        QCOMPARE(pane.valueText({64, 0}), QString());
        QCOMPARE(pane.valueText({-1, 0}), QString());
        QSignalSpy spy(&view, &SharedView::cursorChanged);
        moveMouse(pane, pane.frame().toWidget({20.5, 10.5}));
        QVERIFY(!spy.isEmpty());
        QVERIFY(view.cursor().has_value());
        QCOMPARE(static_cast<int>(view.cursor()->x()), 20);
        moveMouse(pane, {2, 2});
        QVERIFY(!view.cursor());
    }

    // What is said of a pixel stands below the image, in panes of every size and at every zoom.
    void valuesNeverCoverThePicture_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<double>("scale");  // 0: fit
        for (const QSize& size : {QSize(96, 140), QSize(150, 120), QSize(420, 460)}) {
            for (const double scale : {0.0, 1.0, 8.0})
                QTest::addRow("%dx%d at %g", size.width(), size.height(), scale) << size << scale;
        }
    }
    void valuesNeverCoverThePicture()
    {
        QFETCH(const QSize, size);
        QFETCH(const double, scale);
        SharedView view;
        view.setPictureSize({64, 64});
        PicturePane pane(view);
        pane.setContent(content(gradient()));
        pane.resize(size);
        if (scale > 0.0)
            view.show(QPointF(32, 32), scale);
        pane.setAttribute(Qt::WA_UnderMouse);  // no cross is drawn for the cursor of another pane
        const auto grab = [&] {
            return pane.grab().toImage().convertToFormat(QImage::Format_RGB32);
        };
        const QImage without = grab();
        const QRectF area(pane.viewport());
        const double ratio = without.devicePixelRatio();
        const QRect seen = QRectF(area.topLeft() * ratio, area.size() * ratio).toRect();
        for (const QPoint& pixel : {QPoint(0, 0), QPoint(63, 0), QPoint(0, 63), QPoint(63, 63)}) {
            view.setCursor(QPointF(pixel) + QPointF(0.5, 0.5));
            const QImage with = grab();
            QVERIFY(with != without);  // it is said
            QCOMPARE(with.copy(seen), without.copy(seen));
            view.setCursor(std::nullopt);
        }
        QVERIFY(pane.rect().contains(pane.viewport()));
        QVERIFY(pane.viewport().height() >= size.height() / 3);
    }

    void mapValuesStartAtTheirOffset()
    {
        auto map = std::make_shared<core::PixelMap>();
        *map = {.width = 2, .height = 1, .offsetX = 5, .offsetY = 5, .values = {0.25F, 0.5F}};
        const PaneImage image = paneImage(map, {.kind = MapKind::Dissimilarity, .range = 1.0});
        QCOMPARE(image.valueAt({5, 5}), QStringLiteral("1 − SSIM 0.250000"));
        QCOMPARE(image.valueAt({4, 5}), QStringLiteral("no value at the border"));
        const PaneImage difference = paneImage(map, {.kind = MapKind::Signed, .range = 1.0});
        QCOMPARE(difference.valueAt({6, 5}), QStringLiteral("Δ (signed) 0.500000 · 127.50 of 255"));
        const core::RgbBytes expected = core::mapToRgb(0.5, core::Colormap::Magma);
        QCOMPARE(image.image.pixel(1, 0), qRgb(expected[0], expected[1], expected[2]));
        const QImage magnified = toImage(*map, {.kind = MapKind::Dissimilarity, .range = 0.5});
        const core::RgbBytes end = core::mapToRgb(1.0, core::Colormap::Magma);
        QCOMPARE(magnified.pixel(1, 0), qRgb(end[0], end[1], end[2]));
    }

    void magnifiedPixelsAreSquare()
    {
        auto picture = std::make_shared<core::Picture>(core::makePicture(8, 8, 3, 0.0F));
        for (int channel = 0; channel < 3; ++channel)
            picture->at(4, 4, channel) = 1.0F;
        SharedView view;
        view.setPictureSize({8, 8});
        PicturePane pane(view);
        pane.setContent(content(picture));
        pane.resize(320, 400);
        const QImage grabbed = pane.grab().toImage();
        QCOMPARE(pixelAt(grabbed, pane.frame().toWidget({4.1, 4.1})), QColor(Qt::white));
        QCOMPARE(pixelAt(grabbed, pane.frame().toWidget({4.9, 4.9})), QColor(Qt::white));
        QCOMPARE(pixelAt(grabbed, pane.frame().toWidget({3.9, 4.5})), QColor(Qt::black));
        QCOMPARE(pixelAt(grabbed, pane.frame().toWidget({5.1, 4.5})), QColor(Qt::black));
    }

    void shrunkPicturesAreAveraged()
    {
        // Columns of black and white: skipping pixels would give one of them, averaging gives grey.
        auto picture = std::make_shared<core::Picture>(core::makePicture(1024, 1024, 3, 0.0F));
        for (int y = 0; y < 1024; ++y) {
            for (int x = 0; x < 1024; x += 2) {
                for (int channel = 0; channel < 3; ++channel)
                    picture->at(x, y, channel) = 1.0F;
            }
        }
        SharedView view;
        view.setPictureSize({1024, 1024});
        PicturePane pane(view);
        pane.setContent(content(picture));
        pane.resize(128, 128 + pane.texts().height());
        const QColor middle = pixelAt(pane.grab().toImage(), QRectF(pane.viewport()).center());
        QVERIFY2(std::abs(middle.red() - 128) < 6, qPrintable(middle.name()));
    }

    void everyScaleShowsTheWholePicture()
    {
        // A bright frame of one pixel: lost if a copy or a part of it were laid down askew.
        auto picture = std::make_shared<core::Picture>(core::makePicture(300, 300, 3, 0.0F));
        for (int i = 0; i < 300; ++i) {
            for (int channel = 0; channel < 3; ++channel) {
                picture->at(i, 0, channel) = picture->at(0, i, channel) = 1.0F;
                picture->at(i, 299, channel) = picture->at(299, i, channel) = 1.0F;
            }
        }
        SharedView view;
        view.setPictureSize({300, 300});
        PicturePane pane(view);
        pane.setContent(content(picture));
        for (const int side : {100, 150, 151, 290}) {
            pane.resize(side, side + pane.texts().height());
            const QImage grabbed = pane.grab().toImage();
            // pixelAt() rounds.
            const QPointF half = QPointF(0.49, 0.49) / grabbed.devicePixelRatio();
            for (const QPointF& corner : {QPointF(0.5, 0.5), QPointF(299.5, 299.5)})
                QVERIFY2(pixelAt(grabbed, pane.frame().toWidget(corner) - half).lightness() > 60,
                         qPrintable(QString::number(side)));
            QVERIFY(pixelAt(grabbed, pane.frame().toWidget({150, 150})).lightness() < 5);
        }
    }

    void smallerCopiesAreChosenByTheScreen()
    {
        const auto picture = std::make_shared<core::Picture>(core::makePicture(1000, 600, 3, 0.5F));
        const PaneImage image = content(picture);
        QCOMPARE(image.levelFor(4.0).width(), 1000);
        QCOMPARE(image.levelFor(0.51).width(), 1000);
        QCOMPARE(image.levelFor(0.5).width(), 500);
        QCOMPARE(image.levelFor(0.2).width(), 250);
        QVERIFY(image.levelFor(0.001).width() < 128);
        QVERIFY(image.bytes() > std::size_t{1000} * 600 * 4);
        QCOMPARE(content(std::make_shared<core::Picture>(core::makePicture(1, 1, 1, 0.5F)))
                     .levelFor(0.1)
                     .width(),
                 1);
    }

    void captionsBreakBetweenTheirParts()
    {
        const QFontMetrics metrics{QFont()};
        const QString text = QStringLiteral("SSIM 0.99123 · PSNR 41.3 dB · max |Δ| 0.125");
        QCOMPARE(flowed(text, metrics, 10000), QStringList(text));
        const int two = metrics.horizontalAdvance(QStringLiteral("SSIM 0.99123 · PSNR 41.3 dB"));
        QCOMPARE(flowed(text, metrics, two),
                 QStringList({QStringLiteral("SSIM 0.99123 · PSNR 41.3 dB"),
                              QStringLiteral("max |Δ| 0.125")}));
        QCOMPARE(flowed(text, metrics, two - 1).size(), 3);
        // A part that alone is too wide goes on in the next line, a word that is too wide is cut.
        QCOMPARE(flowed(QStringLiteral("max |Δ| 0.125"), metrics,
                        metrics.horizontalAdvance(QStringLiteral("max |Δ|"))),
                 QStringList({QStringLiteral("max |Δ|"), QStringLiteral("0.125")}));
        QVERIFY(flowed(QStringLiteral("incomprehensibilities"), metrics, 30)
                    .front()
                    .endsWith(QChar(0x2026)));
        QVERIFY(flowed({}, metrics, 100).isEmpty());
    }

    void textsNeverMoveThePicture()
    {
        SharedView view;
        PicturePane pane(view);
        pane.resize(120, 300);
        const QRect before = pane.viewport();
        pane.setText({.title = QStringLiteral("A: int8dq · cuda-graph · batch 64"),
                      .caption = {QStringLiteral("SSIM 0.99123 · PSNR 41.3 dB"),
                                  QStringLiteral("max |Δ| 0.125 · worst tile 0.8765")},
                      .details = QStringLiteral("what it means")});
        QCOMPARE(pane.viewport(), before);
        pane.setMessage(QStringLiteral("gone"));
        QCOMPARE(pane.viewport(), before);
        // What does not fit in the line is in the tooltip, with all the rest.
        QVERIFY(pane.toolTip().contains(QStringLiteral("worst tile 0.8765")));
        QVERIFY(pane.toolTip().endsWith(QStringLiteral("what it means")));
    }

    void panesOfAGridAreEqual()
    {
        SharedView view;
        PaneGrid grid;
        std::vector<PicturePane*> panes;
        for (int i = 0; i < 4; ++i) {
            panes.push_back(new PicturePane(view));
            grid.addPane(panes.back());
            panes.back()->show();
        }
        panes[1]->setText(
            {.title = {},
             .caption = {QStringLiteral("one"), QStringLiteral("two"), QStringLiteral("three")}});
        grid.resize(400, 600);
        grid.arrange();
        QVERIFY(panes[2]->y() > panes[0]->y());
        for (const PicturePane* pane : panes) {
            QCOMPARE(pane->viewport(), panes[0]->viewport());
            QVERIFY(grid.rect().contains(pane->geometry()));
        }
    }

    void draggingDrawsARegion()
    {
        SharedView view;
        view.setPictureSize({64, 64});
        PicturePane pane(view);
        pane.setContent(content(gradient()));
        pane.resize(260, 320);
        view.show({32, 32}, 4.0);
        view.setDrawingRegion(true);
        QSignalSpy drawn(&pane, &PicturePane::regionDrawn);
        const auto drag = [&](QPointF from, QPointF to) {
            QTest::mousePress(&pane, Qt::LeftButton, {}, pane.frame().toWidget(from).toPoint());
            QTest::mouseMove(&pane, pane.frame().toWidget(to).toPoint());
            QTest::mouseRelease(&pane, Qt::LeftButton, {}, pane.frame().toWidget(to).toPoint());
        };
        drag({40.5, 30.5}, {20.5, 20.5});
        QCOMPARE(drawn.size(), 1);
        QVERIFY(view.region().has_value());
        QVERIFY(QRect(19, 19, 23, 13).contains(*view.region()));
        QVERIFY(view.region()->contains(QRect(22, 22, 17, 7)));
        QCOMPARE(view.centre(), QPointF(32, 32));
        // A click takes it away, and it never leaves the picture.
        drag({10.5, 10.5}, {10.5, 10.5});
        QVERIFY(!view.region());
        view.setRegion(QRect(50, 50, 100, 100));
        QCOMPARE(*view.region(), QRect(50, 50, 14, 14));
        view.setRegion(QRect(100, 100, 5, 5));
        QVERIFY(!view.region());
        view.setRegion(QRect(1, 1, 5, 5));
        view.setPictureSize({32, 32});
        QVERIFY(!view.region());
    }

    void removableByButtonAndKey()
    {
        SharedView view;
        PicturePane fixed(view);
        QSignalSpy never(&fixed, &PicturePane::removeWanted);
        QTest::keyClick(&fixed, Qt::Key_Delete);
        QVERIFY(never.isEmpty());
        PicturePane pane(view);
        pane.setRemovable(QStringLiteral("Remove"));
        pane.resize(200, 200);
        QSignalSpy removed(&pane, &PicturePane::removeWanted);
        auto* button = pane.findChild<QToolButton*>(QStringLiteral("remove"));
        QVERIFY(pane.rect().contains(button->geometry()));
        button->click();
        QTest::keyClick(&pane, Qt::Key_Delete);
        QCOMPARE(removed.size(), 2);
    }

    void splitShowsBothSides()
    {
        const auto white = std::make_shared<core::Picture>(core::makePicture(32, 32, 3, 1.0F));
        const auto black = std::make_shared<core::Picture>(core::makePicture(32, 32, 3, 0.0F));
        SharedView view;
        view.setPictureSize({32, 32});
        PicturePane pane(view);
        pane.resize(320, 420);
        pane.setContent(content(black));
        pane.setSplit(content(white), QStringLiteral("left"), QStringLiteral("right"));
        pane.setSplitPosition(0.25);
        QImage grabbed = pane.grab().toImage();
        const int y = pane.viewport().center().y() + 60;
        QCOMPARE(pixelAt(grabbed, QPointF(40, y)), QColor(Qt::white));
        QCOMPARE(pixelAt(grabbed, QPointF(120, y)), QColor(Qt::black));
        QTest::mousePress(&pane, Qt::LeftButton, {}, {80, y});
        QTest::mouseMove(&pane, {240, y});
        QTest::mouseRelease(&pane, Qt::LeftButton, {}, {240, y});
        QCOMPARE(pane.split().position(), 0.75);
        grabbed = pane.grab().toImage();
        QCOMPARE(pixelAt(grabbed, QPointF(120, y)), QColor(Qt::white));
        QTest::keyClick(&pane, Qt::Key_Left);
        QVERIFY(pane.split().position() < 0.75);
        pane.clearSplit();
        QCOMPARE(pixelAt(pane.grab().toImage(), QPointF(120, y)), QColor(Qt::black));
    }

    // In a pane that is wider than its picture the line stays on the picture.
    void splitStaysOnThePicture()
    {
        const auto white = std::make_shared<core::Picture>(core::makePicture(32, 32, 3, 1.0F));
        const auto black = std::make_shared<core::Picture>(core::makePicture(32, 32, 3, 0.0F));
        SharedView view;
        view.setPictureSize({32, 32});
        PicturePane pane(view);
        pane.resize(900, 360);
        pane.setContent(content(black));
        pane.setSplit(content(white), QStringLiteral("left"), QStringLiteral("right"));
        pane.setSplitPosition(0.25);
        const QRect area = pane.viewport();
        const int side = area.height();
        const int first = area.center().x() - side / 2;  // column of the picture
        const int y = area.center().y() + 60;
        QVERIFY(side < 400);
        const QImage grabbed = pane.grab().toImage();
        QCOMPARE(pixelAt(grabbed, QPointF(first + side / 8, y)), QColor(Qt::white));
        QCOMPARE(pixelAt(grabbed, QPointF(first + side / 2, y)), QColor(Qt::black));
        // Dragged beyond the picture it stands at its edge.
        QTest::mousePress(&pane, Qt::LeftButton, {}, {first + side / 4, y});
        QTest::mouseMove(&pane, {10, y});
        QTest::mouseRelease(&pane, Qt::LeftButton, {}, {10, y});
        QCOMPARE(pane.split().position(), 0.0);
    }

    void messageTakesThePlaceOfThePicture()
    {
        SharedView view;
        PicturePane pane(view);
        pane.setText({.title = QStringLiteral("A")});
        pane.setContent(content(gradient()));
        pane.setMessage(QStringLiteral("gone"));
        QVERIFY(pane.image().isNull());
        QCOMPARE(pane.valueText({1, 1}), QString());
        QCOMPARE(pane.accessibleName(), QStringLiteral("A"));
        QCOMPARE(pane.accessibleDescription(), QStringLiteral("gone"));
        QVERIFY(!pane.grab().isNull());
    }

    void columnsFollowTheShape()
    {
        QCOMPARE(bestColumns(5, {1600, 400}, 60), 5);
        QCOMPARE(bestColumns(4, {500, 700}, 60), 2);
        QCOMPARE(bestColumns(5, {500, 800}, 60), 2);
        QCOMPARE(bestColumns(3, {200, 900}, 60), 1);
        QCOMPARE(bestColumns(1, {500, 500}, 60), 1);
        QCOMPARE(bestColumns(2, {700, 500}, 60), 2);
    }

    void scalesSayWhatTheyAre()
    {
        QCOMPARE(rangeText({.kind = MapKind::Signed, .range = 0.01}), QStringLiteral("±0.01"));
        QCOMPARE(rangeText({.kind = MapKind::Absolute, .range = 1.0}), QStringLiteral("0 … 1"));
        QCOMPARE(scaleTitle({.kind = MapKind::Dissimilarity, .range = 1.0}),
                 QStringLiteral("1 − SSIM"));
        QCOMPARE(scaleTitle({.kind = MapKind::Dissimilarity, .range = 0.01}),
                 QStringLiteral("1 − SSIM, 100× magnified"));
        QCOMPARE(scaleTitle({.kind = MapKind::DissimilarityReplicate, .range = 0.1}),
                 QStringLiteral("1 − SSIM (MATLAB), 10× magnified"));
        QCOMPARE(defaultRange(MapKind::DissimilarityReplicate), 1.0);
        // FLIP depends on the distance that one looks from.
        QCOMPARE(scaleTitle({.kind = MapKind::Flip, .range = 1.0}),
                 QStringLiteral("FLIP at 67 px/°"));
        QCOMPARE(scaleTitle({.kind = MapKind::Flip, .range = 0.1}),
                 QStringLiteral("FLIP at 67 px/°, 10× magnified"));
        QCOMPARE(rangeText({.kind = MapKind::Flip, .range = defaultRange(MapKind::Flip)}),
                 QStringLiteral("0 … 1"));
    }

    void flipMapsHaveTheirColours()
    {
        auto map = std::make_shared<core::PixelMap>();
        *map = {.width = 3,
                .height = 1,
                .offsetX = 0,
                .offsetY = 0,
                .values = {0.0F, 0.5F, std::numeric_limits<float>::quiet_NaN()}};
        const PaneImage image = paneImage(map, {.kind = MapKind::Flip, .range = 1.0});
        const auto colour = [](const core::RgbBytes& rgb) { return qRgb(rgb[0], rgb[1], rgb[2]); };
        QCOMPARE(image.image.pixel(0, 0), colour(core::mapToRgb(0.0, core::Colormap::Magma)));
        QCOMPARE(image.image.pixel(1, 0), colour(core::mapToRgb(0.5, core::Colormap::Magma)));
        QCOMPARE(image.image.pixel(2, 0), colour(core::kNotANumberColour));
        QVERIFY(QColor(image.image.pixel(0, 0)).lightness() < 10);
        QCOMPARE(image.valueAt({1, 0}), QStringLiteral("FLIP 0.500000"));
        QCOMPARE(image.valueAt({2, 0}), QStringLiteral("FLIP NaN"));
    }

    void automaticRangeSuitsAllMaps()
    {
        const auto mapOf = [](std::vector<float> values) {
            const auto width = static_cast<int>(values.size());
            return core::PixelMap{.width = width,
                                  .height = 1,
                                  .offsetX = 0,
                                  .offsetY = 0,
                                  .values = std::move(values)};
        };
        const auto rangeOf = [](const core::PixelMap& map) {
            return automaticRange({&map}, MapKind::Dissimilarity);
        };
        // Rounded up to 1, 2 or 5.
        QCOMPARE(rangeOf(mapOf({0.0F, 0.008F})), 0.01);
        QCOMPARE(rangeOf(mapOf({0.0F, -0.011F})), 0.02);
        QCOMPARE(rangeOf(mapOf({0.03F, 0.021F})), 0.05);
        QCOMPARE(rangeOf(mapOf({0.2F, 0.1F})), 0.2);
        QCOMPARE(rangeOf(mapOf({1.9F, 1.0F})), 1.0);
        // One pixel of a thousand far beyond the others does not make them black.
        std::vector<float> one(1000, 0.004F);
        one[500] = 0.9F;
        QCOMPARE(rangeOf(mapOf(one)), 0.005);
        // Unless it is all there is to see.
        std::vector<float> alone(1000, 0.0F);
        alone[500] = 0.3F;
        QCOMPARE(rangeOf(mapOf(alone)), 0.5);
        const core::PixelMap weak = mapOf({0.0F, 0.0003F});
        const core::PixelMap strong = mapOf({0.0F, 0.04F});
        QCOMPARE(automaticRange({&weak, &strong}, MapKind::Absolute), 0.05);
        // Nothing differs, and what is no number is not counted.
        QCOMPARE(automaticRange({}, MapKind::Signed), defaultRange(MapKind::Signed));
        QCOMPARE(rangeOf(mapOf({0.0F, 0.0F})), defaultRange(MapKind::Dissimilarity));
        QCOMPARE(rangeOf(mapOf({std::numeric_limits<float>::quiet_NaN(), 0.02F})), 0.02);
    }

    // The last value says that it is clipped, and is longer than the others.
    void valuesOfTheColourBarDoNotTouch()
    {
        const QFontMetrics metrics = QWidget().fontMetrics();
        for (const MapKind kind : {MapKind::Signed, MapKind::Dissimilarity}) {
            for (int width = 120; width <= 400; ++width) {
                const QRect area(0, 0, width, 60);
                const auto ticks =
                    colorBarTicks(metrics, area, {.kind = kind, .range = 0.01}, true);
                QVERIFY(ticks.size() >= 2);
                for (std::size_t i = 1; i < ticks.size(); ++i)
                    QVERIFY2(ticks[i - 1].place.right() + 2 <= ticks[i].place.left(),
                             qPrintable(QString::number(width)));
            }
        }
    }

    void colourBarIsLabelled()
    {
        ColorBar bar;
        bar.setScale({.kind = MapKind::Signed, .range = 0.1}, true);
        bar.resize(300, bar.sizeHint().height());
        QCOMPARE(bar.accessibleDescription(), QStringLiteral("Δ (signed), 10× magnified, ±0.1"));
        const QImage grabbed = bar.grab().toImage();
        const QColor middle = pixelAt(grabbed, QPointF(bar.rect().center()));
        QVERIFY2(middle.lightness() > 200, qPrintable(middle.name()));
    }
};

const tests::GuiTest<TestPicturePane> registered(__FILE_NAME__);

}  // namespace qs::tst_picture_pane

#include "tst_picture_pane.moc"
