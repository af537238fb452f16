#include "tests/support/gui_test.h"
#include "tests/support/test_folder.h"
#include "tests/widgets/support/children.h"
#include "tests/widgets/support/keyboard.h"
#include "tests/widgets/support/mouse.h"
#include "tests/widgets/support/screens.h"
#include "widgets/layout/elided_paragraph.h"
#include "widgets/plan/choice_list.h"
#include "widgets/plan/device_chooser.h"
#include "widgets/plan/picture_edit.h"
#include "widgets/plan/preset_edit.h"
#include "widgets/plan/preset_list.h"
#include "widgets/plan/range_edit.h"
#include "widgets/plan/sweep_choices.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QToolButton>

namespace qs::tst_plan_parts {

using namespace widgets;

namespace {

core::Preset smallPreset()
{
    core::Preset preset;
    preset.axes = {{"precision", {"bf16", "int8dq"}}, {"batch", {"1", "4"}}};
    return preset;
}

core::DeviceDescription gpu()
{
    core::DeviceDescription device;
    device.id = "cuda:0";
    device.name = "NVIDIA H200";
    device.kind = core::DeviceKind::Cuda;
    device.memoryBytes = std::int64_t{141} << 30;
    return device;
}

}  // namespace

class TestPlanParts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnQtWarnings(); }

    void axisOrDefault()
    {
        const core::Preset preset = smallPreset();
        QCOMPARE(axisValues(preset, "batch"),
                 (QStringList{QStringLiteral("1"), QStringLiteral("4")}));
        QCOMPARE(axisValues(preset, "image_size"), QStringList{QStringLiteral("256")});
    }

    void oneValueIsNoAxis()
    {
        core::Preset preset = smallPreset();
        QVERIFY(setAxisValues(preset, "batch", {QStringLiteral("8")}).ok());
        QCOMPARE(preset.axes.size(), std::size_t{1});
        QCOMPARE(preset.defaults.batch, std::int64_t{8});
        QVERIFY(setAxisValues(preset, "batch", {QStringLiteral("2"), QStringLiteral("3")}).ok());
        QCOMPARE(preset.axes.size(), std::size_t{2});
        QCOMPARE(axisValues(preset, "batch"),
                 (QStringList{QStringLiteral("2"), QStringLiteral("3")}));
    }

    void linkedAxisStaysAnAxis()
    {
        core::Preset preset = smallPreset();
        preset.linked = {{"precision", "batch"}};
        QVERIFY(setAxisValues(preset, "batch", {QStringLiteral("8")}).ok());
        QCOMPARE(preset.axes.size(), std::size_t{2});
    }

    void refusedValueChangesNothing()
    {
        core::Preset preset = smallPreset();
        QVERIFY(!setAxisValues(preset, "batch", {QStringLiteral("-1")}).ok());
        QVERIFY(!setAxisValues(preset, "precision", {QStringLiteral("bf16"), QString()}).ok());
        QCOMPARE(axisValues(preset, "batch"),
                 (QStringList{QStringLiteral("1"), QStringLiteral("4")}));
    }

    void rangeEditValidatesAsOneTypes()
    {
        RangeEdit edit("batch");
        edit.setValues({QStringLiteral("1"), QStringLiteral("2"), QStringLiteral("4")});
        QVERIFY(edit.isValid());
        QSignalSpy edited(&edit, &RangeEdit::valuesEdited);
        QSignalSpy validity(&edit, &RangeEdit::validityChanged);
        auto* message = edit.findChild<QLabel*>(QStringLiteral("rangeMessage"));
        QVERIFY(message->text().isEmpty());
        edit.lineEdit()->clear();
        QTest::keyClicks(edit.lineEdit(), QStringLiteral("1..8 pow2"));
        QVERIFY(edit.isValid());
        QCOMPARE(edited.back()[0].toStringList().join(QLatin1Char(' ')), QStringLiteral("1 2 4 8"));
        QVERIFY(edit.findChild<QToolButton*>(QStringLiteral("chip:8")) != nullptr);
        QCOMPARE(edit.lineEdit()->accessibleDescription(), QStringLiteral("1, 2, 4, 8"));
        edited.clear();
        QTest::keyClicks(edit.lineEdit(), QStringLiteral("x"));
        QVERIFY(!edit.isValid());
        QVERIFY(edited.isEmpty());
        QVERIFY(!message->text().isEmpty());
        QCOMPARE(edit.lineEdit()->accessibleDescription(), message->text());
        QVERIFY(validity.count() >= 1);
    }

    void chipsTakeValuesOut()
    {
        RangeEdit edit("batch");
        edit.show();
        edit.setReasons({{"4", "too many"}});
        edit.setValues({QStringLiteral("1"), QStringLiteral("2"), QStringLiteral("4")});
        QSignalSpy edited(&edit, &RangeEdit::valuesEdited);
        auto* grey = edit.findChild<QToolButton*>(QStringLiteral("chip:4"));
        QVERIFY(grey->toolTip().contains(QStringLiteral("too many")));
        QTest::keyClick(grey, Qt::Key_Delete);
        QCOMPARE(edited.back()[0].toStringList(),
                 (QStringList{QStringLiteral("1"), QStringLiteral("2")}));
        edit.findChild<QToolButton*>(QStringLiteral("chip:1"))->click();
        QCOMPARE(edit.lineEdit()->text(), QStringLiteral("2"));
        // A sweep over nothing is no sweep.
        edited.clear();
        edit.findChild<QToolButton*>(QStringLiteral("chip:2"))->click();
        QVERIFY(edited.isEmpty());
    }

    void longTextsEndInTwoLines()
    {
        ElidedParagraph paragraph(2);
        QVERIFY(paragraph.hasHeightForWidth());
        const int line = paragraph.fontMetrics().lineSpacing();
        paragraph.setText(QStringLiteral("short"));
        QCOMPARE(paragraph.heightForWidth(300), line);
        paragraph.setText(QStringLiteral("many words ").repeated(200));
        QCOMPARE(paragraph.heightForWidth(300), 2 * line);
        QCOMPARE(paragraph.heightForWidth(0), 2 * line);
        paragraph.resize(120, 2 * line);
        QVERIFY(!paragraph.grab().isNull());
        paragraph.setText({});
        QVERIFY(paragraph.heightForWidth(300) <= line);
    }

    void aThousandValuesAreNotAThousandChips()
    {
        RangeEdit edit("batch");
        QTest::keyClicks(edit.lineEdit(), QStringLiteral("1..1000"));
        QVERIFY(edit.isValid());
        QTRY_VERIFY(edit.findChildren<QToolButton*>().size() < 50);
    }

    void exclusionsFromText()
    {
        const auto read = [](const char* match, const char* reason) {
            return exclusionFromText(QString::fromUtf8(match), QString::fromUtf8(reason));
        };
        const auto exclusion = read("precision=fp32, bf16/int8dq; batch=32..64 pow2", "too slow");
        QVERIFY2(exclusion.ok(), exclusion.ok() ? "" : exclusion.error().message.c_str());
        QCOMPARE(exclusion.value().match.at("batch"), (std::vector<std::string>{"32", "64"}));
        QCOMPARE(exclusion.value().match.at("precision"),
                 (std::vector<std::string>{"fp32", "bf16/int8dq"}));
        QCOMPARE(exclusion.value().reason, std::string("too slow"));
        const auto again =
            exclusionFromText(exclusionText(exclusion.value()), QStringLiteral("too slow"));
        QVERIFY(again.ok() && again.value().match == exclusion.value().match);
        for (const char* wrong : {"", ";", "colour=red", "batch", "batch=", "batch=0", "batch=x",
                                  "=1", "batch=1; batch=2", "precision=", "precision=a//b"})
            QVERIFY2(!read(wrong, "because").ok(), wrong);
        QVERIFY(read("batch=1", " ").error().message.find("reason") != std::string::npos);
    }

    void impossibleChoicesAreGreyButCanBeChosen()
    {
        ChoiceList list({{QStringLiteral("a"), QStringLiteral("A"), QStringLiteral("first")},
                         {QStringLiteral("b"), QStringLiteral("B"), QStringLiteral("second")}});
        list.setValues({QStringLiteral("a")});
        list.setReasons({{"b", "needs a GPU"}});
        auto* box = list.findChild<QCheckBox*>(QStringLiteral("choice:b"));
        QVERIFY(box->toolTip().contains(QStringLiteral("needs a GPU")));
        QCOMPARE(box->accessibleDescription(), box->toolTip());
        QCOMPARE(box->palette().color(QPalette::WindowText),
                 list.palette().color(QPalette::PlaceholderText));
        box->click();
        QCOMPARE(list.values().size(), qsizetype{2});
        list.setReasons({});
        QCOMPARE(box->toolTip(), QStringLiteral("second"));
        QCOMPARE(box->palette().color(QPalette::WindowText),
                 list.palette().color(QPalette::WindowText));
    }

    void otherGpusCanBePlannedFor()
    {
        DeviceChooser chooser;
        EngineState engine;
        engine.devices = {core::describeCpu()};
        chooser.setEngine(engine);
        chooser.setDevices({QStringLiteral("cpu")});
        const QSignalSpy device(&chooser, &DeviceChooser::deviceEdited);
        const QSignalSpy planned(&chooser, &DeviceChooser::plannedForChosen);
        const int item = chooser.findText(QStringLiteral("NVIDIA L4 (planning only)"));
        QVERIFY(item > 0);
        QVERIFY(chooser.itemData(item, Qt::ToolTipRole)
                    .toString()
                    .contains(QStringLiteral("22.00 GiB of memory, compute capability 8.9")));
        Q_EMIT chooser.activated(item);
        QCOMPARE(planned.count(), 1);
        QVERIFY(device.isEmpty());
        const auto gpu = planned[0][0].value<core::DeviceDescription>();
        QCOMPARE(gpu.name, std::string("NVIDIA L4"));
        chooser.setPlannedFor(&gpu);
        QCOMPARE(chooser.currentText(), QStringLiteral("NVIDIA L4 (planning only)"));
        Q_EMIT chooser.activated(0);
        QCOMPARE(device.count(), 1);
        chooser.setPlannedFor(nullptr);
        QVERIFY(chooser.currentText().startsWith(QStringLiteral("cpu")));
    }

    void lastChoiceCannotBeCleared()
    {
        ChoiceList list({{QStringLiteral("a"), QStringLiteral("A"), QStringLiteral("first")},
                         {QStringLiteral("b"), QStringLiteral("B"), QStringLiteral("second")}});
        list.setValues({QStringLiteral("a")});
        const QSignalSpy edited(&list, &ChoiceList::valuesEdited);
        auto* box = list.findChild<QCheckBox*>(QStringLiteral("choice:a"));
        QCOMPARE(box->toolTip(), QStringLiteral("first"));
        box->click();
        QVERIFY(box->isChecked());
        QVERIFY(edited.isEmpty());
        list.findChild<QCheckBox*>(QStringLiteral("choice:b"))->click();
        QCOMPARE(edited.back()[0].toStringList().size(), qsizetype{2});
    }

    void unknownChoicesAreKept()
    {
        ChoiceList list({{QStringLiteral("a"), QStringLiteral("A"), {}}});
        list.setValues({QStringLiteral("bf16/int8dq"), QStringLiteral("a")});
        QCOMPARE(list.values(), (QStringList{QStringLiteral("a"), QStringLiteral("bf16/int8dq")}));
        list.setValues({QStringLiteral("a")});
        QCOMPARE(list.values(), QStringList{QStringLiteral("a")});
        QCOMPARE(list.findChildren<QCheckBox*>().size(), qsizetype{1});
    }

    // A mode that names many modules has a short label, and all of it in its tip.
    void longChoicesDoNotWidenTheList()
    {
        const auto mode = QStringLiteral(
            "regions:at=decoder_blocks.{0-3}.attn.qkv_proj+decoder_blocks.7.ffn+encoder_blocks.1");
        ChoiceList list({{QStringLiteral("none"), QStringLiteral("eager"), {}}}, nullptr,
                        otherCompileChoice);
        list.setValues({QStringLiteral("none"), mode});
        QCOMPARE(list.values(), (QStringList{QStringLiteral("none"), mode}));
        const auto* box = tests::child<QCheckBox>(list, ("choice:" + mode.toStdString()).c_str());
        QVERIFY(box->text().size() < mode.size());
        QVERIFY(box->accessibleDescription().contains(mode));
        QVERIFY(list.sizeHint().width() < list.fontMetrics().horizontalAdvance(mode));
    }

    void devicesThatAreNotHereAreGrey()
    {
        DeviceChooser chooser;
        EngineState engine;
        engine.kind = EngineState::Kind::Ready;
        engine.devices = {core::describeCpu()};
        engine.problem = QStringLiteral("no NVIDIA driver");
        chooser.setEngine(engine);
        chooser.setDevices({QStringLiteral("cuda:0")});
        const auto* model = qobject_cast<QStandardItemModel*>(chooser.model());
        QCOMPARE(chooser.currentText(), QStringLiteral("cuda:0 (not here)"));
        QVERIFY(!model->item(chooser.currentIndex())->isEnabled());
        QVERIFY(chooser.toolTip().contains(engine.problem));
        const int none = chooser.findText(QStringLiteral("no GPU"));
        QVERIFY(none >= 0 && !model->item(none)->isEnabled());

        engine.devices.push_back(gpu());
        chooser.setEngine(engine);
        QVERIFY(chooser.currentText().contains(QStringLiteral("NVIDIA H200")));
        QVERIFY(model->item(chooser.currentIndex())->isEnabled());
        QCOMPARE(chooser.findText(QStringLiteral("no GPU")), -1);
    }

    void picturesKeepWhatThePresetSays()
    {
        PictureEdit edit;
        const QSignalSpy edited(&edit, &PictureEdit::picturesEdited);
        edit.setPictures({.source = "/photos/kodak", .count = 24});
        QVERIFY(edited.isEmpty());
        QCOMPARE(edit.findChild<QLabel*>(QStringLiteral("picturePath"))->text(),
                 QStringLiteral("kodak"));
        edit.findChild<QSpinBox*>(QStringLiteral("pictureCount"))->setValue(3);
        QCOMPARE(edited.count(), 1);
        const auto pictures = edited[0][0].value<core::PictureSettings>();
        QCOMPARE(pictures.source, std::string("/photos/kodak"));
        QCOMPARE(pictures.count, 3);
    }

    void onlyFilesAreCropped()
    {
        PictureEdit edit;
        edit.show();
        auto* crop = edit.findChild<QComboBox*>(QStringLiteral("pictureCrop"));
        QVERIFY(!crop->isVisible());  // generated pictures are square
        edit.setPictures({.source = "/photos/kodak", .crop = core::PictureCrop::Pad});
        QVERIFY(crop->isVisible());
        QCOMPARE(crop->currentText(), QStringLiteral("Pad"));
        const QSignalSpy edited(&edit, &PictureEdit::picturesEdited);
        QVERIFY(QTest::qWaitForWindowActive(&edit));
        tests::click(*crop);
        tests::press(Qt::Key_Up);
        tests::press(Qt::Key_Return);
        QCOMPARE(edited.count(), 1);
        const auto pictures = edited[0][0].value<core::PictureSettings>();
        QCOMPARE(pictures.crop, core::PictureCrop::Center);
        QCOMPARE(pictures.source, std::string("/photos/kodak"));
        for (int i = 0; i < crop->count(); ++i)
            QVERIFY(!crop->itemData(i, Qt::ToolTipRole).toString().isEmpty());
    }

    void presetsAreListedQuickStartsFirst()
    {
        const tests::TestFolder folder;
        std::filesystem::create_directories(folder / "vitok");
        std::filesystem::create_directories(folder / "quick_start");
        const char* preset =
            R"({"schema_version": 1, "name": "NAME", "description": "d", "defaults": {"model": "demo"}})";
        tests::writeFile((folder / "vitok") / "a.json", preset);
        tests::writeFile((folder / "quick_start") / "z.json", preset);
        tests::writeFile((folder / "quick_start") / "bad.json", "{");
        tests::writeFile(folder / "sweep.schema.json", "{}");
        const auto entries = listPresets(folder.path());
        QCOMPARE(entries.size(), std::size_t{3});
        QCOMPARE(entries[0].group, QStringLiteral("quick start"));
        QCOMPARE(entries[0].name, QStringLiteral("NAME"));
        QCOMPARE(entries[1].name, QStringLiteral("bad"));
        QVERIFY(!entries[1].problem.isEmpty());
        QCOMPARE(entries[2].group, QStringLiteral("vitok"));
        QVERIFY(listPresets(folder / "nowhere").empty());
        QCOMPARE(entries[0].contents, QStringLiteral("demo on cpu · 1 cell · 5 repeats"));
    }

    void linkedAxesCountOnce()
    {
        const auto cross =
            readPresetEntry(tests::dataFile("../presets/olmoearth/int8_batch_cross.json"));
        QCOMPARE(cross.contents,
                 QStringLiteral("olmoearth:base on cuda:0 · 2 combinations of precision, layer "
                                "filter, compile mode, attention kernel × 3 batch sizes · 3 "
                                "repeats"));
    }

    void ownPresetsAreKeptByName()
    {
        const tests::TestFolder folder;
        core::Preset preset = smallPreset();
        preset.name = "My sweep: ../β/1";
        preset.defaults.model = "demo";
        preset.defaults.precision = {"bf16"};
        const auto saved = savePreset(folder / "own", preset);
        QVERIFY(saved.ok());
        QCOMPARE(saved.value().parent_path(), folder / "own");
        QCOMPARE(core::readPreset(saved.value()).value().name, preset.name);
        QVERIFY(savePreset(folder / "own", preset).ok());
        QCOMPARE(listPresets(folder / "own").size(), std::size_t{1});
        // Taken in from elsewhere, unless the name is taken.
        QVERIFY(!importPreset(folder / "own", folder / "missing.json").ok());
        tests::writeFile(folder / "broken.json", R"({"schema_version": 1, "name": "x",
            "defaults": {"model": "demo"}, "axes": {"batch": [0]}})");
        const auto broken = importPreset(folder / "own", folder / "broken.json");
        QVERIFY(!broken.ok());
        QVERIFY(broken.error().message.find("$.axes.batch[0]") != std::string::npos);
        tests::writeFile(folder / "copy.json", tests::readFile(saved.value()));
        QVERIFY(!importPreset(folder / "own", folder / "copy.json").ok());
        QVERIFY(importPreset(folder / "other", folder / "copy.json").ok());
        QVERIFY(!deletePreset(folder / "own", folder / "copy.json").ok());
        QVERIFY(std::filesystem::exists(folder / "copy.json"));
        QVERIFY(deletePreset(folder / "own", saved.value()).ok());
        QVERIFY(!std::filesystem::exists(saved.value()));
        QVERIFY(!deletePreset(folder / "own", saved.value()).ok());
    }
};

const tests::GuiTest<TestPlanParts> registered(__FILE_NAME__);

}  // namespace qs::tst_plan_parts

#include "tst_plan_parts.moc"
