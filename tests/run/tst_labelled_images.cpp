// Accuracy: images in a folder for each class, and what a classifier says of them.
#include "core/analysis/analysis.h"
#include "core/analysis/metric_values.h"
#include "core/base/npy.h"
#include "core/image/picture_file.h"
#include "core/record/picture_labels.h"
#include "core/record/run_folder.h"
#include "core/run/fed_files.h"
#include "core/run/input_set.h"
#include "core/run/output_comparison.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>

#include <filesystem>

namespace {

using namespace qs::core;
using namespace qs::tests;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class LabelledImages : public testing::Test
{
protected:
    LabelledImages()
    {
        for (const char* name : {"dog/1.png", "dog/2.png", "cat/1.png", "empty/"}) {
            const auto path = m_images / name;
            std::filesystem::create_directories(path.parent_path());
            if (path.has_filename())
                writeFile(path, readFile(dataFile("golden/image/rgb8.png")));
        }
        std::filesystem::create_directories(m_run / "inputs");
    }

    // A classifier of so many classes whose outputs are these scores.
    RunData runOf(const std::vector<std::vector<float>>& outputs, std::int64_t width = 0) const
    {
        RunData data;
        data.folder = m_run.path();
        PlannedCell cell;
        cell.id = "c1";
        cell.referenceId = "c1";
        cell.trained = true;
        cell.output = OutputKind::Classes;
        data.plan.cells = {cell};
        Measurement row;
        row.cellId = cell.id;
        row.environmentId = "e1";
        row.result.hostSeconds = {1.0};
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            const int number = static_cast<int>(i);
            const auto values = static_cast<std::int64_t>(outputs[i].size());
            const std::int64_t columns = width > 0 ? width : values;
            row.result.outputs.push_back({number, "output_" + std::to_string(i) + ".npy", "hash"});
            std::filesystem::create_directories(m_run / "cells/c1");
            const Status written = writeNpy(outputArray(m_run.path(), cell.id, number),
                                            {{values / columns, columns}, outputs[i]});
            EXPECT_TRUE(written.ok());
        }
        data.measurements = {row};
        return data;
    }

    TestFolder m_images;
    TestFolder m_run;
};

TEST_F(LabelledImages, AreOfAllClassesInTurn)
{
    const PictureList list = listClassedPictures(m_images.path()).value();
    EXPECT_THAT(list.classes, ElementsAre("cat", "dog", "empty")) << "as ImageFolder numbers them";
    EXPECT_THAT(list.labels, ElementsAre(0, 1, 1));
    EXPECT_THAT(list.files, ElementsAre(m_images / "cat/1.png", m_images / "dog/1.png",
                                        m_images / "dog/2.png"));
    EXPECT_THAT(list.skipped, IsEmpty());
    const PictureList flat = listClassedPictures(m_images / "dog").value();
    EXPECT_EQ(flat.files.size(), 2U);
    EXPECT_THAT(flat.classes, IsEmpty());
}

TEST_F(LabelledImages, ARunKeepsTheLabelsOfItsImages)
{
    const PreparedInputs inputs =
        prepareInputs(m_run.path(), {.source = m_images.path().string(), .count = 2}, 8).value();
    EXPECT_THAT(inputs.names, ElementsAre("cat/1.png", "dog/1.png"));
    const auto labels = readPictureLabels(m_run.path()).value();
    ASSERT_TRUE(labels);
    EXPECT_THAT(labels->classes, ElementsAre("cat", "dog", "empty"));
    EXPECT_THAT(labels->labels, ElementsAre(0, 1));
}

TEST_F(LabelledImages, AFileOfLabelsCountsMoreThanFoldersOfClasses)
{
    ModelFeeding feeding;
    feeding.labels = (m_images / "labels.txt").string();
    writeFile(feeding.labels, "2\n0\n");
    ASSERT_TRUE(keepFedFiles(m_run.path(), feeding).ok());
    ASSERT_TRUE(
        prepareInputs(m_run.path(), {.source = m_images.path().string(), .count = 2}, 8).ok());
    EXPECT_THAT(readPictureLabels(m_run.path()).value()->labels, ElementsAre(2, 0));
}

TEST_F(LabelledImages, AccuracyIsTheShareOfRightClasses)
{
    ASSERT_TRUE(writePictureLabels(m_run.path(), {{"cat", "dog"}, {0, 1, 1}}).ok());
    RunData data = runOf({{2.0F, 1.0F}, {2.0F, 1.0F}, {0.0F, 1.0F}});
    OutputComparison comparison(m_run.path(), data);
    const auto outcome = comparison.compare(data.plan.cells[0], "e1");
    EXPECT_THAT(outcome.problems, IsEmpty());
    data.qualities = outcome.qualities;
    const Analysis analysis = analyse(data, "bf16-eager");
    const auto accuracy = valueOf("accuracy", *analysis.find("c1"));
    ASSERT_TRUE(accuracy);
    EXPECT_NEAR(*accuracy, 2.0 / 3.0, 1e-12);
    EXPECT_THAT(comparison.compare(data.plan.cells[0], "e1").qualities, IsEmpty()) << "said once";
    data.plan.cells[0].trained = false;
    const Analysis untrained = analyse(data, "bf16-eager");
    EXPECT_FALSE(valueOf("accuracy", *untrained.find("c1")));
}

TEST_F(LabelledImages, EmbeddingsAreJudgedByTheirNearestNeighbours)
{
    ASSERT_TRUE(writePictureLabels(m_run.path(), {{"0", "1"}, {0, 0, 1, 1}}).ok());
    // Rows of two: their means point right, right, up and right; the last one is labelled as the
    // one that points up.
    RunData data = runOf({{1.0F, 0.0F, 1.0F, 0.1F}, {1.0F, 0.1F}, {0.0F, 1.0F}, {1.0F, 0.2F}}, 2);
    data.plan.cells[0].output = OutputKind::Embedding;
    OutputComparison comparison(m_run.path(), data);
    const auto outcome = comparison.compare(data.plan.cells[0], "e1");
    EXPECT_THAT(outcome.problems, IsEmpty());
    data.qualities = outcome.qualities;
    const Analysis analysis = analyse(data, "bf16-eager");
    EXPECT_NEAR(valueOf("knn_accuracy", *analysis.find("c1")).value_or(-1.0), 0.75, 1e-12);
    EXPECT_FALSE(valueOf("accuracy", *analysis.find("c1"))) << "no classes are told apart";
}

TEST_F(LabelledImages, OneSampleHasNoNeighbour)
{
    ASSERT_TRUE(writePictureLabels(m_run.path(), {{"0", "1"}, {0}}).ok());
    RunData data = runOf({{1.0F, 0.0F}}, 2);
    data.plan.cells[0].output = OutputKind::Embedding;
    OutputComparison comparison(m_run.path(), data);
    const auto outcome = comparison.compare(data.plan.cells[0], "e1");
    EXPECT_THAT(outcome.problems, IsEmpty());
    data.qualities = outcome.qualities;
    EXPECT_FALSE(valueOf("knn_accuracy", *analyse(data, "bf16-eager").find("c1")));
}

TEST_F(LabelledImages, ClassesOfSamplesComeFromAFile)
{
    ModelFeeding feeding;
    feeding.labels = (m_images / "labels.txt").string();
    writeFile(feeding.labels, "0\n2\n\n1\n");
    ASSERT_TRUE(keepFedFiles(m_run.path(), feeding).ok());
    const auto labels = readPictureLabels(m_run.path()).value();
    ASSERT_TRUE(labels);
    EXPECT_THAT(labels->labels, ElementsAre(0, 2, 1));
    EXPECT_EQ(labels->classes.size(), 3U);
    const TestFolder other;
    writeFile(feeding.labels, "0\ncat\n");
    const Status refused = keepFedFiles(other.path(), feeding);
    ASSERT_FALSE(refused.ok());
    EXPECT_THAT(refused.error().message, HasSubstr("line 2"));
}

TEST_F(LabelledImages, OtherClassesThanThoseOfTheModelAreSaid)
{
    ASSERT_TRUE(writePictureLabels(m_run.path(), {{"cat", "dog"}, {0}}).ok());
    const RunData data = runOf({{2.0F, 1.0F, 0.0F}});
    OutputComparison comparison(m_run.path(), data);
    const auto outcome = comparison.compare(data.plan.cells[0], "e1");
    EXPECT_THAT(outcome.qualities, IsEmpty());
    ASSERT_EQ(outcome.problems.size(), 1U);
    EXPECT_EQ(outcome.problems[0].code, NoteCode::OutputsNotCompared);
}

// Those of a file: four samples need not have the last of ten classes.
TEST_F(LabelledImages, NumberedClassesMayLackTheLast)
{
    ASSERT_TRUE(writePictureLabels(m_run.path(), {{"0", "1"}, {0, 1}}).ok());
    const RunData data = runOf({{2.0F, 1.0F, 0.0F}, {2.0F, 1.0F, 0.0F}});
    OutputComparison comparison(m_run.path(), data);
    const auto outcome = comparison.compare(data.plan.cells[0], "e1");
    EXPECT_THAT(outcome.problems, IsEmpty());
    EXPECT_EQ(outcome.qualities.size(), 2U);
}

TEST_F(LabelledImages, NumberedClassesBeyondTheModelAreSaid)
{
    ASSERT_TRUE(writePictureLabels(m_run.path(), {{"0", "1", "2"}, {0, 2}}).ok());
    const RunData data = runOf({{2.0F, 1.0F}, {2.0F, 1.0F}});
    OutputComparison comparison(m_run.path(), data);
    EXPECT_EQ(comparison.compare(data.plan.cells[0], "e1").problems.size(), 1U);
}

TEST_F(LabelledImages, AFileOfOtherContentIsRefused)
{
    EXPECT_FALSE(readPictureLabels(m_run.path()).value()) << "none is no fault";
    for (const char* text :
         {"[]", R"({"classes": ["a"], "labels": [1]})", R"({"classes": ["a"], "labels": [-1]})",
          R"({"classes": [1], "labels": [0]})", R"({"classes": ["a"]})"}) {
        writeFile(m_run / "inputs/labels.json", text);
        const auto labels = readPictureLabels(m_run.path());
        ASSERT_FALSE(labels.ok()) << text;
        EXPECT_THAT(labels.error().message, HasSubstr("labels.json"));
    }
}

}  // namespace
