#include "core/record/output_places.h"
#include "core/record/run_folder.h"
#include "tests/support/gui_test.h"
#include "tests/widgets/compare/comparison_run.h"
#include "tests/widgets/support/children.h"
#include "tests/widgets/support/screens.h"
#include "widgets/compare/compare_view.h"
#include "widgets/compare/picture_pane.h"
#include "widgets/compare/tile_panel.h"
#include "widgets/compare/tile_strip_view.h"
#include "widgets/layout/elided_combo_box.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>

namespace qs::tst_compare_view {

using namespace widgets;
using tests::ComparisonRun;

class TestCompareView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { tests::setUpWidgets(); }
    void init() { tests::failOnQtWarnings(); }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    void emptyStates()
    {
        RunStore store;
        CompareView view(store);
        auto* empty = view.findChild<QLabel*>(QStringLiteral("emptyState"));
        QVERIFY(empty->text().startsWith(QStringLiteral("Open a run")));
        store.setRun(m_run.data());
        QCOMPARE(empty->text(), QStringLiteral("Click a point or a row to see its images."));
        QVERIFY(empty->isVisibleTo(&view));
        store.selectCell(QString::fromStdString(m_run.a()));
        QVERIFY(!empty->isVisibleTo(&view));
        store.selectCell({});
        QVERIFY(empty->isVisibleTo(&view));
        // Nothing is there to be clicked before the first cell is measured.
        const QString measured = empty->text();
        core::RunData begun = m_run.data();
        begun.measurements.clear();
        begun.qualities.clear();
        store.setRun(begun);
        QTRY_VERIFY(empty->text() != measured);
        QVERIFY(empty->isVisibleTo(&view));
    }

    // Logits, tokens and classes have a view of their own.
    void outputsThatAreNotImagesHaveNoPanes()
    {
        core::RunData data = m_run.data();
        for (core::PlannedCell& cell : data.plan.cells)
            cell.output = core::OutputKind::Logits;
        RunStore store;
        CompareView view(store);
        store.setRun(m_run.data());
        select(store, view, m_run.a());
        auto* empty = view.findChild<QLabel*>(QStringLiteral("emptyState"));
        QVERIFY(!empty->isVisibleTo(&view));
        QTRY_VERIFY(view.exportSheet().ok());

        store.setRun(data);
        store.selectCell(QString::fromStdString(m_run.a()));
        QVERIFY(!empty->isVisibleTo(&view));
        QVERIFY(tests::child<QWidget>(view, "samples")->isVisibleTo(&view));
        QVERIFY(!tests::child<QWidget>(view, "place")->isVisibleTo(&view));
        QTRY_VERIFY(!view.isBusy());
        QVERIFY(!view.exportSheet().ok());
        QTest::keyClick(&view, Qt::Key_M);  // of the panes that are not there
        QTest::keyClick(&view, Qt::Key_0);
        store.selectCell({});
        QVERIFY(empty->isVisibleTo(&view));
        QVERIFY(!empty->text().contains(QStringLiteral("image")));
    }

    void runWithoutPicturesSaysSo()
    {
        const tests::TestFolder empty;
        core::RunData data = m_run.data();
        data.folder = empty.path();
        RunStore store;
        store.setRun(data);
        CompareView view(store);
        select(store, view, m_run.a());
        QTRY_VERIFY(!view.isBusy());
        for (const PaneRole role : {PaneRole::Input, PaneRole::Reference, PaneRole::A})
            QCOMPARE(view.panes().pane(role).message(),
                     QStringLiteral("This image was not saved in the run folder."));
        // Nothing is said of a size that no picture has, and no tool does harm.
        QCOMPARE(view.panes().pane(PaneRole::Input).caption().size(), 1);
        QTest::keyClick(&view, Qt::Key_N);
        QTest::keyClick(&view, Qt::Key_S);
        QTest::keyClick(&view, Qt::Key_1);
        QTRY_VERIFY(!view.isBusy());
        QVERIFY(!view.sharedView().mark());
        QVERIFY(!view.exportSheet().ok());
    }

    // What is not there is offered where it is, by name.
    void unsavedCellOffersTheNearest()
    {
        RunStore store;
        store.setRun(m_run.data());
        CompareView view(store);
        view.resize(900, 560);
        view.show();
        select(store, view, tests::sampleCellId("int8dq", "none", 16));
        PicturePane& a = view.panes().pane(PaneRole::A);
        QCOMPARE(a.message(), QStringLiteral("Not saved for batch 16 (saved: 4)."));
        // Panes that have nothing to show take no room.
        QVERIFY(view.panes().pane(PaneRole::Reference).isHidden());
        QVERIFY(view.panes().pane(PaneRole::Map).isHidden());
        auto* offer = a.findChild<QPushButton*>(QStringLiteral("offer"));
        QVERIFY(offer->isVisible() && a.rect().contains(offer->geometry()));
        QCOMPARE(offer->text(), QStringLiteral("Show int8dq · eager · batch 4"));
        tests::screenshot(view, QStringLiteral("compare-not-saved"));
        QTest::mouseClick(offer, Qt::LeftButton);
        QCOMPARE(store.selectedCell(), QString::fromStdString(m_run.a()));
        QTRY_VERIFY(!a.image().isNull());
        QVERIFY(!offer->isVisible());
        QVERIFY(!view.panes().pane(PaneRole::Reference).isHidden());
    }

    void failedCellSaysWhy()
    {
        const ComparisonRun run({.withFailures = true});
        RunStore store;
        store.setRun(run.data());
        CompareView view(store);
        select(store, view, tests::sampleCellId("int8dq", "cuda-graph", 64));
        QVERIFY2(view.panes()
                     .pane(PaneRole::A)
                     .message()
                     .startsWith(QStringLiteral("This cell has no images: CUDA out of memory")),
                 qPrintable(view.panes().pane(PaneRole::A).message()));
        QVERIFY(!view.panes().pane(PaneRole::Input).image().isNull());
        view.resize(1000, 500);
        tests::screenshot(view, QStringLiteral("compare-out-of-memory"));
    }

    void showsTheSelection()
    {
        RunStore store;
        store.setRun(m_run.data());
        CompareView view(store);
        select(store, view, m_run.a());
        QVERIFY(!view.panes().pane(PaneRole::A).image().isNull());
        QVERIFY(view.panes().pane(PaneRole::B).isHidden());
        QCOMPARE(view.panes().pane(PaneRole::A).title(),
                 QStringLiteral("A: int8dq · eager · batch 4"));
        QVERIFY(
            view.panes().pane(PaneRole::A).caption().front().startsWith(QStringLiteral("SSIM 0.")));
        QVERIFY(view.findChild<QLabel*>(QStringLiteral("heading"))
                    ->text()
                    .contains(QStringLiteral("4× noise floor")));
        QVERIFY(view.panes()
                    .pane(PaneRole::A)
                    .caption()
                    .back()
                    .contains(QStringLiteral("noise floor")));
        QVERIFY(view.findChild<QLabel*>(QStringLiteral("untrained"))->isHidden());
        QSignalSpy loaded(&view.pictures(), &PictureSet::loaded);
        store.compareWith(QString::fromStdString(m_run.b()));
        QTRY_COMPARE(loaded.size(), 1);
        QVERIFY(view.panes().pane(PaneRole::B).isHidden());
        view.findChild<QAction*>(QStringLiteral("pane4"))->trigger();
        QVERIFY(!view.panes().pane(PaneRole::B).isHidden());
        store.compareWith(QString::fromStdString(m_run.reference()));
        QTRY_VERIFY(view.panes().pane(PaneRole::B).isHidden());
    }

    // Most rows are of a second machine: its figures are shown, and so are its pictures.
    void picturesAreOfTheEnvironmentOfTheRow()
    {
        const ComparisonRun run;
        core::RunData data = run.data();
        const std::string elsewhere(64, 'e');
        const std::string folder = core::environmentSubfolder(elsewhere);
        const std::vector<core::Measurement> first = data.measurements;
        for (const int later : {100, 200}) {
            for (core::Measurement row : first) {
                if (row.cellId == run.b())
                    continue;
                row.environmentId = elsewhere;
                row.round += later;
                for (core::OutputRecord& output : row.result.outputs)
                    output.file = folder + "/" + output.file;
                data.measurements.push_back(row);
            }
        }
        // There, A came out as B did on the first one.
        for (const auto& [cell, source] :
             {std::pair(run.a(), run.b()), std::pair(run.reference(), run.reference())}) {
            const auto place = run.folder() / "cells" / core::outputPlace(cell, folder);
            std::filesystem::create_directories(place);
            std::filesystem::copy(core::outputArray(run.folder(), source, 0).path(),
                                  place / "output_0.npy");
        }
        RunStore store;
        store.setRun(run.data());
        CompareView view(store);
        select(store, view, run.a());
        QVERIFY(view.pictures().current()->a.picture->values == run.output(run.a()).values);
        store.setRun(data);
        QTRY_VERIFY(!view.isBusy());
        select(store, view, run.equal());
        QCOMPARE(view.panes().pane(PaneRole::A).message(),
                 QStringLiteral("This image was not saved in the run folder."));
        select(store, view, run.a());
        QVERIFY(view.pictures().current()->a.picture->values == run.output(run.b()).values);
        // The comparison of the first machine is not said of these.
        QVERIFY(view.findChild<QLabel*>(QStringLiteral("heading"))
                    ->text()
                    .contains(QStringLiteral("not yet compared")));
        // B was measured on the first machine only.
        store.compareWith(QString::fromStdString(run.b()));
        QTRY_VERIFY(!view.isBusy());
        QVERIFY2(view.panes()
                     .pane(PaneRole::B)
                     .message()
                     .contains(QStringLiteral("another environment")),
                 qPrintable(view.panes().pane(PaneRole::B).message()));
    }

    void untrainedModelsAreLabelled()
    {
        const ComparisonRun run({.trained = false});
        RunStore store;
        store.setRun(run.data());
        CompareView view(store);
        select(store, view, run.a());
        auto* note = view.findChild<QLabel*>(QStringLiteral("untrained"));
        QVERIFY(!note->isHidden());
        QVERIFY(note->text().contains(QStringLiteral("numeric deviation only")));
        QCOMPARE(view.panes().pane(PaneRole::Reference).caption().size(), 1);
        const auto caption = [&] { return view.panes().pane(PaneRole::A).caption().join(u' '); };
        QTRY_VERIFY(caption().contains(QStringLiteral("max |Δ|")));
        QVERIFY2(!caption().contains(QStringLiteral("SSIM")), qPrintable(caption()));
    }

    void shiftShowsTheReference()
    {
        RunStore store;
        store.setRun(m_run.data());
        CompareView view(store);
        select(store, view, m_run.a());
        const QImage own = view.panes().pane(PaneRole::A).image();
        QTest::keyPress(&view.panes().pane(PaneRole::A), Qt::Key_Shift);
        QVERIFY(view.referenceHold().isHeld());
        QCOMPARE(view.panes().pane(PaneRole::A).image(),
                 view.panes().pane(PaneRole::Reference).image());
        QVERIFY(view.panes().pane(PaneRole::A).image() != own);
        QVERIFY(view.panes().pane(PaneRole::A).title().startsWith(QStringLiteral("Reference")));
        QTest::keyRelease(&view.panes().pane(PaneRole::A), Qt::Key_Shift);
        QCOMPARE(view.panes().pane(PaneRole::A).image(), own);
        QTest::keyPress(&view, Qt::Key_Shift);
        QEvent leave(QEvent::ApplicationDeactivate);
        QApplication::sendEvent(qApp, &leave);
        QVERIFY(!view.referenceHold().isHeld());
    }

    // Blinking compares pixels: not one of them may move, whatever stands in the captions.
    void shiftMovesNoPixel()
    {
        RunStore store;
        store.setRun(m_run.data());
        CompareView view(store);
        store.compareWith(QString::fromStdString(m_run.b()));
        select(store, view, m_run.a());
        view.cells().pin(1, QString::fromStdString(m_run.b()));
        for (const QSize size : {QSize(700, 560), QSize(900, 500), QSize(420, 800)}) {
            view.resize(size);
            view.show();
            QVERIFY(QTest::qWaitForWindowExposed(&view));
            QTRY_VERIFY(!view.isBusy());
            const auto places = [&view] {
                QList<QRect> found;
                for (const PicturePane* pane : view.panes().all())
                    found << pane->geometry() << pane->viewport();
                return found;
            };
            const QList<QRect> before = places();
            view.referenceHold().setHeld(true);
            QCOMPARE(places(), before);
            view.referenceHold().setHeld(false);
            QCOMPARE(places(), before);
            view.showAlone(&view.panes().pane(PaneRole::A));
            const QList<QRect> alone = places();
            view.referenceHold().setHeld(true);
            QCOMPARE(places(), alone);
            view.referenceHold().setHeld(false);
            view.showAlone(nullptr);
        }
    }

    void nextWorstTile()
    {
        RunStore store;
        store.setRun(m_run.data());
        CompareView view(store);
        view.resize(1200, 600);
        select(store, view, m_run.a());
        QTest::keyClick(&view, Qt::Key_N);
        const auto& tiles = view.pictures().current()->aToReference.value->worstTiles;
        const core::Tile& worst = tiles.front();
        QCOMPARE(view.sharedView().centre(),
                 QPointF(worst.x + worst.width / 2.0, worst.y + worst.height / 2.0));
        const QRect damage(ComparisonRun::kDamageLeft, ComparisonRun::kDamageTop,
                           ComparisonRun::kDamageSide, ComparisonRun::kDamageSide);
        QVERIFY(damage.contains(view.sharedView().centre().toPoint()));
        QVERIFY(view.sharedView().mark().has_value());
        // It is looked at closely, with its surroundings.
        const double side = view.sharedView().scaleIn(view.panes().viewport()) * core::kTileSide;
        const QSize pane = view.panes().viewport();
        QVERIFY(side > 0.5 * std::min(pane.width(), pane.height()));
        QVERIFY(side < std::min(pane.width(), pane.height()));
        QVERIFY(tiles.size() > 1);
        QTest::keyClick(&view, Qt::Key_N);
        QCOMPARE(view.sharedView().mark()->topLeft(), QPoint(tiles[1].x, tiles[1].y));
        for (std::size_t i = 2; i <= tiles.size(); ++i)
            view.showNextWorstTile();
        QCOMPARE(view.sharedView().mark()->topLeft(), QPoint(worst.x, worst.y));
        QTest::keyClick(&view, Qt::Key_Z);
        QCOMPARE(view.sharedView().scaleIn(view.panes().viewport()) * view.devicePixelRatioF(),
                 1.0);
        QTest::keyClick(&view, Qt::Key_0);
        QVERIFY(view.sharedView().isFit());
    }

    void theFrameStandsOnlyWhereItsTileWasFound()
    {
        RunStore store;
        store.setRun(m_run.data());
        CompareView view(store);
        view.resize(1200, 700);
        select(store, view, m_run.a());
        QTest::keyClick(&view, Qt::Key_N);
        const auto frame = view.sharedView().mark();
        QVERIFY(frame.has_value());
        const QPointF place = view.sharedView().centre();
        select(store, view, m_run.equal());
        QVERIFY(!view.sharedView().mark());
        QCOMPARE(view.sharedView().centre(), place);
        select(store, view, m_run.a());
        QCOMPARE(view.sharedView().mark(), frame);
        store.setRun(m_run.data());
        select(store, view, m_run.a());
        QVERIFY(!view.sharedView().mark());
    }

    void identicalPicturesHaveNoWorstTile()
    {
        RunStore store;
        store.setRun(m_run.data());
        CompareView view(store);
        select(store, view, m_run.equal());
        view.showNextWorstTile();
        QVERIFY(!view.sharedView().mark());
        QCOMPARE(view.panes().pane(PaneRole::A).caption().front(),
                 QStringLiteral("bit-identical to the reference"));
    }

    void buttonsHidePanesAndKeysZoom()
    {
        RunStore store;
        store.setRun(m_run.data());
        CompareView view(store);
        view.resize(1200, 600);
        select(store, view, m_run.a());
        const auto press = [&](const char* name) {
            view.findChild<QAction*>(QLatin1String(name))->trigger();
        };
        // The reference and A; everything else on demand.
        QVERIFY(view.panes().pane(PaneRole::Input).isHidden());
        QVERIFY(!view.panes().pane(PaneRole::Reference).isHidden());
        QVERIFY(!view.panes().pane(PaneRole::A).isHidden());
        press("pane1");
        QVERIFY(!view.panes().pane(PaneRole::Input).isHidden());
        press("pane1");
        QVERIFY(view.panes().pane(PaneRole::Input).isHidden());
        QVERIFY(view.panes().pane(PaneRole::B).isHidden());
        QVERIFY(!view.findChild<QAction*>(QStringLiteral("pane4"))->isEnabled());
        QTest::keyClick(&view, Qt::Key_Plus);
        QVERIFY(!view.sharedView().isFit());
        QTest::keyClick(&view, Qt::Key_Minus);
        QVERIFY(view.sharedView().isFit());
    }

    void cellsGetPanesOfTheirOwn()
    {
        RunStore store;
        store.setRun(m_run.data());
        CompareView view(store);
        view.resize(1200, 700);
        select(store, view, m_run.a());
        QTest::keyClick(&view, Qt::Key_3);
        QCOMPARE(view.cells().pinned(3), QString::fromStdString(m_run.a()));
        QTRY_VERIFY(!view.isBusy());
        QVERIFY(!view.panes().pinned(3).isHidden());
        view.controls().setMode(CompareMode::Map);
        QVERIFY(!view.panes().map(ComparedCells::kFirstPin + 3 - 1).isHidden());
        QVERIFY(view.panes().pinned(3).isHidden());
        view.controls().setMode(CompareMode::SideBySide);
        QCOMPARE(view.panes().pinned(3).title(), QStringLiteral("3: int8dq · eager · batch 4"));
        QCOMPARE(view.panes().pinned(3).image(), view.panes().pane(PaneRole::A).image());
        // It stays while the selection goes on.
        store.selectCell(QString::fromStdString(m_run.b()));
        QTRY_VERIFY(!view.isBusy());
        QVERIFY(view.panes().pinned(3).image() != view.panes().pane(PaneRole::A).image());
        QVERIFY(view.panes().map(ComparedCells::kFirstPin + 3 - 1).image() !=
                view.panes().pane(PaneRole::Map).image());
        QVERIFY(view.panes().pinned(3).caption().front().startsWith(QStringLiteral("SSIM 0.")));
        view.findChild<QAction*>(QStringLiteral("keep"))->trigger();
        QCOMPARE(view.cells().pinned(1), QString::fromStdString(m_run.b()));
        QTest::keyClick(&view, Qt::Key_1);
        QVERIFY(view.cells().pinned(1).isEmpty());
        QVERIFY(view.panes().pinned(1).isHidden());
        QTest::keyClick(&view.panes().pinned(3), Qt::Key_Delete);
        QVERIFY(view.panes().pinned(3).isHidden());
        QVERIFY(view.panes().map(ComparedCells::kFirstPin + 3 - 1).isHidden());
        for (int pin = 1; pin <= ComparedCells::kPins; ++pin)
            view.cells().pin(pin, QString::fromStdString(m_run.a()));
        view.cells().pin(0, QString::fromStdString(m_run.a()));
        view.cells().pin(10, QString::fromStdString(m_run.a()));
        view.cells().pin(1, QStringLiteral("no such cell"));
        QTRY_VERIFY(!view.isBusy());
        QVERIFY(!view.panes().pinned(9).image().isNull());
        store.setRun(m_run.data());
        QVERIFY(view.cells().pinned(9).isEmpty());
    }

    void pinnedCellOfAnotherSizeSaysSo()
    {
        core::RunData data = m_run.data();
        for (core::PlannedCell& cell : data.plan.cells) {
            if (cell.id == m_run.b())
                cell.config.sizes.set("image_size", 512);
        }
        RunStore store;
        store.setRun(data);
        CompareView view(store);
        select(store, view, m_run.a());
        view.cells().pin(1, QString::fromStdString(m_run.b()));
        QTRY_VERIFY(!view.isBusy());
        QVERIFY2(view.panes().pinned(1).message().contains(QStringLiteral("512 px")),
                 qPrintable(view.panes().pinned(1).message()));
    }

    void everyCellHasItsMapUnderOneScale()
    {
        RunStore store;
        store.setRun(m_run.data());
        CompareView view(store);
        store.compareWith(QString::fromStdString(m_run.b()));
        select(store, view, m_run.a());
        QTRY_VERIFY(!view.isBusy());
        view.findChild<QAction*>(QStringLiteral("pane4"))->trigger();
        view.controls().setMode(CompareMode::Map);
        QTRY_VERIFY(!view.isBusy());
        QVERIFY(!view.panes().map(ComparedCells::kB).isHidden());
        QVERIFY(view.panes()
                    .map(ComparedCells::kB)
                    .title()
                    .endsWith(QStringLiteral("B against reference")));
        const QString scale =
            view.panes().pane(PaneRole::Map).caption().front().section(u'·', 0, 0);
        QCOMPARE(view.panes().map(ComparedCells::kB).caption().front().section(u'·', 0, 0), scale);
        // Automatic: that of the stronger map, so that neither is black nor without shape.
        const core::PixelMap& strong = view.pictures().current()->aToReference.value->dissimilarity;
        const core::PixelMap& weak = view.pictures().current()->bToReference.value->dissimilarity;
        const double range = automaticRange({&strong, &weak}, MapKind::Dissimilarity);
        QCOMPARE(range, automaticRange({&strong}, MapKind::Dissimilarity));
        QVERIFY(automaticRange({&weak}, MapKind::Dissimilarity) < range);
        QCOMPARE(view.panes().pane(PaneRole::Map).image(),
                 toImage(strong, MapScale{.kind = MapKind::Dissimilarity, .range = range}));
        // Exports have it, too.
        const auto sheet = view.exportSheet();
        QVERIFY(sheet.ok() && sheet.value().scale);
        QCOMPARE(sheet.value().scale->range, range);
        const auto hasLight = [](const ExportPane& pane) {
            constexpr int kDark = 24;  // of 255
            for (int y = 0; y < pane.image.height(); ++y) {
                for (int x = 0; x < pane.image.width(); ++x) {
                    if (pane.image.pixelColor(x, y).value() > kDark)
                        return true;
                }
            }
            return false;
        };
        // All but the weak map, which is as dark as it is weaker.
        QCOMPARE(std::count_if(sheet.value().panes.begin(), sheet.value().panes.end(), hasLight),
                 static_cast<std::ptrdiff_t>(sheet.value().panes.size()) - 1);
    }

    // Whatever the panes show, every one of them stays where it is.
    void modesMoveNoPixel()
    {
        RunStore store;
        store.setRun(m_run.data());
        CompareView view(store);
        store.compareWith(QString::fromStdString(m_run.b()));
        select(store, view, m_run.a());
        view.findChild<QAction*>(QStringLiteral("pane4"))->trigger();
        view.cells().pin(1, QString::fromStdString(m_run.equal()));
        view.resize(900, 600);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        QTRY_VERIFY(!view.isBusy());
        const auto places = [&view] {
            QList<QRect> found;
            for (int place = 0; place < ComparedCells::kCount; ++place) {
                const PicturePane& seen = view.panes().seen(place);
                if (seen.isVisible())
                    found << QRect(seen.mapTo(&view, QPoint(0, 0)), seen.size()) << seen.viewport();
            }
            return found << view.panes().reference().geometry();
        };
        for (const bool alone : {false, true}) {
            if (alone)
                view.showAlone(&view.panes().pane(PaneRole::A));
            const QList<QRect> before = places();
            for (const CompareMode mode : kCompareModes) {
                view.controls().setMode(mode);
                QTRY_VERIFY(!view.isBusy());
                QCOMPARE(places(), before);
                view.referenceHold().setHeld(true);
                QCOMPARE(places(), before);
                view.referenceHold().setHeld(false);
                QCOMPARE(places(), before);
            }
            view.controls().setMode(CompareMode::SideBySide);
        }
    }

    void keysBlink()
    {
        RunStore store;
        store.setRun(m_run.data());
        CompareView view(store);
        select(store, view, m_run.a());
        PicturePane& a = view.panes().pane(PaneRole::A);
        const QImage own = a.image();
        const QImage reference = view.panes().pane(PaneRole::Reference).image();
        QTest::keyClick(&a, Qt::Key_Left);
        QCOMPARE(a.image(), reference);
        QTest::keyClick(&a, Qt::Key_Right);
        QCOMPARE(a.image(), own);
        // By itself, until one takes over.
        QTest::keyClick(&a, Qt::Key_B);
        QCOMPARE(view.controls().mode(), CompareMode::Blink);
        QTRY_COMPARE(a.image(), reference);
        QTRY_COMPARE(a.image(), own);
        QTest::keyClick(&a, Qt::Key_B);
        QCOMPARE(view.controls().mode(), CompareMode::SideBySide);
        QCOMPARE(a.image(), own);
        QTest::keyClick(&a, Qt::Key_M);
        QVERIFY(a.isHidden() && !view.panes().pane(PaneRole::Map).isHidden());
        QTest::keyClick(&view, Qt::Key_W);
        QVERIFY(a.split().isOn());
        // Another cell begins as itself.
        QTest::keyClick(&view, Qt::Key_W);
        QTest::keyClick(&a, Qt::Key_Left);
        select(store, view, m_run.b());
        QVERIFY(a.image() != reference);
    }

    void stripShowsTheTileInAllCells()
    {
        RunStore store;
        store.setRun(m_run.data());
        CompareView view(store);
        view.resize(1200, 700);
        select(store, view, m_run.a());
        auto* strip = view.findChild<TileStripView*>();
        QVERIFY(!strip->isVisibleTo(&view));
        QTest::keyClick(&view, Qt::Key_N);
        QVERIFY(strip->isVisibleTo(&view));
        QTRY_VERIFY(!view.isBusy());
        const TileStripModel& model = view.tiles().strip();
        QCOMPARE(model.rowCount(), static_cast<int>(m_run.data().plan.cells.size()));
        int row = -1;
        for (int i = 0; i < model.rowCount(); ++i) {
            QCOMPARE(model.cellAt(i).toStdString(),
                     m_run.data().plan.cells[static_cast<std::size_t>(i)].id);
            if (model.cellAt(i).toStdString() == m_run.a())
                row = i;
        }
        const core::Tile& worst = view.pictures().current()->aToReference.value->worstTiles.front();
        const QModelIndex own = model.index(row);
        QCOMPARE(own.data(TileStripModel::ScoreRole).toString(),
                 QStringLiteral("SSIM %1").arg(worst.mean, 0, 'f', 4));
        const auto tile = own.data(TileStripModel::TileRole).value<QImage>();
        QCOMPARE(tile, view.panes().pane(PaneRole::A).image().copy(worst.x, worst.y, 64, 64));
        QCOMPARE(own.data(TileStripModel::BadgeRole).toString(), QStringLiteral("A"));
        strip->setCurrentIndex(own);
        QTest::keyClick(strip, Qt::Key_Return);
        QCOMPARE(view.cells().pinned(1).toStdString(), m_run.a());
        QTest::keyClick(strip, Qt::Key_5);
        QCOMPARE(view.cells().pinned(5).toStdString(), m_run.a());
        QCOMPARE(own.data(TileStripModel::BadgeRole).toString(), QStringLiteral("A 1 5"));
        QVERIFY(view.sharedView().mark().has_value());
        // The tile stays from cell to cell, and goes with the picture.
        store.selectCell(QString::fromStdString(m_run.b()));
        QTRY_VERIFY(!view.isBusy());
        QVERIFY(view.tiles().tile().has_value());
        QVERIFY(strip->isVisibleTo(&view));
        store.selectPicture(2);
        QTRY_VERIFY(!view.isBusy());
        QVERIFY(!view.sharedView().mark());
        QVERIFY(!strip->isVisibleTo(&view));
    }

    void regionIsScoredInEveryPane()
    {
        RunStore store;
        store.setRun(m_run.data());
        CompareView view(store);
        view.resize(1200, 700);
        store.compareWith(QString::fromStdString(m_run.b()));
        select(store, view, m_run.a());
        QTest::keyClick(&view, Qt::Key_S);
        QVERIFY(view.sharedView().isDrawingRegion());
        QVERIFY(!view.sharedView().region());
        view.findChild<QAction*>(QStringLiteral("pane4"))->trigger();
        QVERIFY(view.panes().pane(PaneRole::A).caption().front().contains(QStringLiteral("drag")));
        QTest::keyClick(&view, Qt::Key_N);
        QTRY_VERIFY(!view.isBusy());
        const core::Tile& worst = view.pictures().current()->aToReference.value->worstTiles.front();
        QCOMPARE(
            view.panes().pane(PaneRole::A).caption().front().section(QStringLiteral(" · "), 0, 1),
            QStringLiteral("region 64 × 64 px · SSIM %1").arg(worst.mean, 0, 'f', 5));
        QVERIFY(view.panes()
                    .pane(PaneRole::B)
                    .caption()
                    .front()
                    .startsWith(QStringLiteral("region 64 × 64 px · SSIM 0.")));
        QVERIFY(view.panes().pane(PaneRole::A).caption().front() !=
                view.panes().pane(PaneRole::B).caption().front());
        QTest::keyClick(&view, Qt::Key_Escape);
        QVERIFY(!view.sharedView().isDrawingRegion());
        QVERIFY(!view.sharedView().region());
        QVERIFY(
            !view.panes().pane(PaneRole::A).caption().front().contains(QStringLiteral("region")));
    }

    void roomAndOnePaneAlone()
    {
        RunStore store;
        store.setRun(m_run.data());
        CompareView view(store);
        view.resize(1200, 700);
        select(store, view, m_run.a());
        QSignalSpy room(&view, &CompareView::roomWanted);
        QTest::keyClick(&view, Qt::Key_Space);
        QCOMPARE(room.size(), 1);
        QVERIFY(room.front().front().toBool());
        view.showAlone(&view.panes().pane(PaneRole::A));
        QVERIFY(view.panes().pane(PaneRole::Reference).isHidden());
        QVERIFY(!view.panes().pane(PaneRole::A).isHidden());
        QTest::keyClick(&view, Qt::Key_Escape);
        QVERIFY(!view.panes().pane(PaneRole::Reference).isHidden());
        QVERIFY(view.wantsRoom());
        QTest::keyClick(&view, Qt::Key_Escape);
        QVERIFY(!view.wantsRoom());
        view.showAlone(&view.panes().pane(PaneRole::Reference));
        view.findChild<QAction*>(QStringLiteral("pane2"))->trigger();
        QVERIFY2(!view.panes().pane(PaneRole::A).isHidden(), "a pane that was hidden is not alone");
    }

    void splitTakesAnyPicture()
    {
        RunStore store;
        store.setRun(m_run.data());
        CompareView view(store);
        select(store, view, m_run.a());
        view.cells().pin(2, QString::fromStdString(m_run.b()));
        QTRY_VERIFY(!view.isBusy());
        auto* left = view.findChild<QComboBox*>(QStringLiteral("splitLeft"));
        QVERIFY(left->isHidden());
        view.controls().setMode(CompareMode::Wipe);
        QVERIFY(!left->isHidden());
        QStringList names;
        for (int i = 0; i < left->count(); ++i)
            names << left->itemText(i);
        QCOMPARE(names, QStringList({QStringLiteral("reference"), QStringLiteral("input"),
                                     QStringLiteral("2")}));
        left->setCurrentIndex(2);
        Q_EMIT left->activated(2);
        QVERIFY(view.panes().pane(PaneRole::A).split().isOn());
        view.cells().unpin(2);
        QCOMPARE(left->currentText(), QStringLiteral("reference"));
        QVERIFY(view.panes().pane(PaneRole::A).split().isOn());
    }

    void picturesAreChosen()
    {
        RunStore store;
        store.setRun(m_run.data());
        CompareView view(store);
        select(store, view, m_run.a());
        auto* chooser = view.findChild<QComboBox*>(QStringLiteral("pictures"));
        QCOMPARE(chooser->count(), ComparisonRun::kPictures);
        QVERIFY(!view.findChild<QToolButton*>(QStringLiteral("previousPicture"))->isEnabled());
        QSignalSpy loaded(&view.pictures(), &PictureSet::loaded);
        view.findChild<QToolButton*>(QStringLiteral("nextPicture"))->click();
        QCOMPARE(store.selectedPicture(), 1);
        QTRY_COMPARE(loaded.size(), 1);
        QCOMPARE(chooser->currentIndex(), 1);
        QTest::keyClick(&view, Qt::Key_PageUp);
        QTest::keyClick(&view, Qt::Key_PageUp);
        QCOMPARE(store.selectedPicture(), 0);
    }

    void scaleIsChosenForEachKind()
    {
        RunStore store;
        store.setRun(m_run.data());
        CompareView view(store);
        select(store, view, m_run.b());
        QTRY_VERIFY(!view.isBusy());
        QVERIFY(!view.controls().mapWish().range);
        view.controls().setRange(0.01);
        QTRY_VERIFY(!view.isBusy());
        QVERIFY2(
            view.panes().pane(PaneRole::Map).caption().front().contains(QStringLiteral("0 … 0.01")),
            qPrintable(view.panes().pane(PaneRole::Map).caption().front()));
        view.controls().setKind(MapKind::Signed);
        QVERIFY(!view.controls().mapWish().range);
        QTRY_VERIFY(!view.isBusy());
        QVERIFY(view.panes().pane(PaneRole::Map).title().startsWith(QStringLiteral("Δ (signed)")));
        view.controls().setKind(MapKind::Dissimilarity);
        QCOMPARE(view.controls().mapWish().range, std::optional(0.01));
        select(store, view, m_run.a());
        QCOMPARE(view.controls().mapWish().range, std::optional(0.01));
    }

    void flipMapIsMadeByAWorker()
    {
        RunStore store;
        store.setRun(m_run.data());
        CompareView view(store);
        view.resize(1300, 640);
        select(store, view, m_run.a());
        QTRY_VERIFY(!view.isBusy());
        PicturePane& map = view.panes().pane(PaneRole::Map);
        const QString before = map.title();
        view.controls().setKind(MapKind::Flip);
        view.controls().setRange(1.0);
        // Choosing it only asks for it.
        QVERIFY(view.isBusy());
        QCOMPARE(map.title(), before);
        QTRY_VERIFY(!view.isBusy());
        QCOMPARE(map.title(), QStringLiteral("FLIP · A against reference"));
        const auto flip = core::flip(m_run.output(m_run.a()), m_run.output(m_run.reference()));
        QVERIFY(flip.ok());
        QCOMPARE(map.image(),
                 toImage(flip.value().map, MapScale{.kind = MapKind::Flip, .range = 1.0}));
        QCOMPARE(map.caption().back(), QStringLiteral("mean FLIP %1 · at 67 px/°")
                                           .arg(QLocale().toString(flip.value().mean, 'g', 3)));
        QCOMPARE(map.valueText({100, 40}),
                 QStringLiteral("FLIP %1").arg(static_cast<double>(flip.value().map.at(100, 40)), 0,
                                               'f', 6));
        const auto sheet = view.exportSheet();
        QVERIFY(sheet.ok());
        QCOMPARE(sheet.value().panes.back().title, map.title());
        QVERIFY(sheet.value().scale && sheet.value().scale->kind == MapKind::Flip);
        QCOMPARE(sheet.value().notes.back(), QStringLiteral("Maps: FLIP at 67 px/°"));
        tests::screenshot(view, QStringLiteral("compare-flip"));
        // Equal pictures: black, and said in numbers.
        select(store, view, m_run.equal());
        QTRY_VERIFY(!view.isBusy());
        QCOMPARE(map.caption().back(), QStringLiteral("mean FLIP 0 · at 67 px/°"));
        QVERIFY(QColor(map.image().pixel(50, 50)).lightness() < 10);
    }

    // As narrow as on a screen of 1920 pixels at scale 2.
    void whatTheMapShowsIsReadableWhereItIsNarrow()
    {
        RunStore store;
        store.setRun(m_run.data());
        CompareView view(store);
        view.setMinimumWidth(300);  // as its window says
        view.resize(525, 480);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        select(store, view, m_run.a());
        QTRY_VERIFY(!view.isBusy());
        view.controls().setMode(CompareMode::Map);
        for (const char* name : {"mapKind", "mapRange"}) {
            const auto* chooser = tests::child<ElidedComboBox>(view, name);
            QCOMPARE(chooser->shownText(), chooser->currentText());
        }
    }

    void mapsOfOtherSsimVariantsSayWhichOne_data()
    {
        QTest::addColumn<int>("row");
        QTest::addColumn<QString>("shown");
        QTest::addColumn<core::SsimVariant>("variant");
        QTest::addColumn<int>("border");
        QTest::newRow("skimage") << 4 << QStringLiteral("1 − SSIM (skimage)")
                                 << core::SsimVariant::Skimage << 3;
        QTest::newRow("reflect101") << 5 << QStringLiteral("1 − SSIM (torchmetrics/OpenCV)")
                                    << core::SsimVariant::Reflect101 << 0;
        QTest::newRow("replicate")
            << 6 << QStringLiteral("1 − SSIM (MATLAB)") << core::SsimVariant::Replicate << 0;
    }

    void mapsOfOtherSsimVariantsSayWhichOne()
    {
        QFETCH(const int, row);
        QFETCH(const QString, shown);
        QFETCH(const core::SsimVariant, variant);
        QFETCH(const int, border);
        RunStore store;
        store.setRun(m_run.data());
        CompareView view(store);
        view.resize(1300, 640);
        select(store, view, m_run.a());
        QTRY_VERIFY(!view.isBusy());
        PicturePane& map = view.panes().pane(PaneRole::Map);
        const QStringList figures = view.panes().pane(PaneRole::A).caption();
        auto* kinds = view.findChild<QComboBox*>(QStringLiteral("mapKind"));
        QCOMPARE(kinds->itemText(row), shown);
        const QString full = QString::fromStdString(core::name(variant));
        QVERIFY(kinds->itemData(row, Qt::ToolTipRole).toString().contains(full));
        kinds->setCurrentIndex(row);
        // Made by a worker, which may be done at once.
        QTRY_COMPARE(map.title(), QStringLiteral("%1 · A against reference").arg(shown));
        const auto ssim =
            core::ssim(core::clamped(m_run.output(m_run.a()), 0.0F, 1.0F),
                       core::clamped(m_run.output(m_run.reference()), 0.0F, 1.0F), variant, 1.0);
        QVERIFY(ssim.ok());
        QCOMPARE(map.caption().back(),
                 QStringLiteral("%1 %2").arg(full, QLocale().toString(ssim.value().mean, 'f', 5)));
        // At its own place upon the picture: the border of one variant is not that of another.
        QCOMPARE(map.imageOffset(), QPoint(border, border));
        core::PixelMap expected = ssim.value().map;
        for (float& value : expected.values)
            value = 1.0F - value;
        QCOMPARE(map.image(),
                 toImage(expected, {.kind = kMapKinds[static_cast<std::size_t>(row)],
                                    .range = automaticRange({&expected}, MapKind::Dissimilarity)}));
        const auto at = static_cast<double>(expected.at(100 - border, 40 - border));
        QCOMPARE(map.valueText({100, 40}), QStringLiteral("%1 %2").arg(shown).arg(at, 0, 'f', 6));
        // The figures of the cell stay those of Wang04.
        QCOMPARE(view.panes().pane(PaneRole::A).caption(), figures);
        const auto sheet = view.exportSheet();
        QVERIFY(sheet.ok());
        QCOMPARE(sheet.value().panes.back().title, map.title());
        QCOMPARE(sheet.value().panes.back().offset, QPoint(border, border));
        QVERIFY(sheet.value().panes.back().caption.back().startsWith(full));
        QCOMPARE(sheet.value().notes.back(), QStringLiteral("Maps: 1 − %1").arg(full));
        tests::screenshot(view, QStringLiteral("compare-ssim-%1").arg(row));
        select(store, view, m_run.equal());
        QTRY_COMPARE(map.caption().back(),
                     QStringLiteral("%1 %2").arg(full, QLocale().toString(1.0, 'f', 5)));
    }

    void runningSweepBringsThePictures()
    {
        core::RunData data = m_run.data();
        const std::vector<core::Measurement> rows = data.measurements;
        data.measurements.clear();
        data.qualities.clear();
        RunStore store;
        store.setRun(data);
        CompareView view(store);
        select(store, view, m_run.a());
        QCOMPARE(view.panes().pane(PaneRole::A).message(),
                 QStringLiteral("This cell has no images: not measured yet"));
        for (const core::Measurement& row : rows) {
            if (row.cellId == m_run.a() || row.cellId == m_run.reference())
                store.addMeasurement(row);
        }
        QTRY_VERIFY(!view.panes().pane(PaneRole::A).image().isNull());
    }

    void splitToggle()
    {
        RunStore store;
        store.setRun(m_run.data());
        CompareView view(store);
        select(store, view, m_run.a());
        view.controls().setMode(CompareMode::Wipe);
        QVERIFY(view.panes().pane(PaneRole::A).split().isOn());
        view.referenceHold().setHeld(true);
        QVERIFY(!view.panes().pane(PaneRole::A).split().isOn());
        view.referenceHold().setHeld(false);
        QVERIFY(view.panes().pane(PaneRole::A).split().isOn());
    }

    void everyControlIsNamed()
    {
        RunStore store;
        CompareView view(store);
        for (const auto* button : view.findChildren<QToolButton*>()) {
            QVERIFY2(!button->toolTip().isEmpty(), qPrintable(button->objectName()));
        }
        for (const auto* chooser : view.findChildren<QComboBox*>()) {
            QVERIFY(!chooser->accessibleName().isEmpty());
            QVERIFY(!chooser->toolTip().isEmpty());
        }
    }

    void paintsInEveryTheme_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::addColumn<QSize>("size");
        QTest::newRow("light") << false << QSize(1500, 560);
        QTest::newRow("dark") << true << QSize(1500, 560);
        QTest::newRow("narrow light") << false << QSize(500, 900);
        QTest::newRow("narrow dark") << true << QSize(500, 900);
    }

    void paintsInEveryTheme()
    {
        QFETCH(const bool, dark);
        QFETCH(const QSize, size);
        RunStore store;
        store.setRun(m_run.data());
        CompareView view(store);
        view.setAutoFillBackground(true);
        view.setPalette(dark ? tests::darkPalette() : tests::lightPalette());
        view.resize(size);
        store.compareWith(QString::fromStdString(m_run.b()));
        select(store, view, m_run.a());
        view.findChild<QAction*>(QStringLiteral("pane4"))->trigger();
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        // At this width nothing may demand more.
        QCOMPARE(view.size(), size);
        const double scale =
            view.sharedView().scaleIn(view.panes().pane(PaneRole::A).viewport().size());
        const int percent = qRound(scale * view.devicePixelRatioF() * 100.0);
        QCOMPARE(view.findChild<QLabel*>(QStringLiteral("place"))->text(),
                 QStringLiteral("zoom %1 %").arg(percent));
        QTRY_VERIFY(!view.isBusy());
        const QString name =
            QStringLiteral("compare-") + QString::fromLatin1(QTest::currentDataTag())
                                             .replace(QLatin1Char(' '), QLatin1Char('-'));
        tests::screenshot(view, name);
        view.controls().setRange(0.1);
        view.controls().setMode(CompareMode::Wipe);
        view.showNextWorstTile();
        view.sharedView().setCursor(view.sharedView().centre());
        QTRY_VERIFY(!view.isBusy());
        const QImage grabbed = tests::screenshot(view, name + QStringLiteral("-tile"));
        QCOMPARE(grabbed.pixelColor(1, 1).lightness() < 128, dark);
        for (const PaneRole role : {PaneRole::Reference, PaneRole::A, PaneRole::B}) {
            const PicturePane& pane = view.panes().pane(role);
            QVERIFY(!pane.isHidden());
            QVERIFY(view.rect().contains(
                pane.geometry().translated(pane.parentWidget()->mapTo(&view, QPoint(0, 0)))));
            QVERIFY(pane.viewport().width() >= 96);
        }
    }

private:
    // Selects a cell and waits for its pictures.
    static void select(RunStore& store, CompareView& view, const std::string& cell)
    {
        QSignalSpy loaded(&view.pictures(), &PictureSet::loaded);
        store.selectCell(QString::fromStdString(cell));
        QTRY_COMPARE(loaded.size(), 1);
    }

    ComparisonRun m_run;
};

const tests::GuiTest<TestCompareView> registered(__FILE_NAME__);

}  // namespace qs::tst_compare_view

#include "tst_compare_view.moc"
