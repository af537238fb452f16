#include "core/engine/quantize/sample_walk.h"

#include "core/graph/builder.h"
#include "tests/engine/cpu_device.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

namespace qs::engine {
namespace {

using core::DType;
using core::GraphBuilder;
using core::ValueId;
using core::ValueRef;

constexpr std::int64_t kNarrow = 2;
constexpr std::int64_t kWide = 64;
constexpr std::size_t kBlocks = 12;

core::TensorType floatTensor(std::vector<std::int64_t> shape)
{
    return {DType::Float32, std::move(shape)};
}

// Blocks of four instructions, between which two numbers live and in which many do: x is widened,
// counted into the block's own state in place, through a view that is read afterwards, and added up
// again.
class SampleWalkTest : public ::testing::Test
{
protected:
    SampleWalkTest()
    {
        GraphBuilder b;
        ValueId x = b.input("x", floatTensor({kNarrow, 1}));
        NamedTensors states;
        for (std::size_t block = 0; block < kBlocks; ++block) {
            const std::string name = "seen" + std::to_string(block);
            const ValueId state = b.state(name, floatTensor({kNarrow, kWide}));
            states.emplace(name, at::zeros({kNarrow, kWide}));
            const ValueId view = b.view(state, {kNarrow * kWide});
            const ValueId wide =
                b.call1("aten::expand", {{"self", ValueRef{x}},
                                         {"size", std::vector<std::int64_t>{kNarrow, kWide}}});
            m_stops.push_back(5 * block + 2);
            b.call1("aten::add_.Tensor", {{"self", ValueRef{state}}, {"other", ValueRef{wide}}});
            const ValueId read = b.view(view, {kNarrow, kWide});
            x = b.call1("aten::sum.dim_IntList", {{"self", ValueRef{read}},
                                                  {"dim", std::vector<std::int64_t>{1}},
                                                  {"keepdim", true}});
        }
        b.output(x, "y");
        m_graph = b.finish().value();
        m_states = states;
        m_executor.emplace(Executor::create(m_graph, states, tests::kCpu).value());
    }

    [[nodiscard]] SampleWalk walk()
    {
        std::vector<Executor::Values> samples;
        for (const float first : {1.0F, 2.0F, 3.0F})
            samples.push_back(m_executor->begin({at::full({kNarrow, 1}, first)}));
        return {m_graph, *m_executor, m_stops, std::move(samples)};
    }

    [[nodiscard]] std::vector<float> widened(SampleWalk& walk, std::size_t stop) const
    {
        std::vector<float> seen;
        const core::ValueId id = m_graph.nodes[m_stops[stop]].tensor("other");
        walk.visit(m_stops[stop], [&](const Executor::Values& values) {
            seen.push_back(values[static_cast<std::size_t>(id)].toTensor().max().item<float>());
        });
        return seen;
    }

    c10::InferenceMode m_guard;
    core::Graph m_graph;
    NamedTensors m_states;
    std::vector<std::size_t> m_stops;

    std::optional<Executor> m_executor;
};

TEST_F(SampleWalkTest, WhatIsSeenDoesNotDependOnHowOftenOneLooks)
{
    SampleWalk once = walk();
    const std::vector<float> expected = widened(once, 3);
    const float factor = kWide * kWide * kWide;
    EXPECT_EQ(expected, (std::vector<float>{factor, 2.0F * factor, 3.0F * factor}));
    SampleWalk often = walk();
    for (std::size_t stop = 0; stop < 3; ++stop) {
        EXPECT_EQ(widened(often, stop), widened(often, stop)) << stop;
        often.goOnTowards(stop + 1);
    }
    EXPECT_EQ(widened(often, 3), expected);
}

TEST_F(SampleWalkTest, RestsWhereLittleIsHeld)
{
    SampleWalk walk = this->walk();
    for (std::size_t stop = 0; stop + 1 < m_stops.size(); ++stop) {
        static_cast<void>(widened(walk, stop));
        walk.goOnTowards(stop + 1);
        EXPECT_EQ(walk.place() % 5, 0U) << "between two blocks, not within one";
        EXPECT_EQ(walk.place(), 5 * (stop + 1));
    }
}

TEST_F(SampleWalkTest, InitialStatesStayAsTheyAre)
{
    SampleWalk walk = this->walk();
    for (std::size_t stop = 0; stop + 1 < m_stops.size(); ++stop)
        walk.goOnTowards(stop + 1);
    static_cast<void>(widened(walk, m_stops.size() - 1));
    for (const auto& [name, state] : m_states)
        EXPECT_EQ(state.abs().max().item<float>(), 0.0F) << name;
}

TEST_F(SampleWalkTest, ReplacedInstructionsAreNotRun)
{
    SampleWalk walk = this->walk();
    walk.replace(m_stops[0], [](const Executor::Values&) {
        return std::vector<at::Tensor>{at::ones({kNarrow, kWide})};
    });
    // The state was not counted up, so its view holds zeros.
    EXPECT_EQ(widened(walk, 1), (std::vector<float>{0.0F, 0.0F, 0.0F}));
    walk.goOnTowards(1);
    EXPECT_EQ(widened(walk, 1), (std::vector<float>{0.0F, 0.0F, 0.0F}));
}

}  // namespace
}  // namespace qs::engine
