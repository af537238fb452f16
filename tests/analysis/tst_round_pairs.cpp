#include "core/analysis/round_pairs.h"

#include "core/analysis/find_answer.h"
#include "core/report/report.h"
#include "tests/analysis/analysis_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qs::core {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using tests::addRow;
using tests::runOf;

constexpr double kHour = 3600.0;

RunData twoCells()
{
    return runOf({{.id = "eager", .reference = "eager"},
                  {.id = "cell", .precision = "int8dq", .reference = "eager"}},
                 6);
}

// Rounds of both, a minute apart, the cell twice as fast.
void addRound(RunData& data, int round, const std::string& began, const std::string& cellBegan)
{
    const double scatter = 1.0 + 0.001 * (round % 3);
    addRow(data, "eager", round, {2.0}).startedAt = began;
    addRow(data, "cell", round, {1.0 * scatter}).startedAt = cellBegan;
}

RunData withNearRounds(int rounds)
{
    RunData data = twoCells();
    for (int round = 0; round < rounds; ++round)
        addRound(data, round, "2026-11-21T09:00:00Z", "2026-11-21T09:01:00Z");
    return data;
}

std::vector<RoundPair> pairsOf(const CountedRounds& rounds)
{
    return pairRounds(rounds.rounds(0, "e1"), rounds.rounds(1, "e1"));
}

std::optional<Note> farApartNoteOf(const RunData& data, bool leftOut = false)
{
    const RunFigures figures(data.measurements);
    return farApartNote(pairsOf(CountedRounds(data.plan, figures)), leftOut);
}

TEST(RoundPairs, AreOfTheRoundsThatBothHave)
{
    RunData data = withNearRounds(2);
    addRow(data, "eager", 2, {2.0});
    addRow(data, "cell", 3, {1.0});
    addRow(data, "eager", 4, {2.0});
    tests::addFailure(data, "cell", 4, FailureKind::OutOfMemory);
    addRow(data, "eager", 5, {2.0});
    addRow(data, "cell", 5, {1.0});
    const RunFigures figures(data.measurements);
    const CountedRounds rounds(data.plan, figures);
    const auto pairs = pairsOf(rounds);
    ASSERT_THAT(pairs, SizeIs(3));
    EXPECT_EQ(pairs[0].baseline->row->round, 0);
    EXPECT_EQ(pairs[1].cell->row->round, 1);
    EXPECT_EQ(pairs[2].cell->row->round, 5);
    EXPECT_THAT(nearPairs(pairs), SizeIs(3)) << "a row without a time is taken for a neighbour";
    EXPECT_EQ(farApartNote(pairs, true), std::nullopt);
    EXPECT_THAT(pairRounds({}, rounds.rounds(1, "e1")), IsEmpty());
}

TEST(RoundPairs, BeyondAnHourAreFarApart)
{
    EXPECT_FALSE(beganFarApart(0, kFarApartSeconds));
    EXPECT_TRUE(beganFarApart(0, kFarApartSeconds + 1));
    EXPECT_TRUE(beganFarApart(kFarApartSeconds + 1, 0)) << "whichever was first";
    EXPECT_FALSE(beganFarApart(std::nullopt, 1'000'000));
    EXPECT_FALSE(beganFarApart(1'000'000, std::nullopt));
}

TEST(RoundPairs, ANoteNamesThoseFarApart)
{
    RunData data = withNearRounds(1);
    addRound(data, 1, "2026-11-21T20:00:00Z", "2026-11-22T10:00:00Z");
    addRound(data, 2, "2026-11-22T10:00:00Z", "2026-11-22T08:00:00Z");
    EXPECT_EQ(farApartNoteOf(data),
              (Note{NoteCode::RoundsFarApart, {2.0, 3.0, "2, 3", 14.0 * kHour}}));
    EXPECT_EQ(farApartNoteOf(data, true)->code, NoteCode::RoundsLeftOut);
    for (int round = 3; round < 20; ++round)
        addRound(data, round, "2026-11-01T00:00:00Z", "2026-11-22T12:00:00Z");
    EXPECT_EQ(farApartNoteOf(data),
              (Note{NoteCode::RoundsFarApart,
                    {19.0, 20.0, "2, 3, 4, 5, 6, 7, 8, 9 …", 21.5 * 24.0 * kHour}}));
}

// The machine was twice as slow the next day.
TEST(RoundPairs, FarApartAreLeftOutOfTheRatio)
{
    RunData data = withNearRounds(3);
    const CellSummary before = *analyse(data, "bf16-eager").find("cell");
    addRow(data, "eager", 3, {2.0}).startedAt = "2026-11-21T09:10:00Z";
    addRow(data, "cell", 3, {2.0}).startedAt = "2026-11-22T09:10:00Z";
    const Analysis analysis = analyse(data, "bf16-eager");
    const CellSummary& after = *analysis.find("cell");
    EXPECT_EQ(after.speedup, before.speedup);
    ASSERT_TRUE(after.claim);
    EXPECT_TRUE(after.claim->evidence.paired);
    EXPECT_EQ(after.claim->evidence.ratio.count, 3U);
    EXPECT_EQ(after.speedupInterval->lower, before.speedupInterval->lower);
    EXPECT_EQ(after.claim->verdict, Verdict::Faster);
    EXPECT_THAT(after.notes,
                Contains(Note{NoteCode::RoundsLeftOut, {1.0, 4.0, "4", 24.0 * kHour}}));
    EXPECT_THAT(summaryMarkdown(data, analysis), HasSubstr("up to 24 h apart"));
    EXPECT_THAT(before.notes, IsEmpty());
    EXPECT_THAT(analysis.find("eager")->notes, IsEmpty());
}

TEST(RoundPairs, WithTooFewNearOnesRoundsAreNotPaired)
{
    RunData data = withNearRounds(2);
    for (const int round : {2, 3})
        addRound(data, round, "2026-11-21T09:10:00Z", "2026-11-22T09:10:00Z");
    const CellSummary summary = *analyse(data, "bf16-eager").find("cell");
    ASSERT_TRUE(summary.claim);
    EXPECT_FALSE(summary.claim->evidence.paired);
    EXPECT_THAT(summary.notes,
                ElementsAre(Note{NoteCode::RoundsFarApart, {2.0, 4.0, "3, 4", 24.0 * kHour}},
                            Note{NoteCode::RoundsUnpaired}));
}

TEST(RoundPairs, OfFewRoundsTheRatioIsThatOfTheNearOnes)
{
    RunData data = withNearRounds(1);
    addRow(data, "eager", 1, {2.0}).startedAt = "2026-11-21T09:10:00Z";
    addRow(data, "cell", 1, {2.0}).startedAt = "2026-11-22T09:10:00Z";
    CellSummary summary = *analyse(data, "bf16-eager").find("cell");
    EXPECT_DOUBLE_EQ(*summary.speedup, 2.0);
    EXPECT_FALSE(summary.speedupInterval);
    // With nothing else, the pair that there is, and what is to be thought of it.
    std::erase_if(data.measurements, [](const Measurement& row) { return row.round == 0; });
    summary = *analyse(data, "bf16-eager").find("cell");
    EXPECT_DOUBLE_EQ(*summary.speedup, 1.0);
    EXPECT_EQ(summary.claim->verdict, Verdict::TooFewRounds);
    EXPECT_THAT(summary.notes,
                Contains(Note{NoteCode::RoundsFarApart, {1.0, 1.0, "2", 24.0 * kHour}}));
}

TEST(RoundPairs, CandidatesOfAnAnswerAreTiedByNearRoundsOnly)
{
    RunData data = withNearRounds(3);
    const auto besideBest = [&] {
        const RunAnswer answer = findAnswer(analyse(data, "bf16-eager"), {});
        return answer.candidates.at(1).besideBest;
    };
    ASSERT_TRUE(besideBest());
    EXPECT_EQ(besideBest()->count, 3U);
    addRound(data, 3, "2026-11-21T09:10:00Z", "2026-11-22T09:10:00Z");
    EXPECT_EQ(besideBest()->count, 3U);
}

TEST(RoundPairs, SummariesShareTheRoundsThatBothHave)
{
    CellSummary first;
    first.roundSeconds = {{0, 1.0}, {2, 3.0, 0}, {3, 4.0, 0}, {5, 6.0}};
    CellSummary second;
    second.roundSeconds = {{1, 20.0}, {2, 30.0, kFarApartSeconds + 1}, {3, 40.0, 60}, {5, 60.0}};
    const SharedSeconds shared = sharedSeconds(first, second);
    EXPECT_THAT(shared.first, testing::ElementsAre(4.0, 6.0)) << "round 2 is too far apart";
    EXPECT_THAT(shared.second, testing::ElementsAre(40.0, 60.0));
    EXPECT_TRUE(sharedSeconds(first, CellSummary()).first.empty());
}

}  // namespace
}  // namespace qs::core
