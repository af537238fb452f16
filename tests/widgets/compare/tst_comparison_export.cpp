#include "core/base/json.h"
#include "core/image/picture_file.h"
#include "core/image/png_codec.h"
#include "tests/support/gui_test.h"
#include "tests/widgets/compare/comparison_run.h"
#include "tests/widgets/support/screens.h"
#include "widgets/compare/compare_view.h"
#include "widgets/compare/comparison_export.h"

#include <QApplication>
#include <QSignalSpy>

#include <nlohmann/json.hpp>

namespace qs::tst_comparison_export {

using namespace widgets;
using tests::ComparisonRun;

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
        QVERIFY(!exported(view, folder / "none.png").ok());
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
        QTRY_VERIFY(!view.isBusy());
        const tests::TestFolder folder;
        const auto path = folder / "comparison.png";
        view.referenceHold().setHeld(true);
        const core::Status status = exported(view, path);
        QVERIFY2(status.ok(), status.ok() ? "" : status.error().message.c_str());
        QVERIFY(!view.referenceHold().isHeld());
        QVERIFY(exported(view, folder / "again.png").ok());
        QCOMPARE(tests::readFile(folder / "again.png"), tests::readFile(path));
        const auto picture = core::readPicture(path);
        QVERIFY(picture.ok());
        // Six panes, the map of B among them, in two rows of three.
        QVERIFY(picture.value().width > 3 * 576 && picture.value().width < 4 * 576);
        const std::string bytes = tests::readFile(path);
        const auto texts = core::decodePngTexts(std::as_bytes(std::span(bytes)));
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

    void manyPanesTakeRows()
    {
        QImage image(64, 64, QImage::Format_RGB32);
        image.fill(Qt::gray);
        ExportSheet sheet;
        sheet.pictureSize = image.size();
        const ExportPane pane{
            .title = QStringLiteral("A"), .caption = {}, .image = image, .offset = {}};
        sheet.panes.assign(5, pane);
        const QImage one = renderSheet(sheet);
        sheet.panes.assign(10, pane);
        const QImage two = renderSheet(sheet);
        QCOMPARE(two.width(), one.width());
        QVERIFY(two.height() > one.height() + 512);
        // A caption that is too long for one line takes two and moves the pictures down.
        sheet.panes.front().caption = {QStringLiteral("SSIM 0.99123 · PSNR 41.3 dB · max |Δ| 0.125 "
                                                      "· worst tile 0.8765 · 3.5× noise floor")};
        QVERIFY(renderSheet(sheet).height() > two.height());
    }

private:
    // Exports and waits for the file.
    static core::Status exported(CompareView& view, const std::filesystem::path& path)
    {
        std::optional<core::Status> answer;
        view.exportPng(path, [&](const core::Status& status) { answer = status; });
        const bool came = QTest::qWaitFor([&] { return answer.has_value(); }, 20000);
        return came ? *answer
                    : core::Status(core::Error{core::ErrorCode::Timeout, "no answer came"});
    }

    ComparisonRun m_run;
};

const tests::GuiTest<TestComparisonExport> registered(__FILE_NAME__);

}  // namespace qs::tst_comparison_export

#include "tst_comparison_export.moc"
