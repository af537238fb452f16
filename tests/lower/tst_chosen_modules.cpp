#include "core/lower/chosen_modules.h"

#include "core/graph/builder.h"
#include "core/model/llama/llama.h"
#include "core/model/vitok/vitok.h"
#include "tests/support/image_shape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

namespace qs::core {
namespace {

using testing::ElementsAre;

// outer.first -> between -> outer.second; outer.heads only looks at its input in another way.
class Interrupted final : public ModelFamily
{
public:
    const std::vector<StageInfo>& stages() const override { return m_stages; }
    const Workload& workload() const override { return m_workload; }
    Status checkShape(const ShapePoint&) const override { return {}; }
    Result<Graph> buildStage(std::size_t, const ShapePoint&, DType compute) const override
    {
        GraphBuilder b;
        const ValueId x = b.input("x", {compute, {2, 4}});
        const ValueId first = apply(b, "outer.first", "sin", x);
        const ValueId second = apply(b, "outer.second", "exp", apply(b, "between", "cos", first));
        const ModuleScope scope(b, "outer.heads");
        b.output(b.transpose(second, 0, 1), "y");
        return b.finish();
    }
    LayerPlace layerPlace(std::size_t, const std::string&) const override { return {}; }

private:
    static ValueId apply(GraphBuilder& b, const char* module, const char* operation, ValueId x)
    {
        const ModuleScope scope(b, module);
        return b.unary(operation, x);
    }

    std::vector<StageInfo> m_stages{{"step", {}}};
    Workload m_workload{.inputs = {{.name = "x"}}, .outputs = {{"y"}}, .judged = "y"};
};

std::optional<Note> why(const ModelFamily& family, const char* compile, const ShapePoint& shape)
{
    return whyNoRegions(family, parseCompileModes(compile, family.stages().size()).value(), shape);
}

TEST(ChosenModules, AreMetByTheirPaths)
{
    const Graph graph = Interrupted().buildStage(0, {}, DType::Float32).value();
    const auto met = [&](const char* patterns) {
        return modulesMet(graph, parseLayerPatterns(patterns).value());
    };
    EXPECT_THAT(met("outer.{second,first},between"),
                ElementsAre("outer.first", "between", "outer.second"));
    EXPECT_THAT(met("*"), ElementsAre("outer", "between"));
    EXPECT_THAT(met("oute"), testing::IsEmpty());
}

TEST(ChosenModules, AreOnePieceThatComputes)
{
    const Interrupted family;
    EXPECT_EQ(why(family, "regions:at=outer.{first,second}", {}), std::nullopt);
    EXPECT_EQ(why(family, "regions:at=outer", {}),
              (Note{NoteCode::RegionInterrupted, {"step", "outer"}}));
    EXPECT_EQ(why(family, "regions:at=outer.heads", {}),
              (Note{NoteCode::RegionOnlyArranges, {"step", "outer.heads"}}));
    EXPECT_EQ(why(family, "none", {}), std::nullopt);
}

TEST(ChosenModules, StagesAreCutBetweenBlocksOrItIsSaidWhyNot)
{
    const auto blocks = vitok::makeFamily(vitok::parseVariant("w64_d2_h4/1x8x16").value());
    const ShapePoint shape = tests::imageShape(1, 64);
    EXPECT_EQ(why(*blocks, "inductor-default:blocks=cut", shape), std::nullopt);
    const auto dynamic = why(*blocks, "inductor-default:blocks=cut:shapes=dynamic", shape);
    ASSERT_TRUE(dynamic.has_value());
    EXPECT_EQ(dynamic->code, NoteCode::Remark);
    EXPECT_EQ(why(Interrupted(), "inductor-default:blocks=cut", {}),
              (Note{NoteCode::RegionMissing, {"step", "block"}}));
}

TEST(ChosenModules, OverlapWithNothing)
{
    const auto family = vitok::makeFamily(vitok::parseVariant("w64_d2_h4/1x8x16").value());
    const ShapePoint shape = tests::imageShape(1, 64);
    EXPECT_EQ(why(*family, "regions:at=decoder_blocks.0.ffn+decoder_blocks.0", shape),
              (Note{NoteCode::RegionsOverlap, {"decoder_blocks.0.ffn", "decoder_blocks.0"}}));
    EXPECT_EQ(why(*family, "regions:block:at=decoder_blocks.0.ffn", shape),
              (Note{NoteCode::RegionsOverlap, {"block", "decoder_blocks.0.ffn"}}));
    EXPECT_EQ(why(*family, "regions:norm:at=decoder_blocks.0", shape), std::nullopt)
        << "its norms are parts of it";
}

TEST(ChosenModules, AreInAnyStageThatHasTheMode)
{
    const auto family = vitok::makeFamily(vitok::parseVariant("w64_d2_h4/1x8x16").value());
    const ShapePoint shape = tests::imageShape(1, 64);
    const Note missing{NoteCode::RegionNotThere, {"decoder_blocks.0"}};
    EXPECT_EQ(why(*family, "regions:at=decoder_blocks.0", shape), std::nullopt);
    EXPECT_EQ(why(*family, "none/regions:at=decoder_blocks.0", shape), std::nullopt);
    EXPECT_EQ(why(*family, "regions:at=decoder_blocks.0/none", shape), missing);
    EXPECT_EQ(why(*family, "regions:at=decoder_blocks.{1,7}+decoder_blocks.7.ffn", shape),
              (Note{NoteCode::RegionNotThere, {"decoder_blocks.7.ffn"}}));
}

TEST(ChosenModules, WriteToNoMemoryThatStays)
{
    const auto family = llama::makeFamily(llama::parseConfig("w64_d2_h4_k2_f96_v128").value());
    const ShapePoint shape{1, {{"prompt_tokens", 4}, {"new_tokens", 2}}};
    const std::string prefill = family->stages()[0].name;
    EXPECT_EQ(why(*family, "regions:at=model.layers.0", shape),
              (Note{NoteCode::RegionChangesMemory, {prefill, "model.layers.0"}}))
        << "keys and values go into the cache";
    EXPECT_EQ(why(*family, "regions:at=model.layers.*.mlp", shape), std::nullopt);
}

}  // namespace
}  // namespace qs::core
