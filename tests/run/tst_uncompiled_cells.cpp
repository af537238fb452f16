// How far a compiled cell is from itself uncompiled, whatever its quality reference is.
#include "core/analysis/analysis.h"
#include "core/analysis/gates.h"
#include "core/analysis/metric_values.h"
#include "core/base/npy.h"
#include "core/record/run_folder.h"
#include "core/record/token_array.h"
#include "core/run/output_comparison.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace {

using namespace qs::core;
using namespace qs::tests;
using testing::IsEmpty;

struct StoredCell {
    std::string id;
    std::string precision;
    std::string compile;
    std::vector<float> output;
    // Of a trained model that writes: a prompt of two tokens, and these.
    std::vector<float> tokens = {};
};

class UncompiledDifference : public testing::Test
{
protected:
    void add(const StoredCell& stored)
    {
        PlannedCell cell;
        cell.id = stored.id;
        cell.referenceId = "reference";
        cell.output = OutputKind::Logits;
        cell.trained = !stored.tokens.empty();
        cell.config.precision = {stored.precision};
        cell.config.compile = stored.compile;
        m_data.plan.cells.push_back(cell);
        Measurement row;
        row.cellId = cell.id;
        row.environmentId = "e1";
        row.result.hostSeconds = {1.0};
        row.result.outputs = {{0, "output_0.npy", "hash"}};
        m_data.measurements.push_back(row);
        std::filesystem::create_directories(m_run / ("cells/" + cell.id));
        const auto columns = static_cast<std::int64_t>(stored.output.size());
        ASSERT_TRUE(
            writeNpy(outputArray(m_run.path(), cell.id, 0), {{1, columns}, stored.output}).ok());
        if (cell.trained) {
            writeTokens(cell.id, TokenFile::Prompt, {5.0F, 6.0F});
            writeTokens(cell.id, TokenFile::Generated, stored.tokens);
        }
    }
    void writeTokens(const std::string& id, TokenFile file, const std::vector<float>& tokens)
    {
        const auto count = static_cast<std::int64_t>(tokens.size());
        ASSERT_TRUE(writeNpy(tokenArray(m_run.path(), id, file, 0), {{count}, tokens}).ok());
    }
    // Compares cells in this order.
    void compare(const std::vector<std::string>& ids)
    {
        m_data.folder = m_run.path();
        OutputComparison comparison(m_run.path(), m_data);
        for (const std::string& id : ids) {
            const auto outcome = comparison.compare(*m_data.plan.find(id), "e1");
            EXPECT_THAT(outcome.problems, IsEmpty());
            for (const OutputQuality& quality : outcome.qualities)
                m_data.qualities.push_back(quality);
        }
    }
    [[nodiscard]] std::optional<double> differenceOf(const std::string& id) const
    {
        return valueOfCell("uncompiled_difference", id);
    }
    [[nodiscard]] std::optional<double> valueOfCell(const char* metric, const std::string& id) const
    {
        const Analysis analysis = analyse(m_data, "bf16-eager");
        return valueOf(metric, *analysis.find(id));
    }

    TestFolder m_run;
    RunData m_data;
};

TEST_F(UncompiledDifference, IsThatOfTheSamePrecision)
{
    add({"reference", "bf16", "none", {4.0F, 8.0F}});
    add({"compiled", "float8-delayed", "regions:rope", {1.0F, 2.5F}});
    add({"eager", "float8-delayed", "none", {1.25F, 2.0F}});
    add({"alone", "int8dq", "regions:rope", {1.0F, 1.0F}});
    for (const std::vector<std::string>& order :
         {std::vector<std::string>{"reference", "eager", "compiled", "alone"},
          {"compiled", "alone", "eager", "reference"}}) {
        m_data.qualities.clear();
        compare(order);
        ASSERT_TRUE(differenceOf("compiled"));
        EXPECT_EQ(*differenceOf("compiled"), 0.5);
        EXPECT_FALSE(differenceOf("eager")) << "it is not compiled";
        EXPECT_FALSE(differenceOf("alone")) << "the run has no such cell uncompiled";
        EXPECT_FALSE(differenceOf("reference"));
        const auto said = std::count_if(
            m_data.qualities.begin(), m_data.qualities.end(),
            [](const OutputQuality& each) { return each.referenceId == kUncompiledId; });
        EXPECT_EQ(said, 1) << "once";
    }
    const auto results = evaluateGates(m_data, analyse(m_data, "bf16-eager"),
                                       {gateFromText("uncompiled_difference <= 0.578125").value()});
    EXPECT_EQ(results[1].at(0).verdict, GateVerdict::Pass);
    EXPECT_EQ(results[3].at(0).verdict, GateVerdict::NotTestable);
}

TEST_F(UncompiledDifference, OfGptqIsThatFromItsStraightWay)
{
    add({"straight", "gptq-int4-128:by=straight:samples=2", "none", {1.0F, 2.0F}});
    add({"improved", "gptq-int4-128:samples=2", "none", {1.0F, 2.25F}});
    add({"compiled", "gptq-int4-128:by=compiled:samples=2", "none", {1.5F, 2.0F}});
    add({"graph", "gptq-int4-128:samples=2", "cuda-graph", {1.0F, 2.375F}});
    add({"others", "gptq-int4-128:by=compiled:samples=4", "none", {9.0F, 9.0F}});
    add({"rounded", "int8wo:by=division", "none", {7.0F, 7.0F}});
    compare({"compiled", "graph", "improved", "others", "rounded", "straight"});
    EXPECT_EQ(differenceOf("improved"), 0.25);
    EXPECT_EQ(differenceOf("compiled"), 0.5);
    EXPECT_EQ(differenceOf("graph"), 0.125) << "from what it is without the graph";
    for (const char* id : {"straight", "others", "rounded"})
        EXPECT_FALSE(differenceOf(id)) << id;
}

// A text may be near the reference and not be that of the straight way, and the other way round.
TEST_F(UncompiledDifference, EqualTokensOfGptqAreThoseOfItsStraightWay)
{
    add({"reference", "bf16", "none", {4.0F, 8.0F}, {1.0F, 1.0F, 1.0F, 1.0F}});
    add({"straight", "gptq-int4-128:by=straight", "none", {1.0F, 2.0F}, {1.0F, 2.0F, 3.0F, 4.0F}});
    add({"improved", "gptq-int4-128", "none", {1.0F, 2.0F}, {1.0F, 2.0F, 3.0F, 4.0F}});
    add({"compiled", "gptq-int4-128:by=compiled", "none", {1.0F, 2.0F}, {1.0F, 1.0F, 3.0F, 1.0F}});
    compare({"reference", "straight", "improved", "compiled"});
    EXPECT_EQ(valueOfCell("uncompiled_token_agreement", "improved"), 1.0);
    EXPECT_EQ(valueOfCell("uncompiled_token_agreement", "compiled"), 0.5);
    EXPECT_EQ(valueOfCell("uncompiled_token_agreement_with_prompt", "improved"), 1.0);
    EXPECT_DOUBLE_EQ(*valueOfCell("uncompiled_token_agreement_with_prompt", "compiled"), 4.0 / 6.0);
    EXPECT_EQ(valueOfCell("token_agreement_mean", "improved"), 0.25) << "of bf16";
    for (const char* id : {"reference", "straight"})
        EXPECT_FALSE(valueOfCell("uncompiled_token_agreement", id)) << id;

    const auto results =
        evaluateGates(m_data, analyse(m_data, "bf16-eager"),
                      {gateFromText("uncompiled_token_agreement >= 1").value(),
                       gateFromText("uncompiled_token_agreement_with_prompt >= 1").value()});
    for (const std::size_t gate : {0U, 1U}) {
        EXPECT_EQ(results[1].at(gate).reason, GateReason::NotMeasured);
        EXPECT_EQ(results[2].at(gate).verdict, GateVerdict::Pass);
        EXPECT_EQ(results[3].at(gate).verdict, GateVerdict::Fail);
    }
}

// Equal tokens of weights that nobody trained say nothing.
TEST_F(UncompiledDifference, TellsNoTokensOfUntrainedWeights)
{
    add({"straight", "gptq-int4-128:by=straight", "none", {1.0F, 2.0F}, {1.0F, 2.0F}});
    add({"improved", "gptq-int4-128", "none", {1.0F, 2.0F}, {1.0F, 2.0F}});
    for (PlannedCell& cell : m_data.plan.cells)
        cell.trained = false;
    compare({"straight", "improved"});
    EXPECT_EQ(differenceOf("improved"), 0.0);
    EXPECT_FALSE(valueOfCell("uncompiled_token_agreement", "improved"));
    const auto results = evaluateGates(m_data, analyse(m_data, "bf16-eager"),
                                       {gateFromText("uncompiled_token_agreement >= 1").value()});
    EXPECT_EQ(results[1].at(0).reason, GateReason::Untrained);
}

TEST_F(UncompiledDifference, IsThatOfTheReferenceWhereItIsTheSame)
{
    add({"reference", "bf16", "none", {4.0F, 8.0F}});
    add({"compiled", "bf16", "inductor-default", {4.0F, 7.75F}});
    compare({"reference", "compiled"});
    ASSERT_TRUE(differenceOf("compiled"));
    EXPECT_EQ(*differenceOf("compiled"), 0.25);
}

}  // namespace
