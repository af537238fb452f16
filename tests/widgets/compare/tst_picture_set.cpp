#include "core/base/npy.h"
#include "core/record/run_folder.h"
#include "core/run/image_quality.h"
#include "core/run/output_metrics.h"
#include "tests/support/gui_test.h"
#include "tests/widgets/compare/comparison_run.h"
#include "widgets/compare/pane_image.h"
#include "widgets/compare/picture_set.h"

#include <QSemaphore>
#include <QSignalSpy>

#include <algorithm>
#include <atomic>
#include <limits>

namespace qs::tst_picture_set {

using namespace widgets;
using tests::ComparisonRun;

class TestPictureSet : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void loadsAllPanes()
    {
        const LoadedPictures loaded = loadPictures(m_run.request());
        QVERIFY(loaded.complete());
        for (const PaneContent* pane : {&loaded.input, &loaded.reference, &loaded.a, &loaded.b}) {
            QVERIFY(pane->picture != nullptr);
            QCOMPARE(pane->shown.image.size(), QSize(ComparisonRun::kSide, ComparisonRun::kSide));
        }
        QVERIFY(*loaded.a.picture == m_run.output(m_run.a()));
        QVERIFY(*loaded.reference.picture == m_run.output(m_run.reference()));
        QVERIFY(loaded.bytes() > std::size_t{4} * 192 * 192 * 3 * sizeof(float));
    }

    void ofTheInputIsThePartThatTheModelTook()
    {
        constexpr int kSide = ComparisonRun::kSide;
        constexpr int kPixels = 65;
        constexpr int kFirst = (kSide - kPixels) / 2;
        const core::Picture whole =
            core::readPicture(core::inputPicture(m_run.folder(), kSide, 0)).value();
        const std::vector<std::pair<core::MiddlePart, core::Picture>> parts{
            {{}, whole},
            {{.rows = kPixels}, core::cropped(whole, 0, kFirst, kSide, kPixels)},
            {{.columns = kPixels}, core::cropped(whole, kFirst, 0, kPixels, kSide)},
            {{.rows = kSide, .columns = 1}, core::cropped(whole, (kSide - 1) / 2, 0, 1, kSide)}};
        LoadedPictures loaded;
        for (const auto& [part, expected] : parts) {
            PictureRequest request = m_run.request();
            request.part = part;
            // What is known of it is another part.
            loaded = loadPictures(request, &loaded);
            QVERIFY(loaded.input.picture != nullptr);
            QVERIFY(*loaded.input.picture == expected);
        }
    }

    void flipIsThatOfTheTwoPictures()
    {
        const LoadedPictures loaded = loadPictures(m_run.request());
        const auto expected = core::flip(m_run.output(m_run.a()), m_run.output(m_run.reference()));
        QVERIFY(expected.ok());
        QVERIFY(expected.value().mean > 0.0);
        QCOMPARE(mapOf(*loaded.aToReference.value, MapKind::Flip).values,
                 expected.value().map.values);
        const auto ofB = core::flip(m_run.output(m_run.b()), m_run.output(m_run.reference()));
        QVERIFY(ofB.ok());
        QCOMPARE(mapOf(*loaded.bToReference.value, MapKind::Flip).values, ofB.value().map.values);
        QVERIFY(ofB.value().map.values != expected.value().map.values);
        // A comparison of pictures that are not kept has none.
        const auto compared =
            comparePictures(m_run.output(m_run.a()), m_run.output(m_run.reference()));
        QVERIFY(compared.ok());
        QVERIFY(mapOf(compared.value(), MapKind::Flip).values.empty());
    }

    void ssimVariantsAreThoseOfTheTwoPictures()
    {
        const LoadedPictures loaded = loadPictures(m_run.request());
        const Comparison& comparison = *loaded.aToReference.value;
        const core::Picture a = core::clamped(m_run.output(m_run.a()), 0.0F, 1.0F);
        const core::Picture reference = core::clamped(m_run.output(m_run.reference()), 0.0F, 1.0F);
        std::vector<std::vector<float>> maps;
        for (const MapKind kind : kMapKinds) {
            const auto variant = variantOf(kind);
            if (!variant)
                continue;
            const auto expected = core::ssim(a, reference, *variant, 1.0);
            QVERIFY(expected.ok());
            const core::PixelMap& map = mapOf(comparison, kind);
            QCOMPARE(map.width, expected.value().map.width);
            QCOMPARE(map.offsetX, expected.value().map.offsetX);
            QCOMPARE(map.values, oneMinus(expected.value().map).values);
            const SsimMap* made = comparison.variant(*variant);
            QCOMPARE(made == nullptr, *variant == core::SsimVariant::Wang04);
            QCOMPARE(made == nullptr ? comparison.ssim.mean : made->get().value().mean,
                     expected.value().mean);
            QVERIFY(std::find(maps.begin(), maps.end(), map.values) == maps.end());
            maps.push_back(map.values);
        }
        QCOMPARE(maps.size(), core::kSsimVariants.size());
        // A comparison of pictures that are not kept has Wang04 alone.
        const auto compared = comparePictures(a, reference);
        QVERIFY(compared.ok());
        QVERIFY(mapOf(compared.value(), MapKind::DissimilaritySkimage).values.empty());
        QVERIFY(!mapOf(compared.value(), MapKind::Dissimilarity).values.empty());
        // Too small for the variant: said, not drawn.
        const auto tiny = std::make_shared<const core::Picture>(core::makePicture(8, 8, 3, 0.5F));
        QVERIFY(!lazySsim(tiny, tiny, core::SsimVariant::Replicate)->get().ok());
        QVERIFY(lazySsim(tiny, tiny, core::SsimVariant::Skimage)->get().ok());
    }

    void outputsAreNotClamped()
    {
        float highest = 0.0F;
        for (int i = 0; i < ComparisonRun::kPictures; ++i) {
            const LoadedPictures loaded = loadPictures(m_run.request(i));
            const auto& values = loaded.a.picture->values;
            highest = std::max(highest, *std::max_element(values.begin(), values.end()));
        }
        QVERIFY(highest > 1.0F);
    }

    void mapsEqualTheScores()
    {
        const LoadedPictures loaded = loadPictures(m_run.request());
        const core::Picture a = core::clamped(m_run.output(m_run.a()), 0.0F, 1.0F);
        const core::Picture reference = core::clamped(m_run.output(m_run.reference()), 0.0F, 1.0F);
        const auto expected = core::ssim(a, reference, core::SsimVariant::Wang04, 1.0);
        QVERIFY(expected.ok());
        const Comparison& comparison = *loaded.aToReference.value;
        QCOMPARE(comparison.ssim.mean, expected.value().mean);
        QCOMPARE(comparison.dissimilarity.width, ComparisonRun::kSide - 10);
        QCOMPARE(comparison.dissimilarity.offsetX, 5);
        const core::PixelMap& map = expected.value().map;
        for (std::size_t i = 0; i < map.values.size(); ++i)
            QCOMPARE(comparison.dissimilarity.values[i], 1.0F - map.values[i]);
        QVERIFY(comparison.worstTiles == core::worstTiles(map, kWorstTiles));
    }

    void figuresAgreeWithTheRecord()
    {
        const auto read = [&](const std::string& cell) {
            return core::readNpy(core::outputArray(m_run.folder(), cell, 1)).value();
        };
        const auto recorded = core::compareOutputs(core::OutputKind::Image, read(m_run.a()),
                                                   read(m_run.reference()), 1);
        QVERIFY(recorded.ok());
        const LoadedPictures loaded = loadPictures(m_run.request(1));
        const Comparison& comparison = *loaded.aToReference.value;
        QCOMPARE(comparison.ssim.mean, recorded.value().find("ssim").value_or(0.0));
        QCOMPARE(comparison.psnrDb, recorded.value().find("psnr").value_or(0.0));
        QCOMPARE(comparison.maximumDifference,
                 recorded.value().find("max_difference").value_or(0.0));
        QCOMPARE(comparison.worstTiles.front().x, recorded.value().worstTile->x);
        QCOMPARE(comparison.worstTiles.front().y, recorded.value().worstTile->y);
    }

    void differenceMaps()
    {
        core::Picture a = core::makePicture(16, 16, 3, 0.5F);
        const core::Picture reference = a;
        // Errors that cancel in the mean still count in |Δ|.
        a.at(3, 2, 0) += 0.25F;
        a.at(3, 2, 1) -= 0.25F;
        const auto compared = comparePictures(a, reference);
        QVERIFY(compared.ok());
        QCOMPARE(compared.value().absolute.at(3, 2), 0.25F);
        QCOMPARE(compared.value().signedMean.at(3, 2), 0.0F);
        QCOMPARE(compared.value().absolute.at(4, 2), 0.0F);
        QCOMPARE(compared.value().maximumDifference, 0.25);
        QVERIFY(!compared.value().identical);
        QCOMPARE(largestMagnitude(compared.value().absolute), 0.25);
    }

    void equalOutputsAreIdentical()
    {
        PictureRequest request = m_run.request();
        request.a.cellId = m_run.equal();
        const LoadedPictures loaded = loadPictures(request);
        QVERIFY(loaded.aToReference.value->identical);
        QCOMPARE(loaded.aToReference.value->ssim.mean, 1.0);
    }

    void missingFileSaysSo()
    {
        PictureRequest request = m_run.request();
        request.b.cellId = "fp32-none-b1";
        const LoadedPictures loaded = loadPictures(request);
        QVERIFY(!loaded.complete());
        QVERIFY(loaded.b.picture == nullptr);
        QVERIFY2(loaded.b.problem.startsWith(
                     QStringLiteral("This image was not saved in the run folder.")),
                 qPrintable(loaded.b.problem));
        QCOMPARE(loaded.bToReference.problem, loaded.b.problem);
        QVERIFY(loaded.aToReference.value != nullptr);
    }

    void damagedFileSaysSo()
    {
        const tests::TestFolder folder;
        PictureRequest request = m_run.request();
        request.runFolder = folder.path();
        const auto path = core::outputArray(folder.path(), m_run.a(), 0).path();
        QVERIFY(core::createFolders(path.parent_path()).ok());
        tests::writeFile(path, "no array");
        const LoadedPictures loaded = loadPictures(request);
        QVERIFY2(loaded.a.problem.startsWith(QStringLiteral("This image cannot be read: ")),
                 qPrintable(loaded.a.problem));
    }

    void eightBitCopiesStandIn()
    {
        const ComparisonRun run;
        QVERIFY(core::writeOutputPictures(run.folder(), run.a(), 1).ok());
        std::filesystem::remove(core::outputArray(run.folder(), run.a(), 0).path());
        const LoadedPictures loaded = loadPictures(run.request());
        QVERIFY(loaded.complete());
        QVERIFY(loaded.a.rounded);
        QVERIFY(!loaded.reference.rounded);
        QVERIFY(loaded.aToReference.value->rounded);
        QVERIFY(!loaded.bToReference.value->rounded);
    }

    void pinnedCellsAreComparedToo()
    {
        PictureRequest request = m_run.request();
        request.pinned = {{.cellId = m_run.equal(), .unavailable = {}},
                          {.cellId = m_run.b(), .unavailable = {}},
                          {.cellId = "gone", .unavailable = {}}};
        const LoadedPictures loaded = loadPictures(request);
        QVERIFY(!loaded.complete());
        QCOMPARE(loaded.pinned.size(), std::size_t{3});
        QVERIFY(loaded.pinned[0].toReference.value->identical);
        QCOMPARE(loaded.pinned[1].toReference.value->ssim.mean,
                 loaded.bToReference.value->ssim.mean);
        QVERIFY(loaded.pinned[2].content.picture == nullptr);
        QCOMPARE(loaded.pinned[2].toReference.problem, loaded.pinned[2].content.problem);
    }

    void knownPartsAreNotLoadedAgain()
    {
        const LoadedPictures before = loadPictures(m_run.request());
        PictureRequest request = m_run.request();
        std::swap(request.a, request.b);
        request.pinned = {m_run.request().a};
        const LoadedPictures after = loadPictures(request, &before);
        QCOMPARE(after.input.picture, before.input.picture);
        QCOMPARE(after.reference.picture, before.reference.picture);
        QCOMPARE(after.a.picture, before.b.picture);
        QCOMPARE(after.aToReference.value, before.bToReference.value);
        QCOMPARE(after.pinned[0].toReference.value, before.aToReference.value);
        // Another picture shares nothing; nor does another reference share its comparisons.
        const LoadedPictures other = loadPictures(m_run.request(1), &before);
        QVERIFY(*other.a.picture == m_run.output(m_run.a(), 1));
        request = m_run.request();
        request.reference.cellId = m_run.b();
        const LoadedPictures turned = loadPictures(request, &before);
        QCOMPARE(turned.a.picture, before.a.picture);
        QVERIFY(turned.aToReference.value != before.aToReference.value);
    }

    void notANumberSaysSo()
    {
        core::Picture a = core::makePicture(16, 16, 3, 0.5F);
        const core::Picture reference = a;
        a.at(0, 0, 0) = std::numeric_limits<float>::quiet_NaN();
        QVERIFY(!comparePictures(a, reference).ok());
        QCOMPARE(toImage(a).pixel(0, 0), qRgb(0, 200, 83));
        QCOMPARE(toImage(a).pixel(1, 0), qRgb(128, 128, 128));
    }

    void unavailableCellIsNotLookedFor()
    {
        PictureRequest request = m_run.request();
        request.a.unavailable = QStringLiteral("This cell has no images: out of memory");
        const LoadedPictures loaded = loadPictures(request);
        QCOMPARE(loaded.a.problem, request.a.unavailable);
        QVERIFY(loaded.a.picture == nullptr);
        QVERIFY(loaded.reference.picture != nullptr);
    }

    void setLoadsInTheBackgroundAndKeeps()
    {
        std::atomic<int> calls = 0;
        PictureSet set(nullptr, [&](const PictureRequest& request, const LoadedPictures* known) {
            ++calls;
            return loadPictures(request, known);
        });
        QSignalSpy spy(&set, &PictureSet::loaded);
        set.request(m_run.request());
        QVERIFY(set.isLoading());
        QVERIFY(spy.isEmpty());
        QTRY_COMPARE(spy.size(), 1);
        QVERIFY(!set.isLoading());
        QVERIFY(set.current()->aToReference.value != nullptr);
        set.request(m_run.request());
        QCOMPARE(spy.size(), 2);
        QCOMPARE(calls.load(), 1);
        set.clear();
        QVERIFY(set.current() == nullptr);
        QCOMPARE(set.cachedRequests(), std::size_t{0});
    }

    void incompleteAnswersAreNotKept()
    {
        PictureSet set;
        QSignalSpy spy(&set, &PictureSet::loaded);
        PictureRequest request = m_run.request();
        request.a.cellId = "fp32-none-b1";
        set.request(request);
        QTRY_COMPARE(spy.size(), 1);
        QCOMPARE(set.cachedRequests(), std::size_t{0});
    }

    void lateAnswersAreDropped()
    {
        QSemaphore begun;
        QSemaphore gate;
        PictureSet set(nullptr, [&](const PictureRequest& request, const LoadedPictures* known) {
            begun.release();
            // The first request comes back only after the second has been answered.
            if (request.picture == 0)
                gate.acquire();
            return loadPictures(request, known);
        });
        QSignalSpy spy(&set, &PictureSet::loaded);
        set.request(m_run.request(0));
        begun.acquire();
        set.request(m_run.request(1));
        QTRY_COMPARE(spy.size(), 1);
        QCOMPARE(set.current()->request.picture, 1);
        gate.release();
        // The late answer has arrived once it is kept.
        QTRY_COMPARE(set.cachedRequests(), std::size_t{2});
        QCOMPARE(spy.size(), 1);
        QCOMPARE(set.current()->request.picture, 1);
    }

    void answersOfAnotherRunAreForgotten()
    {
        QSemaphore begun;
        QSemaphore gate;
        QSemaphore done;
        PictureSet set(nullptr, [&](const PictureRequest& request, const LoadedPictures* known) {
            begun.release();
            gate.acquire();
            LoadedPictures loaded = loadPictures(request, known);
            done.release();
            return loaded;
        });
        QSignalSpy spy(&set, &PictureSet::loaded);
        set.request(m_run.request(0));
        begun.acquire();
        set.clear();
        gate.release();
        // The forgotten answer is under way before the wanted one is asked for.
        done.acquire();
        set.request(m_run.request(1));
        gate.release();
        QTRY_COMPARE(spy.size(), 1);
        QCOMPARE(set.current()->request.picture, 1);
        QCOMPARE(set.cachedRequests(), std::size_t{1});
    }

private:
    ComparisonRun m_run;
};

const tests::GuiTest<TestPictureSet> registered(__FILE_NAME__);

}  // namespace qs::tst_picture_set

#include "tst_picture_set.moc"
