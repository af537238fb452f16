#include "core/graph/builder.h"
#include "core/graph/exported/program_writer.h"
#include "core/model/catalogue.h"
#include "core/model/exported/joined_family.h"
#include "core/model/joined_paths.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qs::core {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using tests::TestFolder;

// Doubles the length of a sequence [B, N, 4], or takes one of any length and a shift.
class HalfModel final : public ModelFamily
{
public:
    explicit HalfModel(bool encodes) : m_encodes(encodes)
    {
        m_stages = {{"program", {{encodes ? "in.weight" : "out.weight", {4, 4}, {}}}}};
        m_workload.sizes = {{.name = "tokens", .fallback = 6, .smallest = 6}};
        m_workload.inputs = {{.name = "x"}};
        if (!encodes)
            m_workload.inputs.push_back({.name = "shift"});
        m_workload.outputs = {{"output"}};
        m_workload.judged = "output";
        m_workload.batches = {1, encodes ? 8 : 4};
    }
    const std::vector<StageInfo>& stages() const override { return m_stages; }
    const Workload& workload() const override { return m_workload; }
    Status checkShape(const ShapePoint& point) const override
    {
        return point.batch <= m_workload.batches.highest
                   ? Status()
                   : Status(Error{ErrorCode::InvalidArgument, "batch"});
    }
    Result<Graph> buildStage(std::size_t, const ShapePoint& point, DType compute) const override
    {
        GraphBuilder b;
        const std::int64_t tokens = point.sizes.find("tokens").value_or(6);
        ValueId x = b.input("x", {compute, {point.batch, tokens, 4}});
        x = b.linear(x, b.weight(m_stages[0].weights[0].name, {compute, {4, 4}}));
        if (m_encodes)
            x = b.concatenate({x, x}, 1);
        else
            x = b.binary("add", x, b.input("shift", {compute, {point.batch, 1, 4}}));
        b.output(x, "output");
        return b.finish();
    }
    LayerPlace layerPlace(std::size_t, const std::string&) const override { return {}; }

private:
    bool m_encodes;
    std::vector<StageInfo> m_stages;
    Workload m_workload;
};

exported::JoinedPart part(const std::string& stage, bool encodes)
{
    return {stage,
            std::make_shared<HalfModel>(encodes),
            {{"x", {"batch", "tokens", ""}}, {"shift", {"batch", "", ""}}}};
}

TEST(JoinedPrograms, SizesOfLaterOnesFollowFromTheOutputsBefore)
{
    const auto joined = exported::joinFamilies({part("encoder", true), part("decoder", false)});
    ASSERT_TRUE(joined.ok()) << joined.error().message;
    const ModelFamily& family = *joined.value();
    ASSERT_EQ(family.stages().size(), 2U);
    EXPECT_EQ(family.stages()[1].name, "decoder");
    EXPECT_EQ(family.stages()[1].weights[0].name, "out.weight");
    ASSERT_EQ(family.workload().inputs.size(), 2U);
    EXPECT_EQ(family.workload().inputs[1].name, "shift");
    EXPECT_EQ(family.workload().sizes.size(), 1U);
    EXPECT_EQ(family.workload().batches.highest, 4);
    const ShapePoint point{3, {{"tokens", 5}}};
    ASSERT_TRUE(family.checkShape(point).ok());
    const Graph encoder = family.buildStage(0, point, DType::BFloat16).value();
    const Graph decoder = family.buildStage(1, point, DType::BFloat16).value();
    EXPECT_EQ(encoder.value(encoder.outputs[0]).name, "encoder.output");
    const ValueId fed = decoder.findValue("encoder.output");
    ASSERT_GE(fed, 0);
    EXPECT_EQ(decoder.value(fed).kind, ValueKind::Input);
    EXPECT_EQ(decoder.value(fed).type, (TensorType{DType::BFloat16, {3, 10, 4}}));
    EXPECT_GE(decoder.findValue("shift"), 0);
    EXPECT_FALSE(family.checkShape({5, {{"tokens", 5}}}).ok());
}

TEST(JoinedPrograms, WhatDoesNotFitIsRefused)
{
    auto other = part("decoder", false);
    other.dimensions["x"] = {"batch", "", ""};  // a fixed length of 6, and 12 is given
    other.dimensions["shift"] = {"batch", "", ""};
    const auto unfit = exported::joinFamilies({part("encoder", true), other});
    ASSERT_FALSE(unfit.ok());
    EXPECT_THAT(unfit.error().message, HasSubstr("decoder takes"));
    EXPECT_FALSE(exported::joinFamilies({part("a", true), part("a", false)}).ok());
}

// [2, 4] in and out.
void writeLayer(const std::filesystem::path& file, std::int64_t outputs, std::int64_t inputs)
{
    GraphBuilder b;
    const ValueId x = b.input("x", {DType::Float32, {2, inputs}});
    const ModuleScope scope(b, "fc");
    b.output(b.linear(x, b.weight("fc.weight", {DType::Float32, {outputs, inputs}})), "y");
    const std::string bytes(static_cast<std::size_t>(outputs * inputs) * 4, '\0');
    ASSERT_TRUE(
        writeExportedProgram({b.finish().value(), "cpu",
                              [&](const Value&, const TextSink& sink) { return sink(bytes); }},
                             file)
            .ok());
}

TEST(JoinedPrograms, SeveralArchivesAreOneModel)
{
    const TestFolder folder;
    writeLayer(folder / "encoder.pt2", 3, 4);
    writeLayer(folder / "decoder.pt2", 5, 3);
    const std::string reference = (folder / "encoder.pt2").string() + "+decoder.pt2";
    const auto opened = openModel(reference, {}, 0);
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    const Model& model = opened.value().model;
    EXPECT_EQ(model.displayName, "encoder + decoder");
    EXPECT_EQ(model.parameterCount(), 12 + 15);
    const auto& stored = std::get<StoredWeights>(model.weights);
    EXPECT_EQ(stored.files.size(), 2U);
    EXPECT_EQ(stored.places.at("encoder/fc.weight").file, 0U);
    EXPECT_EQ(stored.places.at("decoder/fc.weight").file, 1U);
    EXPECT_TRUE(inspectModel(reference, {}, 0).usable());
    // Equal programs are one content, others another.
    const auto swapped = openModel((folder / "decoder.pt2").string() + "+encoder.pt2", {}, 0);
    ASSERT_FALSE(swapped.ok());
    EXPECT_THAT(swapped.error().message, HasSubstr("encoder takes"));
    EXPECT_FALSE(openModel((folder / "encoder.pt2").string() + "+missing.pt2", {}, 0).ok());
}

TEST(JoinedPaths, FollowTheFirst)
{
    const auto texts = [](const char* path) {
        std::vector<std::string> all;
        for (const auto& each : joinedPaths(path))
            all.push_back(each.string());
        return all;
    };
    EXPECT_THAT(texts("a/e.pt2+d.pt2+/x/h.pt2"), ElementsAre("a/e.pt2", "a/d.pt2", "/x/h.pt2"));
    EXPECT_THAT(texts("a+b.pt2"), ElementsAre("a+b.pt2"));
    EXPECT_THAT(texts("a.safetensors"), ElementsAre("a.safetensors"));
    EXPECT_EQ(joinedPaths("a.pt2+").size(), 1U);
}

}  // namespace
}  // namespace qs::core
