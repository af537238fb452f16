#include "core/engine/compile/kernel_tuning.h"

#include "core/engine/compile/fused_group.h"
#include "core/graph/builder.h"
#include "core/lower/fused/kernel_source.h"
#include "tests/engine/cpu_device.h"
#include "tests/engine/still_backend.h"
#include "tests/support/test_folder.h"

#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>
#include <c10/core/InferenceMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace qs::engine {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A device whose clock is moved by the kernels themselves.
class ClockedBackend final : public tests::StillBackend
{
public:
    core::Result<std::unique_ptr<RecordedWork>> record(const std::function<void()>& work) override
    {
        class Work final : public RecordedWork
        {
        public:
            Work(double& clock, double took) : m_clock(&clock), m_took(took) {}
            void launch() override { *m_clock += m_took; }

        private:
            double* m_clock;
            double m_took;
        };
        const double before = seconds;
        work();
        return std::unique_ptr<RecordedWork>(std::make_unique<Work>(seconds, seconds - before));
    }
    core::PassSample timeSample(const SamplePlan& plan) override
    {
        const double before = seconds;
        for (const auto& step : plan.steps)
            step();
        core::PassSample sample;
        sample.hostSeconds = seconds - before;
        return sample;
    }

    double seconds = 0.0;
};

class TimedKernel final : public FusedKernel
{
public:
    TimedKernel(ClockedBackend& backend, double seconds)
        : FusedKernel("timed"), m_backend(&backend), m_seconds(seconds)
    {
    }
    [[nodiscard]] Tensors run(const Tensors& inputs) const override
    {
        if (m_seconds < 0.0)
            throw LaunchError("too large");
        m_backend->seconds += m_seconds;
        return inputs;
    }

private:
    ClockedBackend* m_backend;
    double m_seconds;
};

class KernelTuning : public testing::Test
{
protected:
    KernelTuning()
    {
        m_device.name = "card";
        m_device.driver = "1";
        m_backend.keepKernels(m_folder.path());
    }

    [[nodiscard]] Candidate candidate(const std::string& name, double seconds)
    {
        return {name, "text of " + name, [this, name, seconds]() -> MadeKernel {
                    m_made.push_back(name);
                    return std::unique_ptr<FusedKernel>(
                        std::make_unique<TimedKernel>(m_backend, seconds));
                }};
    }
    [[nodiscard]] static Candidate unbuildable(const std::string& name)
    {
        return {name, "text of " + name, [] {
                    return core::Error{core::ErrorCode::Unsupported, "no"};
                }};
    }
    // Seconds of the one that was chosen; less than none: an error.
    [[nodiscard]] double chosen(const std::vector<Candidate>& candidates)
    {
        m_made.clear();
        const KernelSite site{m_graph, m_backend, m_device};
        const auto kernel = fastest(site, candidates, [] { return std::vector<Tensors>(1); });
        if (!kernel.ok())
            return -1.0;
        const double before = m_backend.seconds;
        static_cast<void>(kernel.value()->run({}));
        return m_backend.seconds - before;
    }

    tests::TestFolder m_folder;
    core::Graph m_graph;
    core::DeviceDescription m_device;
    ClockedBackend m_backend;
    std::vector<std::string> m_made;
};

TEST_F(KernelTuning, TakesTheFastest)
{
    EXPECT_DOUBLE_EQ(chosen({candidate("a", 3.0), candidate("b", 1.0), candidate("c", 2.0)}), 1.0);
    EXPECT_THAT(m_made, ElementsAre("a", "b", "c"));
}

TEST_F(KernelTuning, TriesOnce)
{
    const std::vector<Candidate> candidates{candidate("a", 3.0), candidate("b", 1.0)};
    static_cast<void>(chosen(candidates));
    EXPECT_DOUBLE_EQ(chosen(candidates), 1.0);
    EXPECT_THAT(m_made, ElementsAre("b"));
}

TEST_F(KernelTuning, SaysWhatWasChosenAndWhatThatTookThen)
{
    const std::vector<Candidate> candidates{candidate("a", 3.0), candidate("b", 1.0)};
    const KernelSite site{m_graph, m_backend, m_device};
    const auto choice = [&] {
        return fastest(site, candidates, [] { return std::vector<Tensors>(1); }).value()->choice();
    };
    const core::KernelChoice made = choice();
    EXPECT_EQ(made.kernel, "timed");
    EXPECT_EQ(made.shape, "b");
    EXPECT_GT(made.seconds, 0.0);
    EXPECT_FALSE(made.kept);
    const core::KernelChoice again = choice();
    EXPECT_TRUE(again.kept);
    EXPECT_EQ(again.shape, "b");
    EXPECT_NEAR(again.seconds, made.seconds, 1e-6);
}

TEST_F(KernelTuning, CompilesSourcesBeforeItTriesThem)
{
    m_device.computeMajor = 9;
    std::vector<Candidate> candidates{candidate("a", 3.0), candidate("b", 1.0),
                                      candidate("c", 2.0)};
    for (Candidate& each : candidates) {
        each.isSource = each.name != "c";
        each.text = "extern \"C\" __global__ void " + each.name + "(int* x) { *x = 7; }";
    }
    EXPECT_DOUBLE_EQ(chosen(candidates), 1.0);
    const auto known = [&](const Candidate& of) {
        return core::compileKernel(core::cudaPrelude() + of.text, 9, m_device.computeMinor,
                                   m_backend.kernels())
            .value()
            .kept;
    };
    EXPECT_TRUE(known(candidates[0]));
    EXPECT_TRUE(known(candidates[1]));
    EXPECT_FALSE(known(candidates[2])) << "not a text of ours";
}

TEST_F(KernelTuning, TriesAnewWhereAnythingDiffers)
{
    static_cast<void>(chosen({candidate("a", 3.0), candidate("b", 1.0)}));
    m_device.driver = "2";
    static_cast<void>(chosen({candidate("a", 1.0), candidate("b", 3.0)}));
    EXPECT_THAT(m_made, ElementsAre("a", "b"));
    m_device.name = "other card";
    EXPECT_DOUBLE_EQ(chosen({candidate("a", 1.0), candidate("b", 3.0)}), 1.0);
    EXPECT_THAT(m_made, ElementsAre("a", "b"));
    EXPECT_DOUBLE_EQ(chosen({candidate("a", 1.0), candidate("c", 0.5)}), 0.5);
}

TEST_F(KernelTuning, WhatWasLeftHalfIsTriedAnew)
{
    const std::vector<Candidate> candidates{candidate("a", 3.0), candidate("b", 1.0)};
    static_cast<void>(chosen(candidates));
    for (const auto& file : std::filesystem::recursive_directory_iterator(m_folder.path())) {
        if (file.is_regular_file())
            std::ofstream(file.path()) << "half";
    }
    EXPECT_DOUBLE_EQ(chosen(candidates), 1.0);
    EXPECT_THAT(m_made, ElementsAre("a", "b"));
}

TEST_F(KernelTuning, PassesOverWhatTheDeviceDoesNotTake)
{
    EXPECT_DOUBLE_EQ(chosen({unbuildable("a"), candidate("b", -1.0), candidate("c", 2.0)}), 2.0);
    EXPECT_LT(chosen({unbuildable("a"), candidate("b", -1.0)}), 0.0);
}

// There is a queue, but no driver that could take a kernel for it.
class QueueBackend final : public tests::StillBackend
{
public:
    void* stream() const override { return const_cast<QueueBackend*>(this); }
};

TEST(FusedGroup, IsItsCompositionWhereNoKernelCanBeBuilt)
{
    const c10::InferenceMode inference;
    core::GraphBuilder b;
    const core::ValueId x = b.input("x", {core::DType::Float32, {4, 8}});
    b.output(b.scalar("mul", b.scalar("add", x, 1.0), 2.0), "y");
    const core::Graph graph = b.finish().value();
    core::DeviceDescription device = core::commonGpus().front();
    QueueBackend backend;
    FusedGroup group = FusedGroup::create(graph, backend, device).value();
    const at::Tensor found = group.run({at::ones({4, 8})}).front();
    EXPECT_TRUE(at::equal(found, at::ones({4, 8}) * 4.0));
    EXPECT_TRUE(group.whyComposed().has_value());
    EXPECT_FALSE(group.isOwn());
}

}  // namespace
}  // namespace qs::engine
