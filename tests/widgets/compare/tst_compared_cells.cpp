#include "widgets/compare/compared_cells.h"

#include "tests/support/gui_test.h"
#include "tests/support/sample_run.h"

#include <QSignalSpy>

#include <algorithm>

namespace qs::tst_compared_cells {

using namespace widgets;
using tests::sampleCellId;

namespace {

QString id(const char* precision, const char* compile, int batch = 4)
{
    return QString::fromStdString(sampleCellId(precision, compile, batch));
}

}  // namespace

class TestComparedCells : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nothingIsComparedBeforeACellIsSelected()
    {
        RunStore store;
        const ComparedCells cells(store);
        QVERIFY(!cells.has(ComparedCells::kA));
        QVERIFY(!cells.has(ComparedCells::kB));
        QVERIFY(cells.referenceId().empty());
        QVERIFY(cells.environment().empty());
        QVERIFY(cells.pictureRequest().a.cellId.empty());
        QVERIFY(cells.stripRequest(0, {}).cells.empty());
    }

    void theReferenceIsNoB()
    {
        RunStore store;
        store.setRun(tests::sampleRun());
        const ComparedCells cells(store);
        store.selectCell(id("int8dq", "none"));
        QCOMPARE(cells.referenceId(), sampleCellId("bf16", "none", 4));
        store.compareWith(id("bf16", "none"));
        QVERIFY(!cells.has(ComparedCells::kB));
        store.compareWith(id("int8dq", "cuda-graph"));
        QCOMPARE(cells.cell(ComparedCells::kB)->id, sampleCellId("int8dq", "cuda-graph", 4));
        const PictureRequest request = cells.pictureRequest();
        QCOMPARE(request.a.cellId, sampleCellId("int8dq", "none", 4));
        QCOMPARE(request.b.cellId, sampleCellId("int8dq", "cuda-graph", 4));
        QCOMPARE(request.reference.cellId, cells.referenceId());
        QVERIFY(request.a.unavailable.isEmpty());
    }

    void pinsStayWhileTheSelectionGoesOn()
    {
        RunStore store;
        store.setRun(tests::sampleRun());
        ComparedCells cells(store);
        const QSignalSpy changes(&cells, &ComparedCells::pinsChanged);
        store.selectCell(id("int8dq", "none"));
        cells.togglePinned(id("int8dq", "none"));
        QCOMPARE(cells.pinned(1), id("int8dq", "none"));
        cells.pin(3, id("int8dq", "cuda-graph"));
        store.selectCell(id("bf16", "cuda-graph"));
        QCOMPARE(cells.cell(ComparedCells::kFirstPin)->id, sampleCellId("int8dq", "none", 4));
        QCOMPARE(cells.pictureRequest().pinned.size(), std::size_t{2});
        QCOMPARE(ComparedCells::label(ComparedCells::kFirstPin + 2), QStringLiteral("3"));
        QCOMPARE(changes.size(), 2);
        // The same again takes it away; what is not there cannot be pinned.
        cells.togglePinned(id("int8dq", "none"));
        QVERIFY(cells.pinned(1).isEmpty());
        cells.unpin(1);
        cells.pin(0, id("int8dq", "none"));
        cells.pin(ComparedCells::kPins + 1, id("int8dq", "none"));
        cells.pin(2, QStringLiteral("no such cell"));
        QCOMPARE(changes.size(), 3);
        for (int pin = 1; pin <= ComparedCells::kPins; ++pin)
            cells.pin(pin, id("bf16", "none", 1));
        cells.togglePinned(id("bf16", "none", 16));
        for (int place = 0; place < ComparedCells::kCount; ++place) {
            if (const core::PlannedCell* cell = cells.cell(place))
                QVERIFY(cell->id != sampleCellId("bf16", "none", 16));
        }
        store.setRun(tests::sampleRun());
        QVERIFY(cells.pinned(3).isEmpty());
    }

    void picturesOfAnotherSizeAreNotLaidBesideA_data()
    {
        QTest::addColumn<QString>("size");
        QTest::newRow("wider") << QStringLiteral("image_size");
        QTest::newRow("less high") << QStringLiteral("image_height");
        QTest::newRow("less wide") << QStringLiteral("image_width");
    }
    void picturesOfAnotherSizeAreNotLaidBesideA()
    {
        QFETCH(const QString, size);
        core::RunData data = tests::sampleRun();
        const std::string other = sampleCellId("int8dq", "cuda-graph", 4);
        for (core::PlannedCell& cell : data.plan.cells) {
            if (cell.id == other)
                cell.config.sizes.set(size.toStdString(),
                                      size == QLatin1String("image_size") ? 512 : 100);
        }
        RunStore store;
        store.setRun(std::move(data));
        ComparedCells cells(store);
        store.selectCell(id("int8dq", "none"));
        store.compareWith(QString::fromStdString(other));
        const PictureRequest request = cells.pictureRequest();
        QVERIFY(request.a.unavailable.isEmpty());
        QVERIFY(!request.b.unavailable.isEmpty());
        const StripRequest strip = cells.stripRequest(1, {});
        QCOMPARE(strip.picture, 1);
        QCOMPARE(strip.referenceId, cells.referenceId());
        QVERIFY(std::none_of(strip.cells.begin(), strip.cells.end(),
                             [&](const StripCell& cell) { return cell.cellId == other; }));
        QCOMPARE(strip.cells.size(), store.data().plan.cells.size() - 1);
    }

    void loadedPicturesAreFoundByTheirCell()
    {
        RunStore store;
        store.setRun(tests::sampleRun());
        ComparedCells cells(store);
        store.selectCell(id("int8dq", "none"));
        cells.pin(2, id("int8dq", "cuda-graph"));
        LoadedPictures loaded;
        loaded.request = cells.pictureRequest();
        loaded.pinned.resize(1);
        QVERIFY(loadedCell(nullptr, cells, ComparedCells::kA).source == nullptr);
        QCOMPARE(loadedCell(&loaded, cells, ComparedCells::kA).content, &loaded.a);
        QVERIFY(loadedCell(&loaded, cells, ComparedCells::kB).content == nullptr);
        QVERIFY(loadedCell(&loaded, cells, ComparedCells::kFirstPin).content == nullptr);
        QCOMPARE(loadedCell(&loaded, cells, ComparedCells::kFirstPin + 1).content,
                 &loaded.pinned[0].content);
        // Pinned since: not loaded yet.
        cells.pin(2, id("fp32", "none"));
        QVERIFY(loadedCell(&loaded, cells, ComparedCells::kFirstPin + 1).content == nullptr);
    }
};

const tests::GuiTest<TestComparedCells> registered(__FILE_NAME__);

}  // namespace qs::tst_compared_cells

#include "tst_compared_cells.moc"
