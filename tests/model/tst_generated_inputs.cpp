#include "core/model/generated_inputs.h"

#include "core/graph/builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace qs::core {
namespace {

constexpr std::int64_t kSamples = 64;

Graph readingBoth()
{
    GraphBuilder b;
    const ValueId tokens = b.input("tokens", {DType::Int64, {64, 32}});
    const ValueId noise = b.input("noise", {DType::BFloat16, {64, 32}});
    b.output(b.binary("add", b.cast(tokens, DType::BFloat16), noise), "y");
    return b.finish().value();
}

TEST(GeneratedInputs, LieInTheDeclaredRangeAndComeFromTheSeed)
{
    const Graph graph = readingBoth();
    Workload workload;
    workload.inputs = {{.name = "tokens", .whole = true, .lowest = 3.0, .highest = 12.0},
                       {.name = "noise", .lowest = -2.0, .highest = 0.5},
                       {.name = "unread"}};
    const HostTensors inputs = generateInputs(workload, {&graph}, 5, kSamples);
    EXPECT_EQ(inputs.size(), 2U);
    const auto& tokens = std::get<std::vector<std::int64_t>>(inputs.at("tokens").values);
    EXPECT_EQ(inputs.at("tokens").shape, (std::vector<std::int64_t>{64, 32}));
    EXPECT_EQ(std::set<std::int64_t>(tokens.begin(), tokens.end()),
              (std::set<std::int64_t>{3, 4, 5, 6, 7, 8, 9, 10, 11, 12}))
        << "both ends, and all between";
    const auto& noise = std::get<std::vector<float>>(inputs.at("noise").values);
    const auto [low, high] = std::minmax_element(noise.begin(), noise.end());
    EXPECT_GE(*low, -2.0F);
    EXPECT_LE(*high, 0.5F);
    EXPECT_LT(*low, -1.9F);
    EXPECT_GT(*high, 0.4F);

    const HostTensors again = generateInputs(workload, {&graph}, 5, kSamples);
    EXPECT_EQ(again.at("tokens").values, inputs.at("tokens").values);
    const HostTensors other = generateInputs(workload, {&graph}, 6, kSamples);
    EXPECT_NE(other.at("tokens").values, inputs.at("tokens").values);
}

// Batches of other sizes hold the same samples.
TEST(GeneratedInputs, ComeInSamplesOfAnyNumber)
{
    const Graph graph = readingBoth();
    Workload workload;
    workload.inputs = {{.name = "tokens", .whole = true, .lowest = 0.0, .highest = 99.0},
                       {.name = "noise", .batched = false}};
    const HostTensors many = generateInputs(workload, {&graph}, 5, 100);
    const HostTensors few = generateInputs(workload, {&graph}, 5, 3);
    EXPECT_EQ(many.at("tokens").shape, (std::vector<std::int64_t>{100, 32}));
    EXPECT_EQ(samplesOf(many, workload, 0, 3).at("tokens").values, few.at("tokens").values);
    const HostTensors last = samplesOf(many, workload, 99, 1);
    EXPECT_EQ(last.at("tokens").values,
              generateInputs(workload, {&graph}, 5, 1, 99).at("tokens").values);
    const auto& all = std::get<std::vector<std::int64_t>>(many.at("tokens").values);
    EXPECT_EQ(last.at("tokens").shape, (std::vector<std::int64_t>{1, 32}));
    EXPECT_EQ(std::get<std::vector<std::int64_t>>(last.at("tokens").values),
              std::vector<std::int64_t>(all.end() - 32, all.end()));
    EXPECT_EQ(last.at("noise").values, many.at("noise").values) << "it has no batch";
    EXPECT_EQ(many.at("noise").shape, (std::vector<std::int64_t>{64, 32}));
}

}  // namespace
}  // namespace qs::core
