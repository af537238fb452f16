#include "core/graph/layer_operations.h"
#include "core/lower/reference.h"
#include "core/lower/weight_preparation.h"
#include "tests/lower/golden_text.h"
#include "tests/support/scheme_layer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <ostream>

namespace qs::core {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct Case {
    const char* golden;
    Scheme scheme;
    std::int64_t tokens;  // of two pictures: the matrix has twice as many rows
    bool bias;
    bool cuda;

    friend void PrintTo(const Case& each, std::ostream* stream) { *stream << each.golden; }
};

DeviceDescription device(bool cuda)
{
    return cuda ? commonGpus().front() : describeCpu();
}

// y = linear(x) under the scheme; x [2, tokens, 32], weight [48, 32].
ReferenceStage oneLayer(const Case& each)
{
    return referenceStage(tests::layerStage(each.scheme, {2, each.tokens, 32}, 48, each.bias),
                          device(each.cuda))
        .value();
}

class Compositions : public testing::TestWithParam<Case>
{
};

TEST_P(Compositions, AreAsWritten)
{
    const Graph graph = oneLayer(GetParam()).graph;
    EXPECT_TRUE(tests::matchesGolden(GetParam().golden, toText(graph)));
    EXPECT_EQ(toText(graph.value(graph.outputs[0]).type),
              toText(TensorType{GetParam().scheme->workingType, {2, GetParam().tokens, 48}}));
    for (const Node& node : graph.nodes)
        EXPECT_EQ(node.module, "fc");
}

INSTANTIATE_TEST_SUITE_P(
    All, Compositions,
    testing::Values(Case{"int8dq", namedScheme("int8dq"), 12, true, true},
                    Case{"int8dq_padded", namedScheme("int8dq"), 8, false, true},
                    Case{"int8dq_cpu", namedScheme("int8dq"), 8, true, false},
                    Case{"int8wo", namedScheme("int8wo"), 12, true, true},
                    Case{"float8dq_tensor", namedScheme("float8dq-tensor"), 12, true, true},
                    Case{"float8dq_tensor_reference", namedScheme("float8dq-tensor"), 12, true,
                         false},
                    Case{"float8dq_row", namedScheme("float8dq-row"), 12, false, true},
                    Case{"float8dq_row_reference", namedScheme("float8dq-row"), 12, true, false},
                    Case{"float8wo", namedScheme("float8wo"), 12, true, true},
                    Case{"int4wo", namedScheme("int4wo-32"), 12, true, true},
                    Case{"bf16_autocast", namedScheme("bf16-autocast"), 12, true, true},
                    Case{"bf16_autocast_no_bias", namedScheme("bf16-autocast"), 12, false, true}),
    [](const auto& info) { return std::string(info.param.golden); });

struct WeightCase {
    const char* golden;
    Scheme scheme;

    friend void PrintTo(const WeightCase& each, std::ostream* stream) { *stream << each.golden; }
};

class WeightPreparations : public testing::TestWithParam<WeightCase>
{
};

TEST_P(WeightPreparations, AreAsWritten)
{
    const LayerRow row = tests::layerRow(GetParam().scheme, 48, 32);
    const Graph graph = prepareWeight(row).value();
    EXPECT_TRUE(tests::matchesGolden(GetParam().golden, toText(graph)));
    // What a preparation leaves is what the layer asks for, and what the size table counts.
    const auto parts = row.scheme->stored(row.scheme, 48, 32);
    ASSERT_EQ(graph.outputs.size(), parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
        EXPECT_EQ(graph.value(graph.outputs[i]).name, "fc.weight:" + parts[i].name);
        EXPECT_EQ(graph.value(graph.outputs[i]).type, parts[i].type);
    }
    EXPECT_THAT(graph.inputs, IsEmpty());
    const auto weights = std::count_if(graph.values.begin(), graph.values.end(),
                                       [](const Value& v) { return v.kind == ValueKind::Weight; });
    EXPECT_EQ(weights, row.scheme->statistic ? 2 : 1);
}

INSTANTIATE_TEST_SUITE_P(
    All, WeightPreparations,
    testing::Values(WeightCase{"weight_int8dq", namedScheme("int8dq")},
                    WeightCase{"weight_int8wo", namedScheme("int8wo")},
                    WeightCase{"weight_float8dq_tensor", namedScheme("float8dq-tensor")},
                    WeightCase{"weight_float8dq_row", namedScheme("float8dq-row")},
                    WeightCase{"weight_float8wo", namedScheme("float8wo")},
                    WeightCase{"weight_int4wo", namedScheme("int4wo-32")}),
    [](const auto& info) { return std::string(info.param.golden); });

// y = conv(x) under the scheme, stride 2, padding 1; x [1, 4, 8, 8], weight [6, 4, 3, 3], bias.
StageProgram convolutionStage(const Scheme& scheme, const LayerRow& row)
{
    const DType working = scheme->workingType;
    GraphBuilder builder;
    const ValueId x = builder.input("x", {working, {1, 4, 8, 8}});
    const ModuleScope scope(builder, "conv");
    const ValueId bias = builder.weight("conv.bias", {working, {6}});
    const ValueId weight = builder.weight("conv.weight", {working, {6, 4, 3, 3}});
    builder.output(conv2d(builder, x, weight, bias, {.stride = 2, .padding = 1}), "y");
    StageProgram stage;
    stage.graph = markLayers(builder.finish().value(), 0, {row});
    stage.workingType = working;
    return stage;
}

LayerRow convolutionRow(const Scheme& scheme)
{
    LayerRow row;
    row.module = "conv";
    row.weight = "conv.weight";
    row.kind = LayerKind::Convolution;
    row.weightShape = {6, 4, 3, 3};
    row.outFeatures = 6;
    row.inFeatures = 4 * 3 * 3;
    row.matched = true;
    row.scheme = scheme;
    return row;
}

TEST(Convolutions, KeepTheirSchemeUntilTheyAreExpanded)
{
    for (const auto& [golden, text] :
         {std::pair{"conv_int8wo", "int8wo"}, std::pair{"conv_bf16_autocast", "bf16-autocast"}}) {
        const Scheme scheme = namedScheme(text);
        const StageProgram stage = convolutionStage(scheme, convolutionRow(scheme));
        ASSERT_EQ(stage.graph.nodes.size(), 1U);
        EXPECT_EQ(stage.graph.nodes[0].operation->name, kQsConv);
        EXPECT_EQ(std::get<std::string>(*stage.graph.nodes[0].find("scheme")), text);
        const Graph graph = referenceStage(stage, device(true)).value().graph;
        EXPECT_TRUE(tests::matchesGolden(golden, toText(graph)));
        EXPECT_EQ(productOf(scheme, LayerKind::Convolution, device(true)).operation,
                  scheme->convolutionProduct ? "aten::_int_mm" : "aten::conv2d");
    }
}

TEST(Convolutions, AreStoredAsMatricesOfTheirOutputChannels)
{
    const LayerRow row = convolutionRow(namedScheme("int8wo"));
    const Graph graph = prepareWeight(row).value();
    EXPECT_TRUE(tests::matchesGolden("weight_conv_int8wo", toText(graph)));
    EXPECT_EQ(toText(graph.value(graph.outputs[0]).type), "int8[6, 36]");
}

TEST(Convolutions, OfPlainPrecisionsAreThoseOfAten)
{
    const Scheme scheme = namedScheme("bf16");
    const StageProgram stage = convolutionStage(scheme, convolutionRow(scheme));
    EXPECT_EQ(stage.graph.nodes[0].operation->name, "aten::conv2d");
}

std::vector<Note> notesOf(const Case& each)
{
    return oneLayer(each).notes;
}

TEST(CompositionNotes, TellOfPaddedRows)
{
    EXPECT_THAT(notesOf({"", namedScheme("int8dq"), 8, false, true}),
                ElementsAre(Note{NoteCode::RowsPadded, {16.0, 17.0}}));
    EXPECT_THAT(notesOf({"", namedScheme("int8dq"), 9, false, true}), IsEmpty()) << "18 rows";
    EXPECT_THAT(notesOf({"", namedScheme("int8dq"), 8, false, false}),
                ElementsAre(Note{NoteCode::UnfusedInt8}))
        << "a CPU takes any number of rows";
}

// PyTorch's own saturate there.
TEST(CompositionNotes, TellOfProductsInFloat64OnProcessorsWithoutExactOnes)
{
    for (const auto exact : {std::optional<bool>(), std::optional(true), std::optional(false)}) {
        DeviceDescription processor = describeCpu();
        processor.exactInt8Products = exact;
        for (const char* text : {"int8dq", "int8dq:rule=tensor", "int8sq", "int8-static"}) {
            const Scheme scheme = namedScheme(text);
            const ReferenceStage stage =
                referenceStage(tests::layerStage(scheme, {2, 12, 32}, 48, false), processor)
                    .value();
            const bool wide = exact == false;
            const Product product = productOf(scheme, LayerKind::Linear, processor);
            EXPECT_EQ(product, wide ? (Product{"aten::mm", DType::Float64})
                                    : (Product{"aten::_int_mm", DType::Int32}));
            for (const Node& node : stage.graph.nodes) {
                if (multiplies(*node.operation)) {
                    EXPECT_EQ(node.operation->name, product.operation) << text;
                }
            }
            EXPECT_EQ(
                std::count(stage.notes.begin(), stage.notes.end(), Note{NoteCode::ReferenceInt8}),
                wide ? 1 : 0);
        }
    }
}

TEST(CompositionNotes, TellOfTheReferencePath)
{
    for (const Scheme& scheme : {namedScheme("float8dq-tensor"), namedScheme("float8dq-row")}) {
        EXPECT_THAT(notesOf({"", scheme, 8, false, false}),
                    ElementsAre(Note{NoteCode::ReferenceFloat8}));
        EXPECT_THAT(notesOf({"", scheme, 8, false, true}), IsEmpty());
    }
    EXPECT_THAT(notesOf({"", namedScheme("float8wo"), 8, false, false}), IsEmpty());
}

TEST(Compositions, PlainPrecisionsStayPlain)
{
    const Graph graph = oneLayer({"", namedScheme("bf16"), 8, false, true}).graph;
    ASSERT_EQ(graph.nodes.size(), 1U);
    EXPECT_EQ(graph.nodes[0].operation->name, "aten::linear");
}

}  // namespace
}  // namespace qs::core
