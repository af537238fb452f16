// Whether rows that were measured on a GPU keep what is promised of measurements: agreement with
// the timers of others, no verdict between equals, medians of processes that lie together. The rows
// and the way they were made are in tests/golden/measurement.

#include "core/analysis/analysis.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/measure/memory_self_test.h"
#include "core/record/run_folder.h"
#include "core/stats/moments.h"
#include "core/stats/quantiles.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace qs::core {
namespace {

const std::filesystem::path kRows = QS_MEASURED_ROWS;

// Seconds by round, by kernel and timer.
using Timings = std::map<std::string, std::map<std::string, std::vector<double>>>;

Timings readTimings()
{
    Timings timings;
    std::istringstream lines(
        readTextFile(kRows / "agreement.jsonl", std::uint64_t{1} << 20U).value());
    for (std::string line; std::getline(lines, line);) {
        const Json row = Json::parse(line);
        if (row.contains("kernel"))
            timings[row["kernel"]][row["timer"]].push_back(row["seconds"].get<double>());
    }
    return timings;
}

// Ours over theirs, the median over rounds of the ratio within the round.
double ratio(const std::map<std::string, std::vector<double>>& timers, const std::string& ours,
             const std::string& theirs)
{
    std::vector<double> ratios;
    const std::vector<double>& one = timers.at(ours);
    const std::vector<double>& other = timers.at(theirs);
    for (std::size_t i = 0; i < std::min(one.size(), other.size()); ++i)
        ratios.push_back(one[i] / other[i]);
    return median(ratios);
}

TEST(MeasuredRows, AgreeWithTheTimersOfTritonAndPyTorch)
{
    const Timings timings = readTimings();
    EXPECT_GE(timings.size(), 8U);
    for (const auto& [kernel, timers] : timings) {
        ASSERT_GE(median(timers.at("ours_eager_warm")), 100e-6) << kernel << " is too short";
        EXPECT_NEAR(ratio(timers, "ours_graph_warm", "triton_cudagraph"), 1.0, 0.02) << kernel;
        EXPECT_NEAR(ratio(timers, "ours_eager_warm", "torch_timer"), 1.0, 0.02) << kernel;
    }
}

// do_bench clears 256 MB before each call, so that it is held against ours with a cold cache. A
// copy in a graph goes another way than a launched one, which is there with a warm cache only; what
// it moves is ten times the cache.
TEST(MeasuredRows, AgreeWithTritonsColdTimer)
{
    for (const auto& [kernel, timers] : readTimings()) {
        const bool copies = kernel.starts_with("copy");
        const double ours =
            ratio(timers, copies ? "ours_eager_warm" : "ours_graph_cold", "triton_do_bench");
        if (kernel != "gemm_bf16_4096") {
            EXPECT_NEAR(ours, 1.0, 0.02) << kernel;
            continue;
        }
        // The one that the power limit parts, by 2.7 %: a product that is faster the longer the
        // pause before it. Clearing 256 MB is a longer pause than ours, and the idle wait of an
        // event loop a longer one still. Without pauses, recorded in a graph, it agrees above.
        EXPECT_GT(ours, 1.0);
        EXPECT_LT(ours, ratio(timers, "ours_graph_cold", "nvbench_like"));
    }
}

// Nobody's rows are left out of the tests here.
TEST(MeasuredRows, HaveTheSameTimersForEachKernel)
{
    const std::set<std::string> known{"nvbench_like",    "ours_eager_warm", "ours_graph_cold",
                                      "ours_graph_warm", "torch_timer",     "triton_cudagraph",
                                      "triton_do_bench"};
    for (const auto& [kernel, timers] : readTimings()) {
        std::set<std::string> names;
        for (const auto& [timer, seconds] : timers) {
            names.insert(timer);
            EXPECT_GE(seconds.size(), 3U) << kernel << ", " << timer;
            EXPECT_EQ(seconds.size(), timers.at("ours_graph_cold").size()) << kernel;
        }
        EXPECT_EQ(names, known) << kernel;
    }
}

TEST(MeasuredRows, AgreeWithAnEventLoopWhereNoPowerLimitIsMet)
{
    // The others run into the power limit, and faster in a loop that lets the GPU rest.
    const std::set<std::string> limited{"gemm_bf16_4096", "gemm_fp16_8192",
                                        "attention_16x16x2048x64"};
    int agreeing = 0;
    for (const auto& [kernel, timers] : readTimings()) {
        if (limited.contains(kernel))
            continue;
        // A copy in a graph goes another way than a launched one.
        const bool copies = kernel.starts_with("copy");
        const double ours =
            ratio(timers, copies ? "ours_eager_warm" : "ours_graph_cold", "nvbench_like");
        EXPECT_NEAR(ours, 1.0, 0.03) << kernel;
        agreeing += std::abs(ours - 1.0) <= 0.02 ? 1 : 0;
    }
    EXPECT_GE(agreeing, 6);
}

class EqualPairs : public ::testing::Test
{
protected:
    EqualPairs() : m_data(readRunFolder(kRows / "equal_pairs").value()) {}

    RunData m_data;
};

// How many pairs that do the same work were measured in at least three rounds, none of which may
// have a verdict but SAME.
struct PairCount {
    int all = 0;
    int same = 0;

    void add(const RunData& data, bool (*isCopy)(const PlannedCell&))
    {
        for (const CellSummary& cell : analyse(data, "bf16-eager").cells) {
            if (!isCopy(*cell.cell) || !cell.claim || cell.claim->verdict == Verdict::TooFewRounds)
                continue;
            const Verdict verdict = cell.claim->verdict;
            EXPECT_TRUE(verdict == Verdict::Same || verdict == Verdict::Ambiguous)
                << toString(verdict) << " by " << cell.speedup.value_or(0.0) << ", batch "
                << cell.cell->config.batch << ", " << cell.cell->config.imageSize() << " px";
            ++all;
            same += verdict == Verdict::Same ? 1 : 0;
        }
    }
};

TEST_F(EqualPairs, GetNoVerdict)
{
    PairCount pairs;
    pairs.add(m_data, [](const PlannedCell& cell) { return cell.config.layers != "all"; });
    EXPECT_GE(pairs.all, 30);
    // The noise-floor runs of the examples repeat the reference to the letter.
    for (const auto& run : std::filesystem::directory_iterator(QS_EXAMPLE_RUNS)) {
        if (run.is_directory())
            pairs.add(readRunFolder(run.path()).value(),
                      [](const PlannedCell& cell) { return cell.rerun > 0; });
    }
    EXPECT_GE(pairs.all, 35);
    EXPECT_GT(pairs.same, 0) << "some are settled";
    RecordProperty("pairs", pairs.all);
    RecordProperty("same", pairs.same);
}

// A self-test of a gigabyte before the cell is no part of it: no round stands out from the others.
// Three rounds on a GPU decide what the eye sees: nothing whose whole interval lies beyond 5 % is
// left open, but for eager cells, whose launches take another time in each process.
TEST(ExampleRuns, OfThreeRoundsDecideWhatIsFarFromEqual)
{
    for (const char* name : {"vitok_350m_modes_h200", "vitok_350m_modes_b1_h200"}) {
        const RunData data = readRunFolder(std::filesystem::path(QS_EXAMPLE_RUNS) / name).value();
        const Analysis analysis = analyse(data, "best-bf16");
        int compared = 0;
        for (const CellSummary& cell : analysis.cells) {
            if (!cell.claim || !cell.speedupInterval || cell.cellId == cell.baselineId ||
                cell.cell->config.compile == "none")
                continue;
            ++compared;
            constexpr double kFar = 0.05;
            const bool far = cell.speedupInterval->lower > 1.0 + kFar ||
                             cell.speedupInterval->upper < 1.0 - kFar;
            EXPECT_TRUE(!far || cell.claim->verdict == Verdict::Faster ||
                        cell.claim->verdict == Verdict::Slower)
                << name << ' ' << analysis.labels.withBatch(*cell.cell);
        }
        EXPECT_GE(compared, 10) << name;
    }
}

// What is left open all the same says to which side it leans.
TEST(ExampleRuns, OpenComparisonsFarFromEqualLean)
{
    int open = 0;
    for (const char* name : {"demo_schemes_h200", "demo_h200"}) {
        const RunData data = readRunFolder(std::filesystem::path(QS_EXAMPLE_RUNS) / name).value();
        const Analysis analysis = analyse(data, "best-bf16");
        for (const CellSummary& cell : analysis.cells) {
            if (!cell.claim || cell.claim->verdict != Verdict::Ambiguous || !cell.speedupInterval)
                continue;
            const bool slower = cell.speedupInterval->upper < 0.95;
            if (!slower && !(cell.speedupInterval->lower > 1.05))
                continue;
            ++open;
            ASSERT_TRUE(cell.claim->outlook) << analysis.labels.withBatch(*cell.cell);
            EXPECT_EQ(cell.claim->outlook->leaning, slower ? Verdict::Slower : Verdict::Faster)
                << analysis.labels.withBatch(*cell.cell);
        }
    }
    EXPECT_GT(open, 5);
}

// A fifth, where a third was left open when every cell stood for itself.
TEST(ExampleRuns, FewComparisonsStayOpen)
{
    for (const char* name : {"demo_schemes_h200", "demo_h200"}) {
        const RunData data = readRunFolder(std::filesystem::path(QS_EXAMPLE_RUNS) / name).value();
        const Analysis analysis = analyse(data, "best-bf16");
        const auto counted = [&](auto holds) {
            return std::count_if(
                analysis.cells.begin(), analysis.cells.end(), [&](const auto& cell) {
                    return cell.claim && cell.cellId != cell.baselineId && holds(*cell.claim);
                });
        };
        const auto all = counted([](const SpeedClaim&) { return true; });
        const auto open =
            counted([](const SpeedClaim& claim) { return claim.verdict == Verdict::Ambiguous; });
        EXPECT_GE(all, 30) << name;
        EXPECT_LE(5 * open, all) << name << ": " << open << " of " << all;
    }
}

TEST(ExampleRuns, ProcessPeaksAreThoseOfTheCell)
{
    int cells = 0;
    for (const auto& run : std::filesystem::directory_iterator(QS_EXAMPLE_RUNS)) {
        if (!run.is_directory())
            continue;
        std::map<std::string, std::vector<std::int64_t>> peaks;
        const RunData data = readRunFolder(run.path()).value();
        for (const Measurement& row : data.measurements) {
            // When these rows were measured, their peak was also that of making the profile and the
            // report of layers, which the first repeat has.
            const bool reports = row.result.profile.has_value();
            if (row.ok() && row.result.memory.processPeak && !reports)
                peaks[row.cellId].push_back(*row.result.memory.processPeak);
        }
        for (const auto& [id, bytes] : peaks) {
            const auto [least, most] = std::minmax_element(bytes.begin(), bytes.end());
            EXPECT_LT(static_cast<double>(*most), 1.3 * static_cast<double>(*least)) << id;
            cells += bytes.size() > 1 ? 1 : 0;
        }
    }
    EXPECT_GE(cells, 100);
}

// Pairs of recorded passes, which no host disturbs: "all" layers against "mlp" of the same cell.
struct RecordedPair {
    CellConfig config;
    RatioEvidence evidence;
};

std::vector<RecordedPair> recordedPairs()
{
    const RunData data = readRunFolder(kRows / "recorded_pairs").value();
    std::map<std::pair<std::int64_t, std::int64_t>, std::map<std::string, const CellSummary*>>
        twins;
    const Analysis analysis = analyse(data, "bf16-eager");
    for (const CellSummary& cell : analysis.cells) {
        const CellConfig& config = cell.cell->config;
        if (config.compile == "cuda-graph" && cell.measured)
            twins[{config.imageSize(), config.batch}][config.layers] = &cell;
    }
    std::vector<RecordedPair> pairs;
    for (const auto& [shape, cells] : twins) {
        const CellSummary& first = *cells.at("all");
        const CellSummary& second = *cells.at("mlp");
        const std::size_t shared = std::min(first.roundSeconds.size(), second.roundSeconds.size());
        std::vector<double> left;
        std::vector<double> right;
        for (std::size_t i = 0; i < shared; ++i) {
            EXPECT_EQ(first.roundSeconds[i].round, second.roundSeconds[i].round);
            left.push_back(first.roundSeconds[i].seconds);
            right.push_back(second.roundSeconds[i].seconds);
        }
        pairs.push_back({first.cell->config, weighRatio(left, right)});
    }
    return pairs;
}

TEST(RecordedPairs, LieWithinHalfAPercentAndGetNoVerdict)
{
    const std::vector<RecordedPair> pairs = recordedPairs();
    EXPECT_EQ(pairs.size(), 30U);
    std::vector<double> claims;
    for (const RecordedPair& pair : pairs)
        claims.push_back(pair.evidence.claim());
    const std::vector<double> adjusted = holmAdjusted(claims);
    int judged = 0;
    int same = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const auto& [config, evidence] = pairs[i];
        SCOPED_TRACE(std::to_string(config.imageSize()) + " px, batch " +
                     std::to_string(config.batch));
        EXPECT_NEAR(evidence.ratio.value, 1.0, 0.005);
        const Verdict verdict = judge(evidence, std::nullopt, adjusted[i]);
        judged += verdict == Verdict::TooFewRounds ? 0 : 1;
        same += verdict == Verdict::Same ? 1 : 0;
        EXPECT_NE(verdict, Verdict::Faster);
        EXPECT_NE(verdict, Verdict::Slower);
    }
    EXPECT_GE(judged, 13) << "the third round was not finished";
    EXPECT_GE(same, 10) << "equal work is called so";
}

// The spread between the medians of a cell's rounds, each of another process.
double betweenProcesses(const CellSummary& cell)
{
    std::vector<double> medians;
    for (const RoundSeconds& round : cell.roundSeconds)
        medians.push_back(round.seconds);
    return momentsOf(medians).coefficientOfVariation();
}

TEST(MeasuredRows, OfTenProcessesLieTogether)
{
    const RunData data = readRunFolder(kRows / "processes").value();
    int recorded = 0;
    for (const CellSummary& cell : analyse(data, "bf16-eager").cells) {
        // An eager pass waits for the host, which was busy with other work.
        if (cell.cell->config.compile != "cuda-graph")
            continue;
        ++recorded;
        EXPECT_GE(cell.seconds, 1e-3);
        EXPECT_EQ(cell.roundSeconds.size(), 10U);
        EXPECT_LE(betweenProcesses(cell), 0.005) << "batch " << cell.cell->config.batch;
    }
    EXPECT_EQ(recorded, 4);
}

TEST_F(EqualPairs, HaveMediansThatLieTogether)
{
    // Work of a millisecond and more that the device, not the host, takes time for.
    std::vector<double> variations;
    for (const CellSummary& cell : analyse(m_data, "bf16-eager").cells) {
        const CellConfig& config = cell.cell->config;
        if (cell.seconds < 1e-3 || cell.roundSeconds.size() < 3 ||
            config.batch * config.imageSize() * config.imageSize() < std::int64_t{32} * 256 * 256)
            continue;
        variations.push_back(betweenProcesses(cell));
    }
    ASSERT_GE(variations.size(), 8U);
    EXPECT_LE(median(variations), 0.005);
}

TEST_F(EqualPairs, CarryWhatTheDeviceDid)
{
    for (const Measurement& row : m_data.measurements) {
        if (!row.ok())
            continue;
        EXPECT_GT(row.result.trace.points.size(), 3U);
        EXPECT_EQ(row.result.sampleStart.size(), row.result.deviceSeconds.size());
        EXPECT_TRUE(clocksAt(row.result.trace, {row.result.sampleStart.front()}).front());
        EXPECT_TRUE(row.result.memory.selfTest.passed());
        EXPECT_FALSE(row.result.trace.leftOverBytes.has_value());
    }
}

// Those of a row of memory_self_test.jsonl at one moment: 0 before, 1 with the block, 2 after.
MemoryCounters countersOf(const Json& row, const SelfTest& test, std::size_t moment)
{
    const auto read = [&](const char* name) { return row.at(name).at(moment).get<std::int64_t>(); };
    return {read("allocated_bytes"), read("reserved_bytes"), read("process_bytes"),
            test.processCounter};
}

TEST(MeasuredRows, TheMemorySelfTestPassedAHundredTimes)
{
    const auto text = readTextFile(kRows / "memory_self_test.jsonl", std::uint64_t{1} << 20U);
    ASSERT_TRUE(text.ok()) << text.error().message;
    std::istringstream lines(text.value());
    int tests = 0;
    int atOnce = 0;
    for (std::string line; std::getline(lines, line); ++tests) {
        SCOPED_TRACE(line);
        const Json row = Json::parse(line);
        EXPECT_EQ(row.at("test"), tests + 1);
        std::vector<JsonIssue> issues;
        const SelfTest test = selfTestFromJson(row.at("self_test"), "$", issues);
        ASSERT_TRUE(issues.empty()) << formatIssues(issues);
        ASSERT_TRUE(test.passed());
        EXPECT_EQ(test.processCounter, ProcessCounter::Driver);
        EXPECT_EQ(test.bytes, std::int64_t{1} << 30U);
        const MemoryCounters before = countersOf(row, test, 0);
        const MemoryCounters held = countersOf(row, test, 1);
        EXPECT_EQ(*held.allocated - *before.allocated, test.bytes) << "to the byte";
        EXPECT_EQ(checkCounters(before, held, countersOf(row, test, 2), test.bytes), std::nullopt);
        atOnce += test.attempts == 1 ? 1 : 0;
    }
    EXPECT_EQ(tests, 100);
    RecordProperty("at_once", atOnce);
}

}  // namespace
}  // namespace qs::core
