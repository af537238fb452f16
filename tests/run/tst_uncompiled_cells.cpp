// How far a compiled cell is from itself uncompiled, whatever its quality reference is.
#include "core/analysis/analysis.h"
#include "core/analysis/gates.h"
#include "core/analysis/metric_values.h"
#include "core/base/npy.h"
#include "core/record/run_folder.h"
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
        const Analysis analysis = analyse(m_data, "bf16-eager");
        return valueOf("uncompiled_difference", *analysis.find(id));
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

TEST_F(UncompiledDifference, IsThatOfTheReferenceWhereItIsTheSame)
{
    add({"reference", "bf16", "none", {4.0F, 8.0F}});
    add({"compiled", "bf16", "inductor-default", {4.0F, 7.75F}});
    compare({"reference", "compiled"});
    ASSERT_TRUE(differenceOf("compiled"));
    EXPECT_EQ(*differenceOf("compiled"), 0.25);
}

}  // namespace
