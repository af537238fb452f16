#include "core/lower/compositions.h"
#include "core/lower/expand_schemes.h"
#include "core/quant/recipe.h"
#include "tests/lower/golden_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>

namespace qs::core {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Case {
    const char* golden;
    Scheme scheme;
    std::int64_t tokens;  // of two pictures: the matrix has twice as many rows
    bool bias;
    bool cuda;

    friend void PrintTo(const Case& each, std::ostream* stream) { *stream << each.golden; }
};

CompositionTarget target(bool cuda)
{
    return {.scaledMatmul = cuda, .leastIntegerRows = cuda ? 17 : 0};
}

// y = linear(x) under the scheme; x [2, tokens, 32], weight [48, 32].
Graph oneLayer(const Case& each, std::vector<std::string>& notes)
{
    GraphBuilder b;
    const DType working = workingType(each.scheme);
    const ValueId x = b.input("x", {working, {2, each.tokens, 32}});
    const ModuleScope scope(b, "fc");
    const ValueId bias = each.bias ? b.weight("fc.bias", {working, {48}}) : -1;
    b.output(composeLinear(b, each.scheme, x, "fc.weight", {working, {48, 32}}, bias,
                           target(each.cuda), notes),
             "y");
    return b.finish();
}

class Compositions : public testing::TestWithParam<Case>
{
};

TEST_P(Compositions, AreAsWritten)
{
    std::vector<std::string> notes;
    const Graph graph = oneLayer(GetParam(), notes);
    EXPECT_TRUE(tests::matchesGolden(GetParam().golden, toText(graph)));
    EXPECT_EQ(toText(graph.value(graph.outputs[0]).type),
              toText(TensorType{workingType(GetParam().scheme), {2, GetParam().tokens, 48}}));
    for (const Node& node : graph.nodes)
        EXPECT_EQ(node.module, "fc");
}

INSTANTIATE_TEST_SUITE_P(
    All, Compositions,
    testing::Values(Case{"int8dq", Scheme::Int8Dq, 12, true, true},
                    Case{"int8dq_padded", Scheme::Int8Dq, 8, false, true},
                    Case{"int8dq_cpu", Scheme::Int8Dq, 8, true, false},
                    Case{"int8wo", Scheme::Int8Wo, 12, true, true},
                    Case{"float8dq_tensor", Scheme::Float8DqTensor, 12, true, true},
                    Case{"float8dq_tensor_reference", Scheme::Float8DqTensor, 12, true, false},
                    Case{"float8dq_row", Scheme::Float8DqRow, 12, false, true},
                    Case{"float8dq_row_reference", Scheme::Float8DqRow, 12, true, false},
                    Case{"float8wo", Scheme::Float8Wo, 12, true, true},
                    Case{"bf16_autocast", Scheme::Bf16Autocast, 12, true, true},
                    Case{"bf16_autocast_no_bias", Scheme::Bf16Autocast, 12, false, true}),
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
    LayerRow row;
    row.module = "fc";
    row.inFeatures = 32;
    row.outFeatures = 48;
    row.scheme = GetParam().scheme;
    const Graph graph = prepareWeight(row, DType::BFloat16);
    EXPECT_TRUE(tests::matchesGolden(GetParam().golden, toText(graph)));
    // What a preparation leaves is what the layer asks for, and what the size table counts.
    const auto types = storedTypes(row.scheme, 48, 32);
    ASSERT_EQ(graph.outputs.size(), 2U);
    EXPECT_EQ(graph.value(graph.outputs[0]).name, "fc.weight:codes");
    EXPECT_EQ(graph.value(graph.outputs[1]).name, "fc.weight:scale");
    EXPECT_EQ(graph.value(graph.outputs[0]).type, types[0]);
    EXPECT_EQ(graph.value(graph.outputs[1]).type, types[1]);
    EXPECT_EQ(types[0].bytes() + types[1].bytes(), storedBytes(row.scheme, 48, 32, false));
    EXPECT_THAT(graph.inputs, IsEmpty());
    const auto weights = std::count_if(graph.values.begin(), graph.values.end(),
                                       [](const Value& v) { return v.kind == ValueKind::Weight; });
    EXPECT_EQ(weights, 1);
}

INSTANTIATE_TEST_SUITE_P(All, WeightPreparations,
                         testing::Values(WeightCase{"weight_int8dq", Scheme::Int8Dq},
                                         WeightCase{"weight_int8wo", Scheme::Int8Wo},
                                         WeightCase{"weight_float8dq_tensor",
                                                    Scheme::Float8DqTensor},
                                         WeightCase{"weight_float8dq_row", Scheme::Float8DqRow},
                                         WeightCase{"weight_float8wo", Scheme::Float8Wo}),
                         [](const auto& info) { return std::string(info.param.golden); });

std::vector<std::string> notesOf(const Case& each)
{
    std::vector<std::string> notes;
    (void)oneLayer(each, notes);
    return notes;
}

TEST(CompositionNotes, TellOfPaddedRows)
{
    EXPECT_THAT(notesOf({"", Scheme::Int8Dq, 8, false, true}),
                ElementsAre("int8 products padded from 16 to 17 rows"));
    EXPECT_THAT(notesOf({"", Scheme::Int8Dq, 9, false, true}), IsEmpty()) << "18 rows";
    EXPECT_THAT(notesOf({"", Scheme::Int8Dq, 8, false, false}), IsEmpty()) << "a CPU takes any";
}

TEST(CompositionNotes, TellOfTheReferencePath)
{
    for (const Scheme scheme : {Scheme::Float8DqTensor, Scheme::Float8DqRow}) {
        EXPECT_THAT(notesOf({"", scheme, 8, false, false}),
                    ElementsAre(HasSubstr("reference path")));
        EXPECT_THAT(notesOf({"", scheme, 8, false, true}), IsEmpty());
    }
    EXPECT_THAT(notesOf({"", Scheme::Float8Wo, 8, false, false}), IsEmpty());
}

TEST(Compositions, ExistForQuantizingSchemesOnly)
{
    std::vector<std::string> notes;
    EXPECT_DEATH((void)oneLayer({"", Scheme::Bf16, 8, false, true}, notes), "quantizesWeights");
}

}  // namespace
}  // namespace qs::core
