#include "core/analysis/time_division.h"

#include "core/analysis/metric_values.h"
#include "core/analysis/time_notes.h"
#include "tests/analysis/analysis_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace qs::core {
namespace {

using testing::DoubleNear;
using testing::Optional;
using tests::addRow;
using tests::CellText;
using tests::runOf;

constexpr double kPass = 0.01;

// A pass of 4 ms of products, 1 ms of quantizing and 1 ms of copies under the profiler.
PassProfile sixMilliseconds(const std::string& product = "nvjet_tst")
{
    return profileOf({{product, WorkKind::Product, 0.0, 0.004},
                      {"amax", WorkKind::Quantize, 0.004, 0.001},
                      {"Memcpy", WorkKind::Copy, 0.009, 0.001}},
                     1);
}

RunData profiledRun(const std::vector<CellText>& cells, const std::string& device)
{
    RunData data = runOf(cells);
    for (PlannedCell& cell : data.plan.cells)
        cell.config.device = device;
    for (const CellText& cell : cells) {
        for (int round = 0; round < 3; ++round) {
            Measurement& row = addRow(data, cell.id, round, {kPass});
            if (round == 0)
                row.result.profile = sixMilliseconds();
        }
    }
    return data;
}

PassProfile& profileOfCell(RunData& data, const std::string& cell)
{
    const auto row =
        std::find_if(data.measurements.begin(), data.measurements.end(), [&](const auto& each) {
            return each.cellId == cell && each.result.profile.has_value();
        });
    return *row->result.profile;
}

bool hasNote(const RunData& data, const char* cell, NoteCode code)
{
    const Analysis analysis = analyse(data, "best-bf16");
    const auto& notes = analysis.find(cell)->notes;
    return std::any_of(notes.begin(), notes.end(),
                       [&](const Note& note) { return note.code == code; });
}

std::optional<double> metric(const RunData& data, const char* name)
{
    const Analysis analysis = analyse(data, "best-bf16");
    return valueOf(name, *analysis.find("a"));
}

TEST(TimeDivision, SharesAreOfThePassThatWasTimed)
{
    const RunData data = profiledRun({{.id = "a"}}, "cuda:0");
    EXPECT_THAT(metric(data, "share_product"), Optional(DoubleNear(0.4, 1e-9)));
    EXPECT_THAT(metric(data, "share_quantize"), Optional(DoubleNear(0.1, 1e-9)));
    EXPECT_THAT(metric(data, "share_attention"), Optional(DoubleNear(0.0, 1e-9)));
    EXPECT_THAT(metric(data, "share_gaps"), Optional(DoubleNear(0.4, 1e-9)));
    EXPECT_THAT(metric(data, "launches"), Optional(DoubleNear(3.0, 1e-9)));
}

TEST(TimeDivision, WithoutAProfileThereIsNone)
{
    RunData data = profiledRun({{.id = "a"}}, "cuda:0");
    profileOfCell(data, "a") = {};
    EXPECT_EQ(metric(data, "share_product"), std::nullopt);
    EXPECT_EQ(metric(data, "share_gaps"), std::nullopt);
    EXPECT_FALSE(hasNote(data, "a", NoteCode::HostBound));
}

// Kernels on two streams, or a clock that rose since: there is more work than time.
TEST(TimeDivision, NeverExceedsThePass)
{
    RunData data = profiledRun({{.id = "a"}}, "cuda:0");
    profileOfCell(data, "a").kernels.front().seconds = 0.04;
    double sum = *metric(data, "share_gaps");
    EXPECT_DOUBLE_EQ(sum, 0.0);
    for (const WorkKind kind : kWorkKinds.values())
        sum += *metric(data, ("share_" + std::string(kWorkKinds.of(kind))).c_str());
    EXPECT_NEAR(sum, 1.0, 1e-9);
}

TEST(TimeDivision, GapsOnAGpuAreTheHosts)
{
    EXPECT_TRUE(hasNote(profiledRun({{.id = "a"}}, "cuda:0"), "a", NoteCode::HostBound));
    EXPECT_FALSE(hasNote(profiledRun({{.id = "a"}}, "cpu"), "a", NoteCode::HostBound));
    RunData busy = profiledRun({{.id = "a"}}, "cuda:0");
    profileOfCell(busy, "a").kernels.front().seconds = 0.0075;
    EXPECT_FALSE(hasNote(busy, "a", NoteCode::HostBound));
}

TEST(TimeDivision, ACompilerThatChangedNothingIsNoticed)
{
    const std::vector<CellText> cells{{.id = "eager"},
                                      {.id = "graph", .compile = "cuda-graph"},
                                      {.id = "compiled", .compile = "inductor-default"},
                                      {.id = "regions", .compile = "regions:norm"},
                                      {.id = "own", .compile = "fused"},
                                      {.id = "large", .compile = "inductor-default", .batch = 4}};
    RunData data = profiledRun(cells, "cuda:0");
    for (const char* id : {"compiled", "regions", "own"})
        EXPECT_TRUE(hasNote(data, id, NoteCode::SameKernels)) << id;
    EXPECT_FALSE(hasNote(data, "large", NoteCode::SameKernels)) << "another batch";
    EXPECT_FALSE(hasNote(data, "eager", NoteCode::SameKernels));
    EXPECT_FALSE(hasNote(data, "graph", NoteCode::SameKernels)) << "of a recording it is right";
    profileOfCell(data, "compiled") = sixMilliseconds("triton_tem_fused_mm");
    EXPECT_FALSE(hasNote(data, "compiled", NoteCode::SameKernels));
    // Two that compile the same are faster than eager, perhaps.
    const RunData both = profiledRun({cells[2], cells[3]}, "cuda:0");
    EXPECT_FALSE(hasNote(both, "compiled", NoteCode::SameKernels));
}

TEST(TimeDivision, ProductsForOlderChipsAreFound)
{
    CellResult result;
    result.profile = sixMilliseconds("cutlass_80_wmma_tensorop");
    const auto division = timeDivisionOf(result);
    ASSERT_TRUE(division);
    EXPECT_EQ(division->olderProduct, "cutlass_80_wmma_tensorop");
    EXPECT_DOUBLE_EQ(division->olderSeconds, 0.004);
    result.profile = sixMilliseconds();
    EXPECT_EQ(timeDivisionOf(result)->olderProduct, "");
}

// On an H200, and not on an A100, whose kernels they are.
TEST(TimeDivision, ProductsForOlderChipsAreNotedOnANewOne)
{
    for (const auto& [major, noted] : {std::pair(9, true), std::pair(8, false)}) {
        RunData data = profiledRun({{.id = "a"}}, "cuda:0");
        profileOfCell(data, "a") = sixMilliseconds("cutlass_80_wmma_tensorop");
        Environment environment;
        DeviceDescription device;
        device.id = "cuda:0";
        device.computeMajor = major;
        environment.devices.push_back(device);
        data.environments.push_back(environment);
        for (Measurement& row : data.measurements)
            row.environmentId = environment.id();
        EXPECT_EQ(hasNote(data, "a", NoteCode::OlderKernels), noted) << major;
    }
}

TEST(TimeDivision, WhoseLaunchesAComparisonMayShow)
{
    const auto sideOf = [](bool cellWaits, bool baselineWaits) {
        RunData data = profiledRun({{.id = "ref", .reference = "ref"},
                                    {.id = "a", .precision = "int8dq", .reference = "ref"}},
                                   "cuda:0");
        for (const auto& [id, waits] :
             {std::pair("a", cellWaits), std::pair("ref", baselineWaits)}) {
            if (!waits)
                profileOfCell(data, id).kernels.front().seconds = 0.0075;
        }
        const Analysis analysis = analyse(data, "bf16-eager");
        return hostBoundSide(analysis, *analysis.find("a"));
    };
    EXPECT_EQ(sideOf(false, false), HostBoundSide::Neither);
    EXPECT_EQ(sideOf(false, true), HostBoundSide::Baseline);
    EXPECT_EQ(sideOf(true, true), HostBoundSide::Cell);
}

}  // namespace
}  // namespace qs::core
