// Precisions that are calibrated on a set of one's own, or on too little, before they run.

#include "core/image/picture_file.h"
#include "core/quant/scheme.h"
#include "core/sweep/calibration_plan.h"
#include "core/sweep/plan.h"
#include "tests/support/test_folder.h"
#include "tests/sweep/small_computer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qs::core {
namespace {

class OwnCalibration : public ::testing::Test
{
protected:
    OwnCalibration()
    {
        m_preset.name = "test";
        m_preset.defaults = {.model = "vitok:w64_d1_h4/1x8x16",
                             .precision = {"bf16"},
                             .sizes = {{"image_size", 64}}};
        m_preset.rounds = 1;
    }

    // Of the demo text model, whose tokens are bytes.
    void takeTexts()
    {
        m_preset.defaults = {.model = "demo-text",
                             .precision = {"bf16"},
                             .sizes = {{"prompt_tokens", 8}, {"new_tokens", 0}}};
    }
    [[nodiscard]] InputFeed text(const std::string& name) const
    {
        return TextFeed{(m_folder / name).string(),
                        tests::dataFile("../resources/demo_text_model/tokenizer.json").string()};
    }
    void writePicture(const std::string& name, float value)
    {
        Picture picture{8, 8, 3, std::vector<float>(8 * 8 * 3, value)};
        picture.values.front() = 0.0F;
        std::filesystem::create_directories((m_folder / name).parent_path());
        ASSERT_TRUE(writePng(m_folder / name, picture).ok());
    }

    [[nodiscard]] PlannedCell cellOf(const std::string& precision) const
    {
        Preset preset = m_preset;
        preset.axes = {{"precision", {"bf16", precision}}};
        const auto plan = makePlan(preset, {{smallComputer()}, tests::dataFile("../resources")});
        EXPECT_TRUE(plan.ok()) << (plan.ok() ? "" : plan.error().message);
        if (!plan.ok())
            return {};
        for (const PlannedCell& cell : plan.value().cells) {
            if (cell.config.precision == std::vector{namedScheme(precision).text()})
                return cell;
        }
        ADD_FAILURE() << precision;
        return {};
    }
    [[nodiscard]] std::string idOf(const std::string& precision) const
    {
        return cellOf(precision).id;
    }
    [[nodiscard]] std::optional<Note> objection(const std::string& precision) const
    {
        return cellOf(precision).impossible;
    }
    // Samples that quality is judged on as well, as the cell says; -1: it says nothing of them.
    [[nodiscard]] double shared(const std::string& precision) const
    {
        for (const Note& note : cellOf(precision).notes) {
            if (note.code == NoteCode::CalibratedOnQualityInputs)
                return note.number(0);
        }
        return -1.0;
    }

    tests::TestFolder m_folder;
    Preset m_preset;
};

TEST_F(OwnCalibration, NeedsASet)
{
    EXPECT_EQ(objection("int8sq:samples=2:set=own"), Note{NoteCode::NoCalibrationPictures});
    m_preset.calibration.inputs = {{"x", FileFeed{"x.npy", ""}}};
    EXPECT_EQ(objection("int8sq:samples=2:set=own"), Note{NoteCode::NoCalibrationPictures});
    EXPECT_EQ(objection("int8sq:samples=2"), std::nullopt);
    takeTexts();
    m_preset.calibration = {};
    EXPECT_EQ(objection("int8sq:samples=2:set=own"), Note{NoteCode::NoCalibrationInputs});
}

TEST_F(OwnCalibration, NeedsASetThatFits)
{
    const auto code = [&] { return objection("int8sq:samples=2:set=own").value().code; };
    m_preset.calibration.pictures.source = (m_folder / "nowhere").string();
    EXPECT_EQ(code(), NoteCode::CalibrationSetUnfit);
    takeTexts();
    m_preset.calibration = {};
    m_preset.calibration.inputs = {{"tokens", text("nowhere.txt")}};
    EXPECT_EQ(code(), NoteCode::CalibrationSetUnfit);
    tests::writeFile(m_folder / "short.txt", "ab\ncd\n");
    m_preset.calibration.inputs = {{"tokens", text("short.txt")}};
    EXPECT_EQ(code(), NoteCode::CalibrationSetUnfit) << "shorter than 8 tokens, and no pad";
    tests::writeFile(m_folder / "texts.txt", "abcdefgh\nbcdefghi\n");
    m_preset.calibration.inputs = {{"words", text("texts.txt")}};
    EXPECT_EQ(code(), NoteCode::CalibrationSetUnfit) << "no such input";
    m_preset.calibration.inputs = {{"tokens", text("texts.txt")}};
    EXPECT_EQ(objection("int8sq:samples=2:set=own"), std::nullopt);
}

TEST_F(OwnCalibration, NeedsEnoughSamples)
{
    writePicture("own/a.png", 0.25F);
    writePicture("own/b.png", 0.5F);
    m_preset.calibration.pictures.source = (m_folder / "own").string();
    EXPECT_EQ(objection("int8sq:samples=2:set=own"), std::nullopt);
    EXPECT_EQ(objection("int8sq:samples=3:set=own"),
              (Note{NoteCode::TooFewCalibrationSamples, {3.0, 2.0}}));
    m_preset.calibration.pictures.count = 1;
    EXPECT_EQ(objection("int8sq:samples=2:set=own"),
              (Note{NoteCode::TooFewCalibrationSamples, {2.0, 1.0}}));
    m_preset.pictures.count = 4;
    EXPECT_EQ(objection("int8sq:samples=4:set=inputs"), std::nullopt);
    EXPECT_EQ(objection("int8sq:samples=5:set=inputs"), (Note{NoteCode::TooFewInputs, {5.0, 4.0}}));
    takeTexts();
    tests::writeFile(m_folder / "texts.txt", "abcdefgh\nbcdefghi\ncdefghij\n");
    m_preset.calibration.inputs = {{"tokens", text("texts.txt")}};
    EXPECT_EQ(objection("int8sq:samples=4:set=own"),
              (Note{NoteCode::TooFewCalibrationSamples, {4.0, 3.0}}));
    m_preset.feeding.inputs = {{"tokens", text("texts.txt")}};
    EXPECT_EQ(objection("int8sq:samples=4:set=inputs"), (Note{NoteCode::TooFewInputs, {4.0, 3.0}}));
    m_preset.feeding = {};
    EXPECT_EQ(objection("int8sq:samples=16:set=inputs"), std::nullopt) << "generated ones";
    EXPECT_EQ(objection("int8sq:samples=17:set=inputs"),
              (Note{NoteCode::TooFewInputs, {17.0, 16.0}}));
}

TEST_F(OwnCalibration, OtherPicturesAreAnotherCell)
{
    writePicture("own/a.png", 0.25F);
    writePicture("own/b.png", 0.5F);
    m_preset.calibration.pictures.source = (m_folder / "own").string();
    const std::string own = "int8sq:samples=2:set=own";
    const std::string before = idOf(own);
    const std::string generated = idOf("int8sq:samples=2");
    EXPECT_EQ(idOf(own), before);
    EXPECT_NE(idOf("int8sq:samples=2:set=own:seed=1"), before);
    writePicture("own/b.png", 0.75F);
    EXPECT_NE(idOf(own), before);
    EXPECT_EQ(idOf("int8sq:samples=2"), generated);
    // Where they lie is nothing; that the same are judged on is another set.
    std::filesystem::create_directories(m_folder / "elsewhere");
    std::filesystem::copy(m_folder / "own", m_folder / "elsewhere");
    const std::string here = idOf(own);
    m_preset.calibration.pictures.source = (m_folder / "elsewhere").string();
    EXPECT_EQ(idOf(own), here);
    m_preset.calibration.pictures.crop = PictureCrop::Pad;
    EXPECT_NE(idOf(own), here);
}

TEST_F(OwnCalibration, OtherTextsAreAnotherCell)
{
    takeTexts();
    tests::writeFile(m_folder / "judged.txt", "abcdefgh\nbcdefghi\n");
    tests::writeFile(m_folder / "own.txt", "qrstuvwx\nrstuvwxy\n");
    m_preset.feeding.inputs = {{"tokens", text("judged.txt")}};
    m_preset.calibration.inputs = {{"tokens", text("own.txt")}};
    const std::string own = "int8sq:samples=2:set=own";
    const std::string inputs = "int8sq:samples=2:set=inputs";
    const std::string beforeOwn = idOf(own);
    const std::string beforeInputs = idOf(inputs);
    const std::string generated = idOf("int8sq:samples=2");
    tests::writeFile(m_folder / "own.txt", "qrstuvwx\nrstuvwxz\n");
    EXPECT_NE(idOf(own), beforeOwn);
    EXPECT_EQ(idOf(inputs), beforeInputs);
    tests::writeFile(m_folder / "judged.txt", "abcdefgh\nbcdefghj\n");
    EXPECT_NE(idOf(inputs), beforeInputs);
    EXPECT_EQ(idOf("int8sq:samples=2"), generated);
    // The same file read in another way.
    const std::string prompts = idOf(own);
    InputFeed pieces = text("own.txt");
    std::get<TextFeed>(pieces).pieces = true;
    m_preset.calibration.inputs = {{"tokens", pieces}};
    EXPECT_NE(idOf(own), prompts);
}

TEST_F(OwnCalibration, SamplesThatAreJudgedOnAreCountedByContent)
{
    writePicture("judged/a.png", 0.25F);
    writePicture("judged/b.png", 0.5F);
    writePicture("own/other_name.png", 0.5F);
    writePicture("own/z.png", 0.75F);
    m_preset.pictures.source = (m_folder / "judged").string();
    m_preset.calibration.pictures.source = (m_folder / "own").string();
    EXPECT_EQ(shared("int8sq:samples=2:set=own"), 1.0);
    EXPECT_EQ(shared("int8sq:samples=1:set=own"), 1.0);
    EXPECT_EQ(shared("int8sq:samples=2:set=inputs"), 2.0);
    EXPECT_EQ(shared("int8sq:samples=2"), -1.0);
    m_preset.pictures.count = 1;
    EXPECT_EQ(shared("int8sq:samples=2:set=own"), -1.0) << "b.png is not judged on";
}

TEST_F(OwnCalibration, TextsThatAreJudgedOnAreCountedByWhatTheModelReads)
{
    takeTexts();
    tests::writeFile(m_folder / "judged.txt", "abcdefgh\nbcdefghi\n");
    tests::writeFile(m_folder / "own.txt", "qrstuvwx\nabcdefgh, and more\n");
    m_preset.feeding.inputs = {{"tokens", text("judged.txt")}};
    m_preset.calibration.inputs = {{"tokens", text("own.txt")}};
    EXPECT_EQ(shared("int8sq:samples=2:set=own"), 1.0);
    EXPECT_EQ(shared("int8sq:samples=1:set=own"), -1.0);
    m_preset.feeding = {};
    EXPECT_EQ(shared("int8sq:samples=2:set=own"), -1.0);
}

TEST_F(OwnCalibration, ExamplesOfAlpacaAreTexts)
{
    takeTexts();
    tests::writeFile(m_folder / "own.jsonl",
                     R"({"instruction": "Name a fruit.", "input": "", "output": "An apple."})"
                     "\n"
                     R"({"instruction": "Add them.", "input": "1, 2", "output": "3"})"
                     "\n");
    m_preset.calibration.inputs = {{"tokens", text("own.jsonl")}};
    EXPECT_EQ(objection("int8sq:samples=2:set=own"), std::nullopt);
    EXPECT_EQ(objection("int8sq:samples=3:set=own"),
              (Note{NoteCode::TooFewCalibrationSamples, {3.0, 2.0}}));
    tests::writeFile(m_folder / "own.jsonl", "{\"instruction\": 3}\n");
    EXPECT_EQ(objection("int8sq:samples=2:set=own").value().code, NoteCode::CalibrationSetUnfit);
}

TEST_F(OwnCalibration, AHistoryIsNoLongerThanTheCalibration)
{
    EXPECT_EQ(objection("float8-delayed:history=4:samples=4"), std::nullopt);
    const auto reason = objection("float8-delayed:history=5:samples=4");
    ASSERT_TRUE(reason.has_value());
    EXPECT_EQ(reason->code, NoteCode::HistoryTooLong);
    EXPECT_EQ(reason->number(0), 5.0);
    EXPECT_EQ(reason->number(1), 4.0);
}

// 64 px in patches of 8: 64 tokens; a patch has 192 values, and the second layers of blocks more.
TEST_F(OwnCalibration, SecondMomentsOfFewRowsAreToldOf)
{
    const auto few = [&](const std::string& precision) -> std::optional<Note> {
        for (const Note& note : cellOf(precision).notes) {
            if (note.code == NoteCode::FewCalibrationRows)
                return note;
        }
        return std::nullopt;
    };
    const auto note = few("gptq-int4-32:samples=1:tail=1");
    ASSERT_TRUE(note.has_value());
    EXPECT_GT(note->number(0), 1.0);
    EXPECT_EQ(note->number(2), 64.0);
    EXPECT_LT(note->number(2), note->number(3));
    EXPECT_EQ(few("gptq-int4-32:samples=1024:tail=1"), std::nullopt);
    EXPECT_EQ(few("int8sq:samples=1"), std::nullopt);
    // Rows of a batch are those of its samples.
    m_preset.defaults.batch = 16;
    EXPECT_EQ(few("gptq-int4-32:samples=1:tail=1"), note);
}

}  // namespace
}  // namespace qs::core
