#include "core/model/packaged/open_package.h"

#include "core/graph/cost.h"
#include "core/model/catalogue.h"
#include "core/model/packaged/package_facts.h"
#include "tests/support/test_folder.h"
#include "tests/support/written_package.h"

#include <nlohmann/json.hpp>

#include <gmock/gmock.h>

namespace {

using namespace qs::core;
using namespace qs::tests;
using testing::HasSubstr;

TEST(OpenPackage, IsAModelOfOneRegion)
{
    const TestFolder folder;
    const std::string file = folder / "net.pt2";
    WrittenPackage().writeTried(file, {"x=float32[batch,8]", "ids=int64[batch,3]"},
                                {"total=int64[4]", "mixed=float32[batch,5]"}, 2);
    const auto opened = openModel(file, {}, 0);
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    const Model& model = opened.value().model;
    const ModelFamily& family = *model.family;
    ASSERT_EQ(family.stages().size(), 1U);
    ASSERT_TRUE(family.stages().front().program);
    EXPECT_EQ(family.stages().front().program->file, file);
    EXPECT_EQ(model.parameterCount(), 0);
    EXPECT_TRUE(family.layers(0).empty());
    EXPECT_FALSE(model.outputsMeanSomething());
    const Workload& workload = family.workload();
    EXPECT_EQ(workload.judged, "mixed");  // the first of numbers for each sample
    EXPECT_EQ(workload.batches.lowest, 2);
    EXPECT_EQ(workload.batches.highest, 0);
    EXPECT_TRUE(workload.findInput("ids")->whole);
    EXPECT_FALSE(family.checkShape({1, {}}).ok());
    ASSERT_TRUE(family.checkShape({6, {}}).ok());
    const Graph graph = family.buildStage(0, {6, {}}, DType::BFloat16).value();
    ASSERT_TRUE(validate(graph).ok());
    ASSERT_EQ(graph.nodes.size(), 1U);
    EXPECT_EQ(graph.nodes.front().operation->name, kQsRegion);
    EXPECT_EQ(graph.value(graph.inputs[0]).type, (TensorType{DType::Float32, {6, 8}}));
    EXPECT_EQ(graph.value(graph.outputs[0]).type, (TensorType{DType::Int64, {4}}));
    EXPECT_EQ(graph.value(graph.outputs[1]).type, (TensorType{DType::Float32, {6, 5}}));
    EXPECT_EQ(costOf(graph).flops(), 0.0);
}

TEST(OpenPackage, FixedSizesAreOneBatch)
{
    const TestFolder folder;
    WrittenPackage().writeTried(folder / "a.pt2", {"x=float32[4,8]"}, {"y=float32[4,5]"});
    WrittenPackage().writeTried(folder / "b.pt2", {"x=float32[4,8]"}, {"y=float32[7]"});
    const auto batches = [&](const char* name) {
        return openModel(folder / name, {}, 0).value().model.family->workload().batches;
    };
    EXPECT_EQ(batches("a.pt2").lowest, 4);
    EXPECT_EQ(batches("a.pt2").highest, 4);
    // What is given once makes all of a pass one sample.
    EXPECT_EQ(batches("b.pt2").highest, 1);
    const auto family = openModel(folder / "b.pt2", {}, 0).value().model.family;
    FloatArray output{{7}, std::vector<float>(7)};
    EXPECT_EQ(family->present(output, {1, {}}).value().shape, (std::vector<std::int64_t>{1, 7}));
}

TEST(OpenPackage, OtherSizesAreAnotherModel)
{
    const TestFolder folder;
    const std::string file = folder / "net.pt2";
    WrittenPackage().writeTried(file, {"x=float32[2,8]"}, {"y=float32[2,5]"});
    const std::string first = openModel(file, {}, 0).value().model.contentId;
    WrittenPackage().writeTried(file, {"x=float32[4,8]"}, {"y=float32[4,5]"});
    EXPECT_NE(openModel(file, {}, 0).value().model.contentId, first);
}

TEST(OpenPackage, UntilItWasTriedItIsAProgram)
{
    const TestFolder folder;
    const std::string file = folder / "net.pt2";
    WrittenPackage().write(file);
    ModelInspection seen = inspectModel(file, {}, 0);
    EXPECT_FALSE(seen.usable());
    EXPECT_EQ(seen.status.error().code, ErrorCode::Unsupported);
    ASSERT_TRUE(seen.program);
    EXPECT_EQ(seen.program->kind, ProgramKind::Package);
    // What was found out of other bytes says nothing of these.
    WrittenPackage other;
    other.files["m/byteorder"] = "little";
    other.writeTried(file, {"x=float32[2]"}, {"y=float32[2]"});
    EXPECT_TRUE(inspectModel(file, {}, 0).usable());
    WrittenPackage().write(file);
    EXPECT_FALSE(inspectModel(file, {}, 0).usable());
    writeFile(folder / "net.package.json", "{}");
    EXPECT_FALSE(inspectModel(file, {}, 0).usable());
    EXPECT_THAT(inspectModel(file, {}, 0).status.error().message, HasSubstr("net.package.json"));
}

TEST(OpenPackage, WithoutAnOutputForEachSampleItHasNoFreeBatch)
{
    const TestFolder folder;
    WrittenPackage().writeTried(folder / "net.pt2", {"x=float32[batch,8]"}, {"y=float32[5]"});
    EXPECT_FALSE(openModel(folder / "net.pt2", {}, 0).ok());
}

Json facts()
{
    return {{"schema_version", 1},
            {"sha256", std::string(64, 'a')},
            {"inputs", {"x=float32[batch,8]"}},
            {"outputs", {"y=float32[batch,5]"}},
            {"lowest_batch", 1}};
}

TEST(PackageFacts, AreReadAsTheyAreWrittenAndNotOtherwise)
{
    const auto good = packaged::factsFromJson(facts());
    ASSERT_TRUE(good.ok()) << good.error().message;
    EXPECT_TRUE(good.value().freeBatch());
    const TestFolder folder;
    ASSERT_TRUE(packaged::writeFacts(good.value(), folder / "f.json").ok());
    EXPECT_EQ(packaged::readFacts(folder / "f.json").value(), good.value());
    EXPECT_EQ(packaged::readFacts(folder / "g.json").error().code, ErrorCode::NotFound);
    const std::vector<std::pair<const char*, Json>> damages{
        {"schema_version", 2},
        {"sha256", "short"},
        {"inputs", Json::array()},
        {"inputs", {"float32[2]"}},
        {"inputs", {"x=float32[2]", "x=float32[2]"}},
        {"inputs", {"x=float32"}},
        {"outputs", {"x=float32[2]"}},
        {"outputs", 7},
        {"lowest_batch", 0},
        {"more", 1}};
    for (const auto& [name, value] : damages) {
        Json damaged = facts();
        damaged[name] = value;
        EXPECT_FALSE(packaged::factsFromJson(damaged).ok()) << name << " " << value.dump();
    }
}

}  // namespace
