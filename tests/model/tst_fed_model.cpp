#include "core/model/fed_model.h"

#include "core/base/files.h"
#include "core/graph/builder.h"
#include "core/model/fed_inputs.h"
#include "core/model/feeding_check.h"
#include "core/model/tensor_file.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numeric>

namespace qs::core {
namespace {

using ::testing::HasSubstr;
using tests::TestFolder;
using tests::writeFile;

constexpr std::int64_t kSide = 4;

// Images and whole numbers in, images and scores out; channels first or last.
class Net final : public ModelFamily
{
public:
    explicit Net(std::vector<std::int64_t> image, bool table = false) : m_image(std::move(image))
    {
        m_stages = {{"net", {}}};
        m_workload.inputs = {{.name = "x"},
                             {.name = "ids", .whole = true, .lowest = 0.0, .highest = 1.0},
                             {.name = "noise"}};
        m_workload.inputs[1].indices = table;
        m_workload.outputs = {{"same"}, {"scores"}};
        m_workload.judged = "same";
    }
    const std::vector<StageInfo>& stages() const override { return m_stages; }
    const Workload& workload() const override { return m_workload; }
    Status checkShape(const ShapePoint&) const override { return {}; }
    Result<Graph> buildStage(std::size_t, const ShapePoint& point, DType compute) const override
    {
        GraphBuilder b;
        std::vector<std::int64_t> shape{point.batch};
        shape.insert(shape.end(), m_image.begin(), m_image.end());
        const ValueId x = b.input("x", {compute, shape});
        const ValueId ids = b.cast(b.input("ids", {DType::Int64, {point.batch, 3}}), compute);
        const ValueId noise = b.input("noise", {compute, {point.batch, 3}});
        b.output(b.binary("add", x, x), "same");
        b.output(b.binary("add", ids, noise), "scores");
        return b.finish();
    }
    LayerPlace layerPlace(std::size_t, const std::string&) const override { return {}; }

private:
    std::vector<std::int64_t> m_image;
    std::vector<StageInfo> m_stages;
    Workload m_workload;
};

Model modelOf(std::vector<std::int64_t> image = {3, kSide, kSide})
{
    Model model;
    model.family = std::make_shared<Net>(std::move(image));
    model.weights = StoredWeights{};
    model.declaredTrained = false;
    return model;
}

ModelFeeding feedingOf(const std::string& assignment, std::optional<bool> trained = true)
{
    ModelFeeding feeding;
    EXPECT_TRUE(addInputFeed(feeding, assignment).ok());
    feeding.trained = trained;
    return feeding;
}

FloatArray twoImages()
{
    FloatArray images{{2, 3, kSide, kSide}, std::vector<float>(2 * 3 * kSide * kSide)};
    for (std::size_t i = 0; i < images.values.size(); ++i)
        images.values[i] = static_cast<float>(i) / 48.0F - 1.0F;
    return images;
}

TEST(FedModel, NothingDeclaredChangesNothing)
{
    Model model = modelOf();
    const auto family = model.family;
    ASSERT_TRUE(feedModel(model, {}).ok());
    EXPECT_EQ(model.family, family);
    EXPECT_FALSE(model.outputsMeanSomething());
}

TEST(FedModel, ImagesAreSpreadNormalisedAndOrdered)
{
    for (const bool last : {false, true}) {
        Model model = modelOf(last ? std::vector<std::int64_t>{kSide, kSide, 3}
                                   : std::vector<std::int64_t>{3, kSide, kSide});
        const std::string text = "x=images:range=0..255:mean=1,2,3:std=10,20,40:channels=bgr";
        ASSERT_TRUE(feedModel(model, feedingOf(text + (last ? ":layout=nhwc" : ""))).ok());
        const FloatArray images = twoImages();
        const HostTensor fed = model.family->prepare(images).value().at("x");
        const auto& values = std::get<std::vector<float>>(fed.values);
        const std::array<double, 3> mean{1, 2, 3};
        const std::array<double, 3> deviation{10, 20, 40};
        for (std::size_t image = 0; image < 2; ++image) {
            for (std::size_t channel = 0; channel < 3; ++channel) {
                for (std::size_t pixel = 0; pixel < 16; ++pixel) {
                    const double value = images.values[(image * 3 + channel) * 16 + pixel];
                    const double expected =
                        ((value + 1.0) / 2.0 * 255.0 - mean[channel]) / deviation[channel];
                    const std::size_t place = last ? (image * 16 + pixel) * 3 + (2 - channel)
                                                   : (image * 3 + 2 - channel) * 16 + pixel;
                    ASSERT_FLOAT_EQ(values[place], static_cast<float>(expected));
                }
            }
        }
        // An output of the same kind is shown as an image.
        EXPECT_EQ(model.family->workload().judgedOutput().kind, OutputKind::Image);
        const FloatArray back = model.family->present({fed.shape, values}, {2, {}}).value();
        EXPECT_EQ(back.shape, images.shape);
        for (std::size_t i = 0; i < back.values.size(); ++i)
            ASSERT_NEAR(back.values[i], images.values[i], 1e-5);
    }
}

TEST(FedModel, TheSizeOfAFixedInputIsTheOnlyOne)
{
    Model model = modelOf();
    ASSERT_TRUE(feedModel(model, feedingOf("x=images")).ok());
    const Workload& workload = model.family->workload();
    EXPECT_EQ(workload.source, InputSource::Images);
    EXPECT_EQ(workload.unit, WorkUnit::Image);
    EXPECT_EQ(workload.completed({{"image_size", 256}}).at("image_size"), kSide);
    EXPECT_TRUE(model.family->checkShape({1, {{"image_size", kSide}}}).ok());
    EXPECT_FALSE(model.family->checkShape({1, {{"image_size", 8}}}).ok());
}

TEST(FedModel, OutputsMeanSomethingWhenWeightsAreTrainedAndInputsReal)
{
    const auto means = [](const std::string& input, std::optional<bool> trained) {
        Model model = modelOf();
        EXPECT_TRUE(feedModel(model, feedingOf(input, trained)).ok());
        return model.outputsMeanSomething();
    };
    EXPECT_TRUE(means("x=images", true));
    EXPECT_TRUE(means("x=file:a.npy", true));
    EXPECT_FALSE(means("x=images", false));
    EXPECT_FALSE(means("x=images", std::nullopt)) << "nobody said that they are trained";
    EXPECT_FALSE(means("x=normal", true)) << "noise";
}

// As a checkpoint, whose origin says that it is trained.
TEST(FedModel, WhatIsTrainedIsJudgedOnWhatIsRealAlone)
{
    const auto means = [](const ModelFeeding& feeding) {
        Model model = modelOf();
        model.declaredTrained = std::nullopt;
        EXPECT_TRUE(feedModel(model, feeding).ok());
        return model.outputsMeanSomething();
    };
    EXPECT_FALSE(means({})) << "all of it is generated";
    ModelFeeding labelled;
    labelled.labels = "labels.txt";
    EXPECT_FALSE(means(labelled)) << "labels of noise";
    for (const char* real : {"x=images", "ids=file:ids.npy"}) {
        EXPECT_TRUE(means(feedingOf(real, std::nullopt))) << real;
        EXPECT_FALSE(means(feedingOf(real, false))) << real;
    }
    ModelFeeding both = feedingOf("ids=file:ids.npy", std::nullopt);
    ASSERT_TRUE(addInputFeed(both, "noise=normal").ok());
    EXPECT_TRUE(means(both));
}

TEST(FedModel, WhatDoesNotFitIsRefused)
{
    const auto problem = [](const std::string& input, const std::string& output = {},
                            std::vector<std::int64_t> image = {3, kSide, kSide}) {
        Model model = modelOf(std::move(image));
        ModelFeeding feeding;
        EXPECT_TRUE(input.empty() || addInputFeed(feeding, input).ok());
        EXPECT_TRUE(output.empty() || setJudgedOutput(feeding, output).ok());
        return feedModel(model, feeding).error().message;
    };
    EXPECT_THAT(problem("y=images"), HasSubstr("no input \"y\"; it has x, ids, noise"));
    EXPECT_THAT(problem("ids=images"), HasSubstr("whole numbers"));
    EXPECT_THAT(problem("ids=normal"), HasSubstr("whole numbers"));
    EXPECT_THAT(problem("noise=images"), HasSubstr("dimensions"));
    EXPECT_THAT(problem("x=images:layout=nhwc"), HasSubstr("channels"));
    EXPECT_THAT(problem("x=images", {}, {3, 4, 8}), HasSubstr("not square"));
    EXPECT_THAT(problem("x=images", "scores:image"), HasSubstr("no image"));
    EXPECT_THAT(problem({}, "missing"), HasSubstr("it has same, scores"));
}

TEST(FedModel, NoIdsAreGeneratedThatTheTableDoesNotHave)
{
    const auto fed = [](const char* text, bool table) {
        Model model = modelOf();
        model.family = std::make_shared<Net>(std::vector<std::int64_t>{3, kSide, kSide}, table);
        return feedModel(model, feedingOf(text));
    };
    EXPECT_TRUE(fed("ids=uniform:range=0..1", true).ok());
    EXPECT_TRUE(fed("ids=uniform:range=-1..500", false).ok()) << "positions and flags";
    for (const char* beyond : {"ids=uniform:range=0..2", "ids=uniform:range=-1..1"})
        EXPECT_THAT(fed(beyond, true).error().message, HasSubstr("input ids takes the ids from 0"));
}

TEST(FedModel, TheJudgedOutputIsAChoice)
{
    Model model = modelOf();
    ModelFeeding feeding = feedingOf("x=images");
    ASSERT_TRUE(setJudgedOutput(feeding, "scores:classes").ok());
    ASSERT_TRUE(feedModel(model, feeding).ok());
    EXPECT_EQ(model.family->workload().judged, "scores");
    EXPECT_EQ(model.family->workload().judgedOutput().kind, OutputKind::Classes);
}

class FedInputsTest : public ::testing::Test
{
protected:
    Result<FedInputs> read(ModelFeeding feeding, std::optional<std::int64_t> images = {})
    {
        Model model = modelOf();
        const Status fed = feedModel(model, feeding);
        if (!fed.ok())
            return fed.error();
        const Graph graph = model.family->buildStage(0, {2, {}}, DType::BFloat16).value();
        return readFedInputs(
            *model.family, {&graph}, feeding,
            [&](const std::string& input) {
                return FilePlace(std::get<FileFeed>(feeding.inputs.at(input)).path);
            },
            7, 16, images);
    }
    std::string npy(const char* name, const HostTensor& tensor)
    {
        writeFile(m_folder / name, encodeNpy(tensor));
        return (m_folder / name).string();
    }
    TestFolder m_folder;
};

TEST_F(FedInputsTest, FilesImagesAndTheGeneratorGoTogether)
{
    ModelFeeding feeding = feedingOf("x=images");
    const std::string file =
        npy("ids.npy", {{3, 3}, std::vector<std::int64_t>{1, 2, 3, 4, 5, 6, 7, 8, 9}});
    ASSERT_TRUE(addInputFeed(feeding, "ids=file:" + file).ok());
    ASSERT_TRUE(addInputFeed(feeding, "noise=normal:mean=100:std=0.5").ok());
    const FedInputs inputs = read(feeding, 2).value();
    EXPECT_EQ(inputs.count, 2) << "as many as there are images";
    EXPECT_FALSE(inputs.tensors.contains("x")) << "images are read in batches";
    EXPECT_EQ(std::get<std::vector<std::int64_t>>(inputs.tensors.at("ids").values),
              (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6}));
    const auto& noise = std::get<std::vector<float>>(inputs.tensors.at("noise").values);
    ASSERT_EQ(noise.size(), 6U);
    for (const float value : noise)
        EXPECT_NEAR(value, 100.0F, 3.0F);
    EXPECT_EQ(read(feeding, 5).value().count, 3) << "as many as the file has";
}

TEST_F(FedInputsTest, WithoutFilesThereAreTheUsualSamples)
{
    EXPECT_EQ(read(feedingOf("noise=uniform:range=0..1")).value().count, 16);
}

TEST_F(FedInputsTest, OtherShapesAndTypesAreRefused)
{
    const std::string wide = npy("wide.npy", {{1, 4}, std::vector<std::int64_t>{1, 2, 3, 4}});
    EXPECT_THAT(read(feedingOf("ids=file:" + wide)).error().message, HasSubstr("(1, 4)"));
    const std::string real = npy("real.npy", {{1, 3}, std::vector<float>{1, 2, 3}});
    EXPECT_THAT(read(feedingOf("ids=file:" + real)).error().message, HasSubstr("whole numbers"));
    const std::string none = npy("none.npy", {{0, 3}, std::vector<std::int64_t>{}});
    EXPECT_FALSE(read(feedingOf("ids=file:" + none)).ok());
    EXPECT_FALSE(read(feedingOf("ids=file:" + (m_folder / "nowhere.npy").string())).ok());
}

TEST(FedTensor, RowsThatTheTableDoesNotHaveAreToldByFileAndPlace)
{
    InputSpec spec{.name = "tokens", .whole = true, .lowest = 0.0, .highest = 255.0};
    const HostTensor ids{{2, 3}, std::vector<std::int64_t>{0, 1, 2, 3, 256, 255}};
    const TensorType type{DType::Int64, {1, 3}};
    const FileFeed feed{"ids.txt", {}};
    EXPECT_TRUE(fedTensor(ids, spec, type, feed).ok()) << "flags and positions have no table";
    spec.indices = true;
    const auto refused = fedTensor(ids, spec, type, feed);
    ASSERT_FALSE(refused.ok());
    for (const char* part : {"tokens", "ids.txt", "[1, 1]", "256", "0 to 255"})
        EXPECT_THAT(refused.error().message, HasSubstr(part));
    EXPECT_FALSE(fedTensor({{1, 3}, std::vector<std::int64_t>{0, -1, 2}}, spec, type, feed).ok());
}

TEST_F(FedInputsTest, EachPartOfADeclarationIsCheckedByItself)
{
    const auto family = modelOf().family;
    ModelFeeding feeding = feedingOf("x=images");
    ASSERT_TRUE(setJudgedOutput(feeding, "same").ok());
    EXPECT_TRUE(checkFeeding(family, feeding, {}, 4).status().ok());
    const std::string wide = npy("wide.npy", {{1, 4}, std::vector<std::int64_t>{1, 2, 3, 4}});
    ASSERT_TRUE(addInputFeed(feeding, "ids=file:" + wide).ok());
    ASSERT_TRUE(addInputFeed(feeding, "noise=images").ok());
    ASSERT_TRUE(addInputFeed(feeding, "y=normal").ok());
    ASSERT_TRUE(setJudgedOutput(feeding, "missing").ok());
    feeding.stages = {{"encoder", "nowhere"}};
    const FeedingCheck check = checkFeeding(family, feeding, {}, 4);
    EXPECT_THAT(check.inputs.at("ids").message, HasSubstr("(1, 4)"));
    EXPECT_THAT(check.inputs.at("noise").message, HasSubstr("dimensions"));
    EXPECT_THAT(check.inputs.at("y").message, HasSubstr("no input \"y\""));
    EXPECT_EQ(check.inputs.size(), 3U);
    EXPECT_THAT(check.output.value().message, HasSubstr("missing"));
    EXPECT_TRUE(check.stages.has_value());
    EXPECT_FALSE(check.status().ok());
    // What is right is in force.
    EXPECT_EQ(check.family->workload().source, InputSource::Images);
    feeding = feedingOf("ids=file:" + (m_folder / "nowhere.npy").string());
    EXPECT_EQ(checkFeeding(family, feeding, {}, 4).inputs.at("ids").code, ErrorCode::NotFound);
}

TEST_F(FedInputsTest, FindsTheOneInputThatCanTakeImages)
{
    const auto found = onlyImageInput(modelOf().family);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->first, "x");
    EXPECT_EQ(found->second, ImageFeed());
    // The demo model takes images by itself.
    EXPECT_FALSE(
        onlyImageInput(openModel("demo", tests::dataFile("../resources"), 1).value().model.family));
}

TEST_F(FedInputsTest, LabelsAreAsManyAsTheSamplesAndOfTheOutput)
{
    const auto family = modelOf().family;
    const std::string file = npy("two.npy", {{2, 3}, std::vector<std::int64_t>{0, 1, 0, 1, 1, 0}});
    ModelFeeding feeding = feedingOf("ids=file:" + file);
    ASSERT_TRUE(setJudgedOutput(feeding, "scores:classes").ok());
    feeding.labels = (m_folder / "labels.txt").string();
    const auto check = [&](const char* text) {
        writeFile(feeding.labels, text);
        return checkFeeding(family, feeding, {}, 4);
    };
    EXPECT_TRUE(check("0\n2\n").status().ok());
    for (const char* wrong : {"0\n", "0\n1\n2\n", "0\n3\n", "0\n-1\n", ""}) {
        const FeedingCheck refused = check(wrong);
        ASSERT_TRUE(refused.labels) << wrong;
        EXPECT_THAT(refused.labels->message, HasSubstr(feeding.labels));
        EXPECT_FALSE(refused.status().ok());
    }
    // Embeddings have neighbours of any class; what is generated has as many samples as usual.
    ASSERT_TRUE(setJudgedOutput(feeding, "scores:embedding").ok());
    EXPECT_TRUE(check("0\n3\n").status().ok());
    feeding.inputs.clear();
    EXPECT_FALSE(check("0\n3\n").status().ok());
    // Images are counted when they are read.
    feeding = feedingOf("x=images");
    feeding.labels = (m_folder / "labels.txt").string();
    ASSERT_TRUE(setJudgedOutput(feeding, "scores:classes").ok());
    EXPECT_TRUE(check("0\n2\n").status().ok());
    EXPECT_FALSE(check("0\n1\n2\n0\n1\n").status().ok());
}

TEST(GeneratedInputs, NormalValuesHaveTheDeclaredMoments)
{
    Model model = modelOf();
    ModelFeeding feeding = feedingOf("noise=normal:mean=2:std=3");
    ASSERT_TRUE(feedModel(model, feeding).ok());
    const Graph graph = model.family->buildStage(0, {1, {}}, DType::Float32).value();
    const FedInputs inputs =
        readFedInputs(*model.family, {&graph}, feeding,
                      [](const std::string&) { return FilePlace(std::filesystem::path()); }, 7,
                      4096, {})
            .value();
    const auto& noise = std::get<std::vector<float>>(inputs.tensors.at("noise").values);
    const double mean =
        std::accumulate(noise.begin(), noise.end(), 0.0) / static_cast<double>(noise.size());
    double squares = 0.0;
    for (const float value : noise)
        squares += (value - mean) * (value - mean);
    // 12288 values: five standard errors.
    EXPECT_NEAR(mean, 2.0, 0.14);
    EXPECT_NEAR(std::sqrt(squares / static_cast<double>(noise.size())), 3.0, 0.1);
}

}  // namespace
}  // namespace qs::core
