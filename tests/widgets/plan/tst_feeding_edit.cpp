#include "core/base/files.h"
#include "core/model/catalogue.h"
#include "core/model/tensor_file.h"
#include "tests/support/gui_test.h"
#include "tests/support/safetensors_writer.h"
#include "tests/support/small_program.h"
#include "tests/support/test_folder.h"
#include "tests/widgets/support/children.h"
#include "tests/widgets/support/cpu_engine.h"
#include "tests/widgets/support/keyboard.h"
#include "tests/widgets/support/mouse.h"
#include "tests/widgets/support/places.h"
#include "tests/widgets/support/screens.h"
#include "widgets/plan/feed_fields.h"
#include "widgets/plan/feeding_edit.h"
#include "widgets/plan/fold_section.h"
#include "widgets/plan/input_feed_edit.h"
#include "widgets/plan/model_part.h"
#include "widgets/plan/picture_edit.h"
#include "widgets/plan/plan_panel.h"

#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>

#include <array>
#include <cstring>

namespace qs::tst_feeding_edit {

using namespace widgets;
using tests::child;
using tests::click;

namespace {

constexpr int kPlanMs = 20'000;

// A plan with the small exported program as its model.
class FedPlan final
{
public:
    FedPlan() : panel(std::filesystem::path("resources"))
    {
        tests::writeSmallProgram(folder / "small.pt2");
        core::Preset preset;
        preset.name = "Fed";
        preset.defaults.model = (folder / "small.pt2").string();
        preset.defaults.precision = {"bf16"};
        panel.resize(420, 900);
        panel.show();
        panel.draft().open(preset);
        panel.setEngine(tests::cpuEngine());
    }
    [[nodiscard]] bool settles() const
    {
        return QTest::qWaitFor([this] { return panel.isSettled(); }, kPlanMs);
    }
    [[nodiscard]] QWidget& row(const char* input) const
    {
        return *child<QWidget>(panel, (std::string("input:") + input).c_str());
    }
    [[nodiscard]] QString message(const char* input) const
    {
        const auto* label = child<QLabel>(row(input), "feedMessage");
        return label->isVisible() ? label->text() : QString();
    }
    [[nodiscard]] const core::ModelFeeding& feeding() const { return panel.preset().feeding; }
    [[nodiscard]] std::string fed(const char* input) const
    {
        const auto found = feeding().inputs.find(input);
        return found == feeding().inputs.end() ? std::string() : core::inputFeedText(found->second);
    }
    std::string write(const char* name, std::string_view bytes) const
    {
        tests::writeFile(folder / name, bytes);
        return (folder / name).string();
    }

    tests::TestFolder folder;
    PlanPanel panel;
};

// Opens the list by a click and goes to the line of that number.
void choose(QComboBox& box, int index)
{
    click(box);
    QTRY_VERIFY(box.view()->isVisible());
    tests::press(Qt::Key_Home);
    for (int i = 0; i < index; ++i)
        tests::press(Qt::Key_Down);
    tests::press(Qt::Key_Return);
    QTRY_VERIFY(!box.view()->isVisible());
    QCOMPARE(box.currentIndex(), index);
}

void chooseKind(const FedPlan& plan, const char* input, FeedKind kind)
{
    auto* box = child<QComboBox>(plan.row(input), "feedKind");
    choose(*box, box->findData(QVariant::fromValue(kind)));
}

// Clicks into the line and types over what stands there.
void enter(const QWidget& row, const char* field, const QString& text)
{
    auto* line = child<QLineEdit>(row, field);
    click(*line);
    tests::press(Qt::Key_A, Qt::ControlModifier);
    tests::type(text);
    QCOMPARE(line->text(), text);
}

std::string npy(std::vector<std::int64_t> shape, std::vector<std::int64_t> values)
{
    return core::encodeNpy({std::move(shape), std::move(values)});
}

}  // namespace

class TestFeedingEdit : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        tests::setUpWidgets();
        QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    }
    void init() { tests::failOnQtWarnings(); }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    void aModelThatSaysNothingIsAsked()
    {
        FedPlan plan;
        QVERIFY(plan.settles());
        const auto* section = child<FoldSection>(plan.panel, "feedingSection");
        QVERIFY(section->isVisible());
        QVERIFY(section->isOpen());
        QVERIFY(plan.feeding().empty());
        QVERIFY(child<QLabel>(plan.row("image"), "inputType")
                    ->text()
                    .startsWith(QStringLiteral("float32 [batch, 3, 32, 32]")));
        QVERIFY(child<QLabel>(plan.row("ids"), "inputType")
                    ->text()
                    .startsWith(QStringLiteral("int64 [batch, 4]")));
        QVERIFY(child<QComboBox>(plan.panel, "weightsBox")->isVisible());
        QCOMPARE(child<QComboBox>(plan.panel, "judgedOutput")->count(), 2);
        tests::screenshot(plan.panel, QStringLiteral("feeding-unanswered"));
    }

    // Whichever comes first, and while the model is still read.
    void imagesThatAreGivenAreFed()
    {
        FedPlan plan;
        const std::string images = (plan.folder / "images").string();
        std::filesystem::create_directory(images);
        plan.panel.setPictureSource(QString::fromStdString(images));
        QVERIFY(plan.feeding().empty());
        QTRY_COMPARE_WITH_TIMEOUT(plan.fed("image"), std::string("images"), kPlanMs);
        QVERIFY(plan.settles());
        QCOMPARE(plan.feeding().inputs.size(), 1U);
        QCOMPARE(plan.feeding().trained, std::optional(true));
        QCOMPARE(child<QComboBox>(plan.panel, "weightsBox")->currentIndex(), 1);
        QVERIFY(plan.panel.findChild<PictureEdit*>()->isVisible());
        // Who says otherwise is not overruled.
        chooseKind(plan, "image", FeedKind::Random);
        QVERIFY(plan.settles());
        plan.panel.setPictureSource(QString::fromStdString(images));
        QVERIFY(plan.settles());
        QVERIFY(std::holds_alternative<core::RandomFeed>(plan.feeding().inputs.at("image")));
    }

    void imagesHaveRangeMeanStdOrderAndLayout()
    {
        FedPlan plan;
        QVERIFY(plan.settles());
        chooseKind(plan, "image", FeedKind::Images);
        QCOMPARE(plan.fed("image"), std::string("images"));
        const QWidget& row = plan.row("image");
        enter(row, "feed:white", QStringLiteral("255"));
        enter(row, "feed:mean", QStringLiteral("1, 2, 3"));
        enter(row, "feed:std", QStringLiteral("4"));
        choose(*child<QComboBox>(row, "feed:channels"), 1);
        QCOMPARE(plan.fed("image"),
                 std::string("images:range=0..255:mean=1,2,3:std=4:channels=bgr"));
        QVERIFY(plan.settles());
        QCOMPARE(plan.message("image"), QString());
        QVERIFY(plan.panel.canRun());
        // Its last dimension has no three channels.
        choose(*child<QComboBox>(row, "feed:layout"), 1);
        QVERIFY(plan.settles());
        QVERIFY(!plan.message("image").isEmpty());
        QVERIFY(!plan.panel.canRun());
        choose(*child<QComboBox>(row, "feed:layout"), 0);
        // What is half typed is no feed, and the draft keeps the last one.
        enter(row, "feed:mean", QStringLiteral("1, 2"));
        QVERIFY(!plan.message("image").isEmpty());
        QVERIFY(!plan.panel.canRun());
        QVERIFY(plan.fed("image").find("channels=bgr") != std::string::npos);
        tests::type(QStringLiteral(", 3"));
        QVERIFY(plan.settles());
        QVERIFY(plan.panel.canRun());
        tests::screenshot(plan.panel, QStringLiteral("feeding-images"));
    }

    void randomValuesHaveADistribution()
    {
        FedPlan plan;
        QVERIFY(plan.settles());
        chooseKind(plan, "noise", FeedKind::Random);
        const QWidget& row = plan.row("noise");
        enter(row, "feed:first", QStringLiteral("-2"));
        enter(row, "feed:second", QStringLiteral("3"));
        QCOMPARE(plan.fed("noise"), std::string("uniform:range=-2..3"));
        choose(*child<QComboBox>(row, "feed:distribution"), 1);
        QCOMPARE(plan.fed("noise"), std::string("normal:mean=0:std=1"));
        enter(row, "feed:second", QStringLiteral("0"));
        QVERIFY(!plan.message("noise").isEmpty());
        QCOMPARE(plan.fed("noise"), std::string("normal:mean=0:std=1"));
        choose(*child<QComboBox>(row, "feed:distribution"), 0);
        QCOMPARE(plan.fed("noise"), std::string("uniform:range=-2..3"));
        // Whole numbers have no normal distribution: that is the model's word.
        chooseKind(plan, "ids", FeedKind::Random);
        choose(*child<QComboBox>(plan.row("ids"), "feed:distribution"), 1);
        QVERIFY(plan.settles());
        QVERIFY(!plan.message("ids").isEmpty());
        // The model's own values again.
        chooseKind(plan, "ids", FeedKind::Default);
        chooseKind(plan, "noise", FeedKind::Default);
        QVERIFY(plan.settles());
        QVERIFY(plan.feeding().empty());
        QVERIFY(plan.panel.canRun());
    }

    void filesAreReadAndHaveToFit()
    {
        FedPlan plan;
        QVERIFY(plan.settles());
        chooseKind(plan, "ids", FeedKind::File);
        QVERIFY(!plan.message("ids").isEmpty());
        QVERIFY2(plan.feeding().empty(), "no file is chosen yet");
        QVERIFY(!plan.panel.canRun());
        const std::string good = plan.write("ids.npy", npy({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}));
        const std::string wide = plan.write("wide.npy", npy({1, 5}, {1, 2, 3, 4, 5}));
        const std::string lines = plan.write("ids.txt", "1 2 3 4\n5 6 7 8\n");
        const auto says = [&](const std::string& path) {
            enter(plan.row("ids"), "feed:file", QString::fromStdString(path));
            return plan.settles() && !plan.message("ids").isEmpty();
        };
        QVERIFY(says((plan.folder / "nowhere.npy").string()));
        QVERIFY(!plan.panel.canRun());
        QVERIFY(says(wide));
        QVERIFY(!says(lines));
        QVERIFY(plan.panel.canRun());
        // Chosen in the dialog.
        click(*child<QToolButton>(plan.row("ids"), "choose:feed:file"));
        auto* dialog = child<QFileDialog>(plan.panel, "fedFileDialog");
        QVERIFY(QTest::qWaitForWindowActive(dialog));
        click(*child<QLineEdit>(*dialog, "fileNameEdit"));
        tests::press(Qt::Key_A, Qt::ControlModifier);
        tests::type(QString::fromStdString(good));
        tests::press(Qt::Key_Return);
        QTRY_COMPARE(plan.fed("ids"), "file:" + good);
        QVERIFY(plan.settles());
        QCOMPARE(plan.message("ids"), QString());
    }

    void tensorsOfAnArchiveHaveNames()
    {
        FedPlan plan;
        QVERIFY(plan.settles());
        const std::array<float, 16> values{};
        const std::vector<tests::TensorToWrite> tensors{
            {"a", core::StoredType::F32, {1, 16}, std::as_bytes(std::span(values))},
            {"b", core::StoredType::F32, {16}, std::as_bytes(std::span(values))}};
        QVERIFY(tests::writeSafetensors(plan.folder / "all.safetensors", tensors).ok());
        chooseKind(plan, "noise", FeedKind::File);
        const std::string path = (plan.folder / "all.safetensors").string();
        enter(plan.row("noise"), "feed:file", QString::fromStdString(path));
        QVERIFY(plan.settles());
        QVERIFY2(!plan.message("noise").isEmpty(), "which of the two?");
        enter(plan.row("noise"), "feed:tensor", QStringLiteral("b"));
        QVERIFY(plan.settles());
        QVERIFY2(!plan.message("noise").isEmpty(), "another shape");
        enter(plan.row("noise"), "feed:tensor", QStringLiteral("a"));
        QVERIFY(plan.settles());
        QCOMPARE(plan.message("noise"), QString());
        QCOMPARE(plan.fed("noise"), "file:" + path + "#a");
    }

    void textHasATokenizerAndAPad()
    {
        FedPlan plan;
        QVERIFY(plan.settles());
        const std::string prompts = plan.write("prompts.txt", "The quick brown fox jumps\nIt\n");
        const std::string tokenizer =
            tests::dataFile("golden/tokenizers/gpt2.tokenizer.json").string();
        chooseKind(plan, "ids", FeedKind::Text);
        const QWidget& row = plan.row("ids");
        enter(row, "feed:prompts", QString::fromStdString(prompts));
        QVERIFY2(plan.feeding().empty(), "no tokenizer is chosen yet");
        enter(row, "feed:tokenizer", QString::fromStdString(tokenizer));
        QVERIFY(plan.settles());
        QVERIFY2(!plan.message("ids").isEmpty(), "the second prompt is too short");
        enter(row, "feed:pad", QStringLiteral("x"));
        QVERIFY(!plan.message("ids").isEmpty());
        enter(row, "feed:pad", QStringLiteral("0"));
        QVERIFY(plan.settles());
        QCOMPARE(plan.message("ids"), QString());
        QCOMPARE(plan.fed("ids"), "text:" + prompts + ":tokenizer=" + tokenizer + ":pad=0");
        QVERIFY(plan.panel.canRun());
        // Where nothing is filled up there is nothing to fill with.
        auto* length = child<QComboBox>(row, "feed:length");
        QVERIFY(child<QLineEdit>(row, "feed:pad")->isVisible());
        for (const auto& [index, option] :
             {std::pair(1, ":length=own"), std::pair(2, ":cut=pieces")}) {
            choose(*length, index);
            QCOMPARE(plan.fed("ids"), "text:" + prompts + ":tokenizer=" + tokenizer + option);
            QVERIFY(!child<QLineEdit>(row, "feed:pad")->isVisible());
        }
        choose(*length, 0);
        QCOMPARE(plan.fed("ids"), "text:" + prompts + ":tokenizer=" + tokenizer + ":pad=0");
        QVERIFY(plan.settles());
        QVERIFY(plan.panel.canRun());
        // A row of numbers takes no text.
        chooseKind(plan, "noise", FeedKind::Text);
        enter(plan.row("noise"), "feed:prompts", QString::fromStdString(prompts));
        enter(plan.row("noise"), "feed:tokenizer", QString::fromStdString(tokenizer));
        QVERIFY(plan.settles());
        QVERIFY(!plan.message("noise").isEmpty());
        QCOMPARE(plan.message("ids"), QString());
    }

    // As Hugging Face lays it beside the weights; what was typed stays.
    void theTokenizerOfTheModelIsFound()
    {
        FedPlan plan;
        QVERIFY(plan.settles());
        const std::string tokenizer = plan.write("tokenizer.json", "{}");
        tests::writeSmallProgram(plan.folder / "other.pt2");
        plan.panel.setModel(QString::fromStdString((plan.folder / "other.pt2").string()));
        QVERIFY(plan.settles());
        chooseKind(plan, "ids", FeedKind::Text);
        const QWidget& row = plan.row("ids");
        QCOMPARE(child<QLineEdit>(row, "feed:tokenizer")->text().toStdString(), tokenizer);
        const std::string prompts = plan.write("prompts.txt", "It\n");
        enter(row, "feed:prompts", QString::fromStdString(prompts));
        QCOMPARE(plan.fed("ids"), "text:" + prompts + ":tokenizer=" + tokenizer);
        chooseKind(plan, "ids", FeedKind::Default);
        chooseKind(plan, "ids", FeedKind::Text);
        QCOMPARE(child<QLineEdit>(row, "feed:prompts")->text().toStdString(), prompts);
    }

    // Which images, and how many, is asked where some go into the model.
    void imagesAreAskedForWhereTheyAreTaken()
    {
        FedPlan plan;
        QVERIFY(plan.settles());
        const auto* pictures = plan.panel.findChild<PictureEdit*>();
        QVERIFY(!pictures->isVisible());
        QVERIFY(!plan.panel.takesImages());
        chooseKind(plan, "image", FeedKind::Images);
        QVERIFY(plan.settles());
        QVERIFY(pictures->isVisible());
        chooseKind(plan, "image", FeedKind::Default);
        QVERIFY(plan.settles());
        QVERIFY(!pictures->isVisible());
        plan.panel.setModel(QStringLiteral("vitok:w8_d2_h2-w16_d3_h1/1x2x4"));
        QVERIFY(plan.settles());
        QVERIFY(pictures->isVisible());
    }

    // Of several models as of one, and all are fed alike.
    void severalModelsOfTextsAskForTexts()
    {
        FedPlan plan;
        const auto* pictures = plan.panel.findChild<PictureEdit*>();
        const auto* section = child<FoldSection>(plan.panel, "feedingSection");
        const QString text = QStringLiteral("llama:w8_d1_h1_k1_f8_v80");
        const QString wide = QStringLiteral("llama:w16_d1_h1_k1_f8_v80");
        const auto show = [&](const QStringList& models) {
            core::Preset preset = plan.panel.preset();
            QVERIFY(setAxisValues(preset, "model", models).ok());
            plan.panel.draft().open(preset);
            QVERIFY(plan.settles());
        };
        show({text, wide});
        QVERIFY(!pictures->isVisible());
        QVERIFY(section->isVisible());
        QVERIFY(plan.panel.findChild<QWidget*>(QStringLiteral("input:tokens")) != nullptr);
        show({text, QStringLiteral("vitok:w8_d2_h2-w16_d3_h1/1x2x4"), wide});
        QVERIFY(pictures->isVisible());
        QVERIFY(!section->isVisible());
        show({wide, text});
        QVERIFY(!pictures->isVisible());
        show({QStringLiteral("vitok:w8_d2_h2-w16_d3_h1/1x2x4")});
        QVERIFY(pictures->isVisible());
    }

    // "Not said: random" would be wrong of what the images of the plan go into.
    void aModelOfImagesAsksForNoInput()
    {
        FeedingEdit edit;
        core::Preset preset;
        preset.feeding.labels = "/data/labels.txt";
        edit.setInspection(std::make_shared<core::ModelInspection>(
            core::inspectModel("resnet:10/8", {}, preset.defaults.seed)));
        edit.showPreset(preset);
        QTRY_VERIFY(!edit.isBusy());
        QVERIFY(edit.isNeeded());
        QVERIFY(edit.findChildren<InputFeedEdit*>().isEmpty());
        QVERIFY(!edit.problem().isEmpty());
    }

    void weightsAndTheJudgedOutputAreSaid()
    {
        FedPlan plan;
        QVERIFY(plan.settles());
        choose(*child<QComboBox>(plan.panel, "weightsBox"), 1);
        QCOMPARE(plan.feeding().trained, std::optional(true));
        auto* output = child<QComboBox>(plan.panel, "judgedOutput");
        choose(*output, output->findData(QStringLiteral("output_1")));
        auto* kind = child<QComboBox>(plan.panel, "outputKind");
        QVERIFY(plan.settles());
        QVERIFY2(kind->itemText(0).contains(kind->itemText(
                     kind->findData(QVariant::fromValue(core::OutputKind::Classes)))),
                 "what the file shows of it");
        choose(*kind, kind->findData(QVariant::fromValue(core::OutputKind::Embedding)));
        QVERIFY(plan.settles());
        QCOMPARE(plan.feeding().judged, std::string("output_1"));
        QCOMPARE(plan.feeding().outputKind, std::optional(core::OutputKind::Embedding));
        QVERIFY(plan.panel.planned().plan().has_value());
        QCOMPARE(plan.panel.planned().plan()->cells.front().output, core::OutputKind::Embedding);
        // Which classes are right is asked for where there can be any.
        auto* labels = child<QLineEdit>(plan.panel, "labelsFile");
        QVERIFY(labels->isVisible());
        enter(plan.panel, "labelsFile", QStringLiteral("/data/labels.txt"));
        QCOMPARE(plan.feeding().labels, std::string("/data/labels.txt"));
        QVERIFY(plan.settles());
        const auto* message = child<QLabel>(plan.panel, "labelsMessage");
        QVERIFY2(!message->text().isEmpty(), "there is no such file");
        QVERIFY(!plan.panel.canRun());
        tests::press(Qt::Key_A, Qt::ControlModifier);
        tests::press(Qt::Key_Delete);
        QVERIFY(plan.feeding().labels.empty());
        QVERIFY(plan.settles());
        QVERIFY(message->text().isEmpty());
        // Ten scores are no image.
        choose(*kind, kind->findData(QVariant::fromValue(core::OutputKind::Image)));
        QVERIFY(plan.settles());
        QVERIFY(!child<QLabel>(plan.panel, "outputMessage")->text().isEmpty());
        QVERIFY(!plan.panel.canRun());
        choose(*child<QComboBox>(plan.panel, "weightsBox"), 0);
        QVERIFY(!plan.feeding().trained.has_value());
    }

    void stagesBeginWithModules()
    {
        FedPlan plan;
        QVERIFY(plan.settles());
        auto* module = child<QComboBox>(plan.panel, "stageModule");
        const auto add = [&](const char* name, const char* first) {
            enter(plan.panel, "feed:stage", QString::fromLatin1(name));
            choose(*module, module->findText(QString::fromLatin1(first)));
            click(*child<QToolButton>(plan.panel, "addStage"));
        };
        // In the order of the program, whatever is added first.
        add("back", "decoder");
        add("front", "encoder");
        QVERIFY(plan.settles());
        QCOMPARE(plan.feeding().stages,
                 (std::vector<core::StageCut>{{"front", "encoder"}, {"back", "decoder"}}));
        QVERIFY(plan.panel.canRun());
        QVERIFY(child<QLabel>(plan.panel, "stageMessage")->text().isEmpty());
        add("front", "head");
        QVERIFY(plan.settles());
        QVERIFY2(!child<QLabel>(plan.panel, "stageMessage")->text().isEmpty(), "two of one name");
        const auto remove =
            plan.panel.findChildren<QToolButton*>(QStringLiteral("remove:stageCut"));
        QCOMPARE(remove.size(), qsizetype{3});
        click(*remove.back());
        QVERIFY(plan.settles());
        QCOMPARE(plan.feeding().stages.size(), std::size_t{2});
        QVERIFY(plan.panel.canRun());
    }

    // What is said of a field has a line of its own, whether there is anything to say or not.
    void messagesMoveNothing()
    {
        FedPlan plan;
        QVERIFY(plan.settles());
        chooseKind(plan, "noise", FeedKind::Random);
        QVERIFY(plan.settles());
        const tests::PlacesOfPart places(*plan.panel.findChild<ModelPart*>(), 15);
        const auto says = [&](const char* field, const char* text) {
            enter(plan.row("noise"), field, QString::fromLatin1(text));
            return plan.settles() && !plan.message("noise").isEmpty();
        };
        QVERIFY(says("feed:second", "-7"));
        QCOMPARE(places.moved(), QString());
        QVERIFY(!says("feed:second", "9"));
        QCOMPARE(places.moved(), QString());
        auto* kind = child<QComboBox>(plan.panel, "outputKind");
        choose(*kind, kind->findData(QVariant::fromValue(core::OutputKind::Image)));
        QVERIFY(plan.settles());
        const auto* wrong = child<QLabel>(plan.panel, "outputMessage");
        QVERIFY(!wrong->text().isEmpty());
        QCOMPARE(places.moved(), QString());
        // What does not fit is in the tool tip.
        QVERIFY(!wrong->toolTip().isEmpty());
        click(*child<QToolButton>(plan.panel, "addStage"));
        QVERIFY(!child<QLabel>(plan.panel, "stageMessage")->text().isEmpty());
        QCOMPARE(places.moved(), QString());
    }

    // Fields that come and go leave no holes between the others.
    void thePartIsAsHighAsItNeeds()
    {
        FedPlan plan;
        QVERIFY(plan.settles());
        const QWidget* part = plan.panel.findChild<ModelPart*>();
        QTRY_COMPARE(part->height(), part->heightForWidth(part->width()));
        const int before = part->height();
        chooseKind(plan, "ids", FeedKind::Text);
        QTRY_COMPARE(part->height(), part->heightForWidth(part->width()));
        QVERIFY(part->height() > before);
        chooseKind(plan, "ids", FeedKind::Default);
        QTRY_COMPARE(part->height(), before);
    }

    // Undo takes a step back and the fields with it; a preset brings its own.
    void theDraftCarriesIt()
    {
        FedPlan plan;
        QVERIFY(plan.settles());
        chooseKind(plan, "image", FeedKind::Images);
        enter(plan.row("image"), "feed:white", QStringLiteral("255"));
        const core::Preset edited = plan.panel.preset();
        plan.panel.draft().history().undoAction()->trigger();
        QCOMPARE(plan.fed("image"), std::string("images"));
        QCOMPARE(child<QLineEdit>(plan.row("image"), "feed:white")->text(), QStringLiteral("1"));
        plan.panel.draft().history().undoAction()->trigger();
        QVERIFY(plan.feeding().empty());
        QCOMPARE(child<QComboBox>(plan.row("image"), "feedKind")->currentIndex(), 0);
        std::vector<core::JsonIssue> issues;
        plan.panel.draft().open(core::presetFromJson(core::toJson(edited), issues));
        QVERIFY(issues.empty());
        QCOMPARE(plan.fed("image"), std::string("images:range=0..255"));
        QCOMPARE(child<QLineEdit>(plan.row("image"), "feed:white")->text(), QStringLiteral("255"));
    }

    void inputsThatTheModelLacksCanBeTakenBack()
    {
        FedPlan plan;
        QVERIFY(plan.settles());
        core::Preset preset = plan.panel.preset();
        preset.feeding.inputs.emplace("pixels", core::ImageFeed());
        plan.panel.draft().open(preset);
        QVERIFY(plan.settles());
        QVERIFY(!plan.message("pixels").isEmpty());
        QVERIFY(!plan.panel.canRun());
        chooseKind(plan, "pixels", FeedKind::Default);
        QVERIFY(plan.settles());
        QVERIFY(plan.panel.canRun());
    }

    void modelsThatTakeImagesByThemselvesAreNotAsked()
    {
        FedPlan plan;
        QVERIFY(plan.settles());
        plan.panel.setModel(QStringLiteral("vitok:w8_d2_h2-w16_d3_h1/1x2x4"));
        QVERIFY(plan.settles());
        QVERIFY(!child<FoldSection>(plan.panel, "feedingSection")->isVisible());
    }
};

const tests::GuiTest<TestFeedingEdit> registered(__FILE_NAME__);

}  // namespace qs::tst_feeding_edit

#include "tst_feeding_edit.moc"
