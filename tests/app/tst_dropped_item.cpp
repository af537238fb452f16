#include "app/gui/dropped_item.h"
#include "app/gui/gathered_images.h"
#include "app/gui/new_run_folder.h"
#include "core/base/json.h"
#include "core/image/png_codec.h"
#include "tests/support/gui_test.h"
#include "tests/support/test_folder.h"
#include "widgets/compare/comparison_export.h"
#include "widgets/plot/curve_export.h"

#include <QImage>
#include <QRegularExpression>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <vector>

namespace qs::tst_dropped_item {

using namespace core;
using app::classifyItem;
using app::DroppedItem;
using app::embeddedPreset;
using app::mayHoldPreset;
using app::newRunFolder;

namespace {

QImage withText(QImage image, const std::string& preset)
{
    image.setText(QString::fromLatin1(widgets::kPresetKeyword), widgets::asciiJson(preset));
    return image;
}

}  // namespace

class TestDroppedItem : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void files_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("expected");
        QTest::newRow("preset") << QStringLiteral("sweep.json") << int(DroppedItem::Preset);
        QTest::newRow("weights") << QStringLiteral("encoder.safetensors")
                                 << int(DroppedItem::Model);
        QTest::newRow("export") << QStringLiteral("network.pt2") << int(DroppedItem::Model);
        // Which says what it is and how to convert it.
        QTest::newRow("pickle") << QStringLiteral("weights.PTH") << int(DroppedItem::Model);
        QTest::newRow("onnx") << QStringLiteral("network.onnx") << int(DroppedItem::Model);
        QTest::newRow("png") << QStringLiteral("a.PNG") << int(DroppedItem::Pictures);
        QTest::newRow("jpeg") << QStringLiteral("a.jpeg") << int(DroppedItem::Pictures);
        QTest::newRow("other") << QStringLiteral("a.txt") << int(DroppedItem::Unknown);
        QTest::newRow("none") << QStringLiteral("name") << int(DroppedItem::Unknown);
    }
    void files()
    {
        QFETCH(QString, name);
        QFETCH(int, expected);
        const auto path = m_folder / name.toStdString();
        qs::tests::writeFile(path, "");
        QCOMPARE(int(classifyItem(path)), expected);
    }

    void folders()
    {
        QCOMPARE(classifyItem(make("empty", {})), DroppedItem::Unknown);
        QCOMPARE(classifyItem(make("run", {"journal.jsonl", "plan.json"})), DroppedItem::RunFolder);
        QCOMPARE(classifyItem(make("packed", {"journal.jsonl.gz", "plan.json"})),
                 DroppedItem::RunFolder);
        QCOMPARE(classifyItem(make("photos", {"a.jpg", "notes.txt"})), DroppedItem::Pictures);
        QCOMPARE(classifyItem(make("model", {"card.png", "decoder.safetensors"})),
                 DroppedItem::Model);
        QCOMPARE(classifyItem(make("presets", {"a.json"})), DroppedItem::Unknown);
    }

    void missing() { QCOMPARE(classifyItem(m_folder / "nowhere.json"), DroppedItem::Unknown); }

    void pictureWithAPreset()
    {
        Preset preset;
        preset.name = "Ünïcode × sweep";
        preset.defaults.model = "demo";
        preset.defaults.precision = {"bf16"};
        preset.axes = {{.name = "batch", .values = {"1", "4"}}};
        const std::string text = canonicalText(toJson(preset));
        // As the window writes figures, and as it writes comparisons.
        QImage figure(40, 30, QImage::Format_RGB32);
        figure.fill(Qt::white);
        const auto path = m_folder / "figure.PNG";
        QVERIFY(widgets::writeFigure({.format = widgets::ExportFormat::Png,
                                      .image = withText(figure, text),
                                      .bytes = {}},
                                     path)
                    .ok());
        QVERIFY(mayHoldPreset(path));
        const auto found = embeddedPreset(path);
        QVERIFY2(found.ok(), found.ok() ? "" : found.error().message.c_str());
        QVERIFY(found.value().has_value());
        QCOMPARE(found.value()->name, preset.name);
        QCOMPARE(found.value()->axes.size(), std::size_t{1});
        const auto sheet = m_folder / "sheet.png";
        const auto bytes =
            encodePng(makePicture(8, 8, 3), {{widgets::kPresetKeyword, text}, {"Other", "x"}});
        qs::tests::writeFile(sheet, bytes.value());
        QCOMPARE(embeddedPreset(sheet).value()->name, preset.name);
    }

    void picturesWithoutAPreset()
    {
        QImage plain(8, 8, QImage::Format_RGB32);
        plain.fill(Qt::red);
        const auto path = m_folder / "plain.png";
        QVERIFY(plain.save(QString::fromStdString(path.string())));
        QVERIFY(embeddedPreset(path).ok());
        QVERIFY(!embeddedPreset(path).value());
        // What is no PNG, or a damaged one, is left to whoever reads its pixels.
        for (const std::string& content :
             {std::string(), std::string("text"), std::string("\x89PNG\r\n\x1a\n")}) {
            qs::tests::writeFile(m_folder / "damaged.png", content);
            QVERIFY(embeddedPreset(m_folder / "damaged.png").ok());
            QVERIFY(!embeddedPreset(m_folder / "damaged.png").value());
        }
        QVERIFY(!embeddedPreset(m_folder / "nowhere.png").ok());
        QVERIFY(!mayHoldPreset(m_folder / "nowhere.png"));
        QVERIFY(!mayHoldPreset(m_folder.path()));
    }

    void hostilePresetIsAnError()
    {
        const auto path = m_folder / "hostile.png";
        for (const char* text : {"{", "[]", R"({"schema_version": 1, "colour": 2})"}) {
            qs::tests::writeFile(
                path, encodePng(makePicture(2, 2, 3), {{widgets::kPresetKeyword, text}}).value());
            const auto found = embeddedPreset(path);
            QVERIFY2(!found.ok(), text);
            QVERIFY(found.error().message.find("hostile.png") != std::string::npos);
        }
    }

    // Images of several folders, two of one name, become one source in the order given.
    void imagesAreGathered()
    {
        const auto first = make("gather1", {"b.png", "a.png"});
        const auto second = make("gather2", {"b.png"});
        const auto place = m_folder / "gathered";
        const auto folder =
            app::gatherImages({first / "b.png", first / "a.png", second / "b.png"}, place);
        QVERIFY(folder.ok());
        std::vector<std::filesystem::path> targets;
        std::vector<std::filesystem::path> names;
        for (const auto& entry : std::filesystem::directory_iterator(folder.value()))
            names.push_back(entry.path());
        std::sort(names.begin(), names.end());
        for (const auto& name : names)
            targets.push_back(std::filesystem::read_symlink(name));
        QCOMPARE(targets, (std::vector<std::filesystem::path>{first / "b.png", first / "a.png",
                                                              second / "b.png"}));
        // Those of the next time stay apart, within the same second too.
        const auto next = app::gatherImages({first / "a.png"}, place);
        QVERIFY(next.ok() && next.value() != folder.value());
        QVERIFY(!app::gatherImages({first / "a.png"}, first / "b.png").ok());
    }

    void newFolderHasAReadableName()
    {
        const auto folder = newRunFolder(m_folder / "runs", QStringLiteral("Demo: on the CPU!"));
        QVERIFY(folder.ok());
        static const QRegularExpression pattern(QStringLiteral("^\\d{8}-\\d{6}-demo-on-the-cpu$"));
        QVERIFY(
            pattern.match(QString::fromStdString(folder.value().filename().string())).hasMatch());
        QVERIFY(std::filesystem::is_directory(m_folder / "runs"));
        QVERIFY(!std::filesystem::exists(folder.value()));
    }

    void newFolderNeedsAPlace()
    {
        qs::tests::writeFile(m_folder / "file", "");
        const auto folder = newRunFolder((m_folder / "file") / "runs", QStringLiteral("x"));
        QVERIFY(!folder.ok());
        QVERIFY(folder.error().message.find("cannot create the folder") != std::string::npos);
    }

    void newFolderWithoutAName()
    {
        const auto folder = newRunFolder(m_folder / "runs", QStringLiteral("…"));
        QVERIFY(folder.ok());
        QVERIFY(folder.value().filename().string().ends_with("-run"));
    }

private:
    std::filesystem::path make(const std::string& name, const std::vector<std::string>& files) const
    {
        const auto folder = m_folder / name;
        std::filesystem::create_directories(folder);
        for (const std::string& file : files)
            qs::tests::writeFile(folder / file, "");
        return folder;
    }

    qs::tests::TestFolder m_folder;
};

const tests::GuiTest<TestDroppedItem> registered(__FILE_NAME__);

}  // namespace qs::tst_dropped_item

#include "tst_dropped_item.moc"
