#include "core/base/json.h"
#include "core/image/picture_file.h"
#include "tests/widgets/compare/comparison_run.h"
#include "tests/widgets/support/screens.h"
#include "widgets/compare/compare_view.h"
#include "widgets/compare/comparison_export.h"

#include <QApplication>
#include <QSignalSpy>
#include <QTest>

#include <nlohmann/json.hpp>

using namespace qs;
using namespace qs::widgets;
using qs::tests::ComparisonRun;

class TestComparisonExport : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnQtWarnings(); }

    void nothingSelectedIsAnError()
    {
        RunStore store;
        CompareView view(store);
        const tests::TestFolder folder;
        QVERIFY(!view.exportPng(folder / "none.png").ok());
        QVERIFY(!std::filesystem::exists(folder / "none.png"));
        QVERIFY(!writeSheet(folder / "none.png", {}, {}).ok());
    }

    void writesPictureAndProvenance()
    {
        RunStore store;
        store.setRun(m_run.data());
        CompareView view(store);
        store.compareWith(QString::fromStdString(m_run.b()));
        QSignalSpy loaded(&view.pictures(), &PictureSet::loaded);
        store.selectCell(QString::fromStdString(m_run.a()));
        QTRY_COMPARE(loaded.size(), 1);
        view.controls().setRange(0.1);
        const tests::TestFolder folder;
        const auto path = folder / "comparison.png";
        view.holdReference(true);
        const core::Status status = view.exportPng(path);
        QVERIFY2(status.ok(), status.ok() ? "" : status.error().message.c_str());
        QVERIFY(!view.isReferenceHeld());
        QVERIFY(view.exportPng(folder / "again.png").ok());
        QCOMPARE(tests::readFile(folder / "again.png"), tests::readFile(path));
        const auto picture = core::readPicture(path);
        QVERIFY(picture.ok());
        QVERIFY(picture.value().width > 5 * 512);
        const auto texts = core::readPngText(path);
        QVERIFY(texts.ok());
        const auto preset = core::parseJson(texts.value().at(kPresetKeyword), "preset");
        QVERIFY(preset.ok());
        QVERIFY(preset.value() == core::toJson(m_run.data().plan.preset));
        const auto environments =
            core::parseJson(texts.value().at(kEnvironmentsKeyword), "environments");
        QVERIFY(environments.ok());
        QCOMPARE(environments.value().size(), m_run.data().environments.size());
        std::filesystem::copy_file(path, QS_SCREENSHOT_DIR "/compare-export.png",
                                   std::filesystem::copy_options::overwrite_existing);
    }

    void insetMagnifiesTheTile()
    {
        QImage image(128, 128, QImage::Format_RGB32);
        image.fill(Qt::black);
        for (int y = 64; y < 128; ++y) {
            for (int x = 32; x < 96; ++x)
                image.setPixel(x, y, qRgb(0, 0, 255));
        }
        ExportSheet sheet;
        sheet.pictureSize = image.size();
        sheet.panes = {{.title = QStringLiteral("A"), .caption = {}, .image = image, .offset = {}}};
        const QImage without = renderSheet(sheet);
        sheet.worstTile = core::Tile{.x = 32, .y = 64, .width = 64, .height = 64, .mean = 0.5};
        const QImage with = renderSheet(sheet);
        QCOMPARE(with.width(), without.width());
        // The picture is magnified to 512, the inset below it is as large.
        QVERIFY(with.height() - without.height() > 512);
        QCOMPARE(with.pixelColor(with.width() / 2, with.height() - 200), QColor(0, 0, 255));
        QCOMPARE(with.pixelColor(2, 2), QColor(Qt::white));
    }

    void largePicturesAreShrunk()
    {
        QImage image(3000, 1500, QImage::Format_RGB32);
        image.fill(Qt::gray);
        ExportSheet sheet;
        sheet.pictureSize = image.size();
        sheet.panes = {{.title = {}, .caption = {}, .image = image, .offset = {}}};
        const QImage rendered = renderSheet(sheet);
        QVERIFY(rendered.width() > 1024 && rendered.width() < 1200);
    }

private:
    ComparisonRun m_run;
};

QTEST_MAIN(TestComparisonExport)
#include "tst_comparison_export.moc"
