#include "core/model/stage_cut.h"

#include "core/graph/builder.h"
#include "core/model/staged_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qs::core {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

ValueId layer(GraphBuilder& b, const std::string& module, const std::string& weight, ValueId x)
{
    const ModuleScope scope(b, module);
    return b.linear(x, b.weight(weight, {DType::Float32, {4, 4}}));
}

// An encoder, a sum of both ends, a decoder that reads the input once more.
Graph cutNetwork()
{
    GraphBuilder b;
    const ValueId x = b.input("x", {DType::Float32, {2, 4}});
    const ValueId half = b.scalar("mul", x, 0.5);
    const ValueId code = layer(b, "net.encoder.fc", "encoder.weight", half);
    const ValueId both = b.binary("add", code, half);
    const ModuleScope scope(b, "net.decoder");
    const ValueId y = layer(b, "fc", "decoder.weight", b.binary("add", both, x));
    b.output(code, "code");
    b.output(y, "y");
    return b.finish().value();
}

std::vector<std::string> names(const Graph& graph, const std::vector<ValueId>& values)
{
    std::vector<std::string> all;
    for (const ValueId value : values)
        all.push_back(graph.value(value).name);
    return all;
}

const std::vector<StageCut> kCuts{{"encoder", "net.encoder"}, {"decoder", "net.decoder"}};

TEST(StageCut, EachPartHasItsOperationsWeightsInputsAndOutputs)
{
    const auto cut = cutIntoStages(cutNetwork(), kCuts);
    ASSERT_TRUE(cut.ok()) << cut.error().message;
    ASSERT_EQ(cut.value().size(), 2U);
    const Graph& encoder = cut.value()[0];
    const Graph& decoder = cut.value()[1];
    EXPECT_TRUE(validate(encoder).ok());
    EXPECT_TRUE(validate(decoder).ok());
    EXPECT_EQ(encoder.nodes.size(), 3U) << "what precedes it, its layer, and the sum";
    EXPECT_EQ(decoder.nodes.size(), 2U);
    EXPECT_THAT(names(encoder, encoder.inputs), ElementsAre("x"));
    const auto between = names(encoder, encoder.outputs);
    EXPECT_THAT(between, ElementsAre("code", HasSubstr("between_")));
    EXPECT_THAT(names(decoder, decoder.inputs), ElementsAre(between[1], "x"));
    EXPECT_THAT(names(decoder, decoder.outputs), ElementsAre("y"));
    EXPECT_GE(encoder.findValue("encoder.weight"), 0);
    EXPECT_LT(encoder.findValue("decoder.weight"), 0);
    EXPECT_EQ(encoder.nodes[1].module, "net.encoder.fc");
}

TEST(StageCut, NamesOfModulesAreWhole)
{
    const auto cut = cutIntoStages(cutNetwork(), {{"a", "net.enc"}, {"b", "net.decoder"}});
    ASSERT_FALSE(cut.ok());
    EXPECT_THAT(cut.error().message, HasSubstr("net.enc"));
}

TEST(StageCut, PartsThatTakeTurnsAreRefused)
{
    const auto cut = cutIntoStages(cutNetwork(), {kCuts[1], kCuts[0]});
    ASSERT_FALSE(cut.ok());
    EXPECT_THAT(cut.error().message, HasSubstr("decoder goes on"));
}

TEST(StageCut, WritingIntoAnEarlierPartIsRefused)
{
    GraphBuilder b;
    const ValueId x = b.input("x", {DType::Float32, {2, 4}});
    const ValueId code = layer(b, "net.encoder.fc", "encoder.weight", x);
    {
        const ModuleScope scope(b, "net.decoder");
        const ValueId part = b.select(code, 0, 0);
        b.output(b.addInPlace(part, part), "y");
    }
    const auto cut = cutIntoStages(b.finish().value(), kCuts);
    ASSERT_FALSE(cut.ok());
    EXPECT_THAT(cut.error().message, HasSubstr("decoder writes into what stage encoder made"));
}

class OneStage final : public ModelFamily
{
public:
    OneStage()
    {
        m_stages = {{"net", {{"encoder.weight", {4, 4}, {}}, {"decoder.weight", {4, 4}, {}}}}};
        m_workload.inputs = {{.name = "x"}};
        m_workload.outputs = {{"y"}, {"code"}};
        m_workload.judged = "y";
    }
    const std::vector<StageInfo>& stages() const override { return m_stages; }
    const Workload& workload() const override { return m_workload; }
    Status checkShape(const ShapePoint&) const override { return {}; }
    Result<Graph> buildStage(std::size_t, const ShapePoint&, DType) const override
    {
        return cutNetwork();
    }
    LayerPlace layerPlace(std::size_t, const std::string&) const override { return {}; }

private:
    std::vector<StageInfo> m_stages;
    Workload m_workload;
};

TEST(StagedModel, WeightsAreReadWhereTheyWere)
{
    Model model;
    model.family = std::make_shared<OneStage>();
    StoredWeights stored{{"file"}, {}};
    stored.places["net/encoder.weight"] = {0, "first"};
    stored.places["net/decoder.weight"] = {0, "second"};
    model.weights = stored;
    ASSERT_TRUE(divideModel(model, kCuts).ok());
    ASSERT_EQ(model.family->stages().size(), 2U);
    EXPECT_EQ(model.family->stages()[1].name, "decoder");
    EXPECT_EQ(model.parameterCount(0), 16);
    EXPECT_EQ(model.family->layers(1).size(), 1U);
    const auto& places = std::get<StoredWeights>(model.weights).places;
    EXPECT_EQ(places.size(), 2U);
    EXPECT_EQ(places.at("encoder/encoder.weight").name, "first");
    EXPECT_EQ(places.at("decoder/decoder.weight").name, "second");
    EXPECT_FALSE(divideModel(model, kCuts).ok()) << "it has stages by now";
}

TEST(StagedModel, NamesAreUnique)
{
    Model model;
    model.family = std::make_shared<OneStage>();
    EXPECT_FALSE(divideModel(model, {{"a", "net.encoder"}, {"a", "net.decoder"}}).ok());
}

}  // namespace
}  // namespace qs::core
