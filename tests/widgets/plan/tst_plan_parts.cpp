#include "tests/support/test_folder.h"
#include "tests/widgets/support/screens.h"
#include "widgets/plan/choice_list.h"
#include "widgets/plan/device_chooser.h"
#include "widgets/plan/picture_edit.h"
#include "widgets/plan/preset_edit.h"
#include "widgets/plan/preset_list.h"
#include "widgets/plan/range_edit.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QTest>

using namespace qs;
using namespace qs::widgets;

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
        RangeEdit edit;
        edit.setValues({QStringLiteral("1"), QStringLiteral("2"), QStringLiteral("4")});
        QVERIFY(edit.isValid());
        QSignalSpy edited(&edit, &RangeEdit::valuesEdited);
        QSignalSpy validity(&edit, &RangeEdit::validityChanged);
        auto* message = edit.findChild<QLabel*>(QStringLiteral("rangeMessage"));
        edit.lineEdit()->clear();
        QTest::keyClicks(edit.lineEdit(), QStringLiteral("1..8 pow2"));
        QVERIFY(edit.isValid());
        QCOMPARE(edited.back()[0].toStringList().join(QLatin1Char(' ')), QStringLiteral("1 2 4 8"));
        QCOMPARE(message->text(), QStringLiteral("1, 2, 4, 8"));
        edited.clear();
        QTest::keyClicks(edit.lineEdit(), QStringLiteral("x"));
        QVERIFY(!edit.isValid());
        QVERIFY(edited.isEmpty());
        QVERIFY(!message->text().isEmpty());
        QCOMPARE(edit.lineEdit()->accessibleDescription(), message->text());
        QVERIFY(validity.count() >= 1);
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
        edit.setPictures({.source = "/photos/kodak", .count = 24, .seed = 9});
        QVERIFY(edited.isEmpty());
        QCOMPARE(edit.findChild<QLabel*>(QStringLiteral("picturePath"))->text(),
                 QStringLiteral("kodak"));
        edit.findChild<QSpinBox*>(QStringLiteral("pictureCount"))->setValue(3);
        QCOMPARE(edited.count(), 1);
        const auto pictures = edited[0][0].value<core::PictureSettings>();
        QCOMPARE(pictures.source, std::string("/photos/kodak"));
        QCOMPARE(pictures.count, 3);
        QCOMPARE(pictures.seed, std::int64_t{9});
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
    }
};

QTEST_MAIN(TestPlanParts)
#include "tst_plan_parts.moc"
