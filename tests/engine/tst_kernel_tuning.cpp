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
#include <c10/util/Exception.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

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
    // Seconds that say what is thrown instead.
    static constexpr double kTooLarge = -1.0;
    static constexpr double kNoMemory = -2.0;
    static constexpr double kRefused = -3.0;

    TimedKernel(ClockedBackend& backend, double seconds)
        : FusedKernel("timed"), m_backend(&backend), m_seconds(seconds)
    {
    }
    [[nodiscard]] Tensors run(const Tensors& inputs) const override
    {
        if (m_seconds == kTooLarge)
            throw LaunchError("too large");
        TORCH_CHECK_WITH(OutOfMemoryError, m_seconds != kNoMemory, "no memory");
        TORCH_CHECK(m_seconds != kRefused, "not for these shapes");
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
    for (const double thrown : {TimedKernel::kTooLarge, TimedKernel::kRefused}) {
        const std::string name = std::to_string(thrown);
        EXPECT_DOUBLE_EQ(chosen({unbuildable("a"), candidate(name, thrown), candidate("c", 2.0)}),
                         2.0);
        EXPECT_LT(chosen({unbuildable("a"), candidate(name, thrown)}), 0.0);
    }
}

TEST_F(KernelTuning, WhereMemoryIsShortNothingIsKept)
{
    const std::vector<Candidate> some{candidate("a", TimedKernel::kNoMemory), candidate("b", 2.0)};
    EXPECT_DOUBLE_EQ(chosen(some), 2.0);
    EXPECT_DOUBLE_EQ(chosen(some), 2.0);
    EXPECT_THAT(m_made, ElementsAre("a", "b")) << "tried anew";
    // None of them can be tried, and one will do.
    const KernelSite site{m_graph, m_backend, m_device};
    EXPECT_TRUE(fastest(site, {candidate("c", TimedKernel::kNoMemory)}, [] {
                    return std::vector<Tensors>(1);
                }).ok());
    EXPECT_TRUE(fastest(site, {candidate("d", 1.0)}, []() -> std::vector<Tensors> {
                    TORCH_CHECK_WITH(OutOfMemoryError, false, "no memory");
                }).ok());
}

TEST_F(KernelTuning, AChoiceThatCannotBeMadeAnyMoreIsMadeAnew)
{
    static_cast<void>(chosen({candidate("a", 1.0), candidate("b", 2.0)}));
    EXPECT_DOUBLE_EQ(chosen({unbuildable("a"), candidate("b", 2.0)}), 2.0);
}

// Nobody else sees a choice before it is whole.
TEST_F(KernelTuning, ATuneThatIsKilledLeavesNothing)
{
    const pid_t child = fork();
    if (child == 0) {
        const Candidate killing{"b", "text of b", []() -> MadeKernel { _exit(7); }};
        static_cast<void>(chosen({candidate("a", 1.0), killing}));
        _exit(0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_EQ(WEXITSTATUS(status), 7);
    EXPECT_TRUE(std::filesystem::is_empty(m_folder.path()));
}

TEST_F(KernelTuning, TakesWhatAnotherProcessChoseMeanwhile)
{
    const std::vector<Candidate> candidates{candidate("a", 1.0), candidate("b", 2.0)};
    tests::TestFolder other;
    {
        // There the other one is the faster.
        ClockedBackend backend;
        backend.keepKernels(other.path());
        const KernelSite site{m_graph, backend, m_device};
        const auto slow = [&](const std::string& name, double seconds) {
            return Candidate{name, "text of " + name, [&backend, seconds]() -> MadeKernel {
                                 return std::unique_ptr<FusedKernel>(
                                     std::make_unique<TimedKernel>(backend, seconds));
                             }};
        };
        ASSERT_TRUE(fastest(site, {slow("a", 3.0), slow("b", 2.0)}, [] {
                        return std::vector<Tensors>(1);
                    }).ok());
    }
    const KernelSite site{m_graph, m_backend, m_device};
    const auto kernel = fastest(site, candidates, [&] {
        std::filesystem::copy(other.path(), m_folder.path(),
                              std::filesystem::copy_options::recursive |
                                  std::filesystem::copy_options::overwrite_existing);
        return std::vector<Tensors>(1);
    });
    EXPECT_EQ(kernel.value()->choice().shape, "b");
    EXPECT_TRUE(kernel.value()->choice().kept);
}

TEST(FusedGroup, IsItsCompositionWhereNoKernelCanBeBuilt)
{
    if (!tests::QueueBackend::isSafe())
        GTEST_SKIP() << "a driver would take them";
    const c10::InferenceMode inference;
    core::GraphBuilder b;
    const core::ValueId x = b.input("x", {core::DType::Float32, {4, 8}});
    b.output(b.scalar("mul", b.scalar("add", x, 1.0), 2.0), "y");
    const core::Graph graph = b.finish().value();
    core::DeviceDescription device = core::commonGpus().front();
    tests::QueueBackend backend;
    FusedGroup group = FusedGroup::create(graph, backend, device).value();
    const at::Tensor found = group.run({at::ones({4, 8})}).front();
    EXPECT_TRUE(at::equal(found, at::ones({4, 8}) * 4.0));
    EXPECT_TRUE(group.whyComposed().has_value());
    EXPECT_FALSE(group.isOwn());
}

// Tries what it is given, all of it in no time.
class TryingBackend final : public tests::QueueBackend
{
public:
    core::Result<std::unique_ptr<RecordedWork>> record(const std::function<void()>&) override
    {
        class Work final : public RecordedWork
        {
        public:
            void launch() override {}
        };
        return std::unique_ptr<RecordedWork>(std::make_unique<Work>());
    }
};

TEST(FusedGroup, NamesNoChoiceOnceItHasFallenBack)
{
    if (!tests::QueueBackend::isSafe())
        GTEST_SKIP() << "a driver would take them";
    const c10::InferenceMode inference;
    const core::TensorType type{core::DType::BFloat16, {1, 1, 16, 64}};
    core::GraphBuilder b;
    b.output(b.attention(b.input("q", type), b.input("k", type), b.input("v", type)), "y");
    const core::Graph graph = b.finish().value();
    const core::DeviceDescription device = core::commonGpus().front();
    TryingBackend backend;
    FusedGroup group = FusedGroup::create(graph, backend, device).value();
    const at::Tensor x = at::ones({1, 1, 16, 64}, at::kBFloat16);
    static_cast<void>(group.run({x, x, x}));
    ASSERT_EQ(group.choices().size(), 1U);
    EXPECT_EQ(group.choices().front().shape, "library");
    EXPECT_FALSE(group.whyComposed().has_value());
    // Neighbours that lie apart are for the composition.
    const at::Tensor apart = at::ones({1, 1, 16, 128}, at::kBFloat16).slice(3, 0, 128, 2);
    static_cast<void>(group.run({apart, x, x}));
    EXPECT_TRUE(group.whyComposed().has_value());
    EXPECT_THAT(group.choices(), IsEmpty());
}

}  // namespace
}  // namespace qs::engine
