// What facts are called in reports, tables and windows.
#include "core/report/words/answer_text.h"
#include "core/report/words/evidence_text.h"
#include "core/report/words/failure_text.h"
#include "core/report/words/note_text.h"
#include "core/report/words/program_text.h"
#include "core/report/words/warning_text.h"

#include "core/measure/clock_notes.h"
#include "tests/analysis/analysis_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cfloat>
#include <csignal>
#include <map>
#include <set>
#include <string>

namespace qs::core {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr std::int64_t kMiB = std::int64_t{1} << 20U;

// As many arguments as any note has, each of both kinds in turn.
Note noteWith(NoteCode code, bool textFirst)
{
    Note note{code, {}};
    for (int i = 0; i < 6; ++i)
        note.arguments.push_back((i % 2 == 0) == textFirst ? NoteArgument("word")
                                                           : NoteArgument(7.0));
    return note;
}

TEST(NoteText, EveryNoteHasOne)
{
    std::set<std::string> texts;
    for (const NoteCode code : kNoteCodes.values()) {
        for (const Note& note : {noteWith(code, true), noteWith(code, false), Note{code, {}}}) {
            if (code == NoteCode::Remark)
                continue;  // is its argument
            const std::string text = noteText(note);
            EXPECT_GT(text.size(), 10U) << kNoteCodes.of(code);
            EXPECT_EQ(text.find_first_of("{}"), std::string::npos) << text;
            EXPECT_NE(text.back(), '.') << text;
        }
        EXPECT_TRUE(texts.insert(noteText(noteWith(code, true))).second) << kNoteCodes.of(code);
    }
    EXPECT_EQ(noteText({NoteCode::Remark, {"each pass ran {2} times"}}), "each pass ran {2} times");
}

TEST(NoteText, NamesNumbersInTheirUnits)
{
    EXPECT_EQ(noteText({NoteCode::RowsPadded, {16.0, 17.0}}),
              "int8 products padded from 16 to 17 rows");
    // A load is no number of cores: it may be larger than all of them.
    EXPECT_THAT(noteText({NoteCode::CoresBusy, {2.6, 2.0}}),
                HasSubstr("load of other work was 2.6"));
    EXPECT_THAT(noteText({NoteCode::WeightsWidened, {"encoder", 12.0, 3.0 * kMiB}}),
                AllOf(HasSubstr("encoder"), HasSubstr("12 layers"), HasSubstr("3.000 MiB")));
    EXPECT_EQ(noteText({NoteCode::FilterMatchesNone, {"regex:x", "encoder", "bfloat16"}}),
              "the layer filter \"regex:x\" matches no layer of the encoder, which runs in "
              "bfloat16");
    EXPECT_EQ(noteText({NoteCode::SameFilters, {"mlp, attention", "bf16"}}),
              "also covers layers mlp, attention: bf16 quantizes none");
    EXPECT_EQ(
        noteText({NoteCode::ClockStepsOfPass, {12e-6, 0.0417}}),
        "each pass of 12.0 µs is timed separately; the clock resolution of 0.5 µs is 4.2 % of it");
    EXPECT_EQ(noteText({NoteCode::ClockStepsOfBlock, {10.0, 120e-6, 0.00417}}),
              "each block of 10 passes of 120 µs is timed separately; the clock resolution of 0.5 "
              "µs is 0.42 % of it");
    EXPECT_EQ(noteText({NoteCode::MemoryLeftOver, {double(512 * kMiB)}}),
              "memory left over: the GPU held 512.0 MiB more at the start of this cell than before "
              "the first cell");
    EXPECT_EQ(noteText({NoteCode::HostDisturbed, {1.23, 2.0}}),
              "other processes used 1.2 of 2 cores during this cell: times are disturbed");
    EXPECT_EQ(noteText({NoteCode::BeyondPeak, {1667e12, 989.4e12}}),
              "the time would mean 1667 TFLOP/s, above the published peak of 989.4 TFLOP/s");
    EXPECT_EQ(noteText({NoteCode::BeyondMemory, {48e9, 4.8e12}}),
              "the weights alone (44.70 GiB) cannot be read in this time: the published memory "
              "bandwidth is 4.800 TB/s");
    EXPECT_EQ(noteText({NoteCode::Mismatch, {"encoder", "aten::_int_mm", "int32", 4.0, 3.0}}),
              "mismatch: expected 4 × aten::_int_mm in int32 in the encoder, executed 3");
    EXPECT_EQ(noteText({NoteCode::WrongStorage, {1.0, 4096.0, 1024.0, "decoder/fc.weight"}}),
              "weights without the size of their scheme: 1 (total 4.000 KiB instead of 1.000 KiB), "
              "first decoder/fc.weight");
}

TEST(NoteText, OfTheClockNamesTheCause)
{
    const auto low = [](const char* cause) {
        return noteText({NoteCode::ClockLow, {1335.0, 1980.0, cause}});
    };
    EXPECT_EQ(low("power_cap"), "the SM clock was low throughout: 1335 MHz during the samples, "
                                "maximum 1980 MHz; throttled by the power limit");
    EXPECT_THAT(low("heat"), HasSubstr("by heat"));
    EXPECT_THAT(low(kLockedClock), HasSubstr("it may be locked"));
    EXPECT_THAT(low(kNoReason), HasSubstr("no lasting reason"));
    EXPECT_EQ(noteText({NoteCode::ClockMoving, {1980.0, 1755.0}}),
              "the clock was not steady: 1980 MHz at the end of the warm-up, 1755 MHz during the "
              "samples");
    EXPECT_THAT(noteText({NoteCode::Throttled, {"heat"}}), HasSubstr("by heat"));
}

TEST(NoteText, OfRoundsCountsHoursOrDays)
{
    EXPECT_EQ(noteText({NoteCode::RoundsFarApart, {2.0, 3.0, "2, 3", 14.0 * 3600.0}}),
              "2 of 3 shared rounds (2, 3) started up to 14 h apart from those of the speed "
              "baseline: drift does not cancel there");
    EXPECT_THAT(noteText({NoteCode::RoundsLeftOut, {1.0, 4.0, "4", 21.5 * 24.0 * 3600.0}}),
                AllOf(HasSubstr("up to 22 d apart"), HasSubstr("excluded from the ratio")));
}

TEST(NoteText, OfAForeignProcessLeavesOutWhatIsNotKnown)
{
    EXPECT_EQ(noteText({NoteCode::ForeignProcess, {"python3", 812.0, double(512 * kMiB)}}),
              "another process used the GPU: python3 (pid 812), 512.0 MiB");
    EXPECT_THAT(noteText({NoteCode::ForeignProcess, {"python3", 812.0, 0.0}}),
                testing::EndsWith("(pid 812)"));
    EXPECT_EQ(noteText({NoteCode::ForeignProcess, {"", 812.0, 0.0}}),
              "another process used the GPU: a process (pid 812)");
}

TEST(NoteText, OfAListKeepsItsOrder)
{
    EXPECT_THAT(noteTexts({{NoteCode::Remark, {"b"}}, {NoteCode::Remark, {"a"}}}),
                ElementsAre("b", "a"));
}

// A mode that is slower is told with what is faster instead, by what tells the two apart.
TEST(AdviceText, OfASlowerModeNamesWhatIsFaster)
{
    RunData data =
        tests::runOf({{.id = "plain"},
                      {.id = "quantized", .precision = "int8dq", .reference = "plain"},
                      {.id = "compiled", .compile = "inductor-default", .reference = "plain"}},
                     6);
    data.plan.cells[0].referenceId = "plain";
    for (int round = 0; round < 6; ++round) {
        const double noise = 1.0 + 1e-4 * round;
        tests::addRow(data, "plain", round, {0.010 * noise});
        tests::addRow(data, "quantized", round, {0.030});
        tests::addRow(data, "compiled", round, {0.020 * noise});
    }
    const Analysis analysis = analyse(data, "bf16-eager");
    const Pivot pivot = pivotOf(analysis);
    std::map<std::string, std::string> texts;
    for (const FamilyAdvice& advice : adviceOf(analysis, pivot)) {
        if (gradeOf(advice) == AdviceGrade::Avoid)
            texts[advice.best->cellId] = adviceGradeText(advice, analysis);
    }
    ASSERT_EQ(texts.size(), 2U);
    EXPECT_THAT(texts["quantized"], HasSubstr("bf16"));
    EXPECT_THAT(texts["compiled"], AllOf(HasSubstr("eager"), Not(HasSubstr("bf16"))));
}

TEST(FailureText, EveryKindHasOne)
{
    for (const FailureKind kind : kFailureKinds.values()) {
        for (const char* detail : {"", "what Torch said"}) {
            // The largest amount that a file may hold.
            for (const double amount : {0.0, 9.0, DBL_MAX}) {
                const std::string text = failureText(
                    {.kind = kind, .phase = Phase::Measure, .detail = detail, .amount = amount});
                EXPECT_GE(text.size(), 7U) << kFailureKinds.of(kind);
                EXPECT_EQ(text.find_first_of("{}"), std::string::npos) << text;
                EXPECT_NE(text.back(), '.') << text;
            }
        }
    }
}

TEST(FailureText, NamesPhaseAndAmount)
{
    EXPECT_EQ(
        failureText({.kind = FailureKind::NoProgress, .phase = Phase::Measure, .amount = 0.3}),
        "no progress for 300 ms in phase measure");
    EXPECT_EQ(failureText({.kind = FailureKind::Silent, .phase = Phase::Measure, .amount = 0.4}),
              "no answer from the worker for 400 ms in phase measure");
    EXPECT_EQ(failureText({.kind = FailureKind::Exit, .phase = Phase::Load, .amount = 3.0}),
              "the worker ended in phase load: exit code 3");
    EXPECT_THAT(
        failureText({.kind = FailureKind::Signal, .phase = Phase::Measure, .amount = SIGSEGV}),
        HasSubstr("in phase measure: killed by signal 11 (Segmentation fault)"));
    EXPECT_EQ(failureText({.kind = FailureKind::Signal, .phase = Phase::Load, .amount = 4711.0}),
              "the worker ended in phase load: killed by signal 4711");
    EXPECT_EQ(failureText({.kind = FailureKind::SmallerBatchOutOfMemory, .amount = 4.0}),
              "out of memory at batch 4");
    EXPECT_EQ(failureText({.kind = FailureKind::ModeSkipped, .detail = "cuda-graph"}),
              "compile mode cuda-graph was skipped by the user");
    EXPECT_EQ(failureText({.kind = FailureKind::Io, .detail = "no space left on device"}),
              "no space left on device");
}

TEST(FailureText, NamesWhoUsedTheGpuMeanwhile)
{
    const std::string text = failureText({.kind = FailureKind::OutOfMemory,
                                          .detail = "CUDA out of memory",
                                          .foreign = {{"python3", 812, 512 * kMiB}, {"", 9, 0}}});
    EXPECT_EQ(text, "CUDA out of memory; another process used the GPU: python3 (pid 812), 512.0 "
                    "MiB; another process used the GPU: a process (pid 9)");
}

TEST(ReasonText, OfACellThatWasNotMeasured)
{
    PlannedCell cell;
    CellSummary summary;
    summary.cell = &cell;
    summary.status = CellStatus::Skipped;
    EXPECT_EQ(reasonText(summary), "not measured yet");
    cell.impossible = remark("int8dq needs a GPU");
    EXPECT_EQ(reasonText(summary), "int8dq needs a GPU");
    summary.failure = Failure{.kind = FailureKind::SmallerBatchOutOfMemory, .amount = 8.0};
    EXPECT_EQ(reasonText(summary), "out of memory at batch 8");
    summary.failure.reset();
    summary.measured = true;
    cell.impossible.reset();
    EXPECT_EQ(reasonText(summary), "");
}

TEST(SelfTestText, NamesTheCountersThatWereTested)
{
    SelfTest test{.result = SelfTestResult::Passed,
                  .bytes = 1024 * kMiB,
                  .attempts = 1,
                  .allocatorCounters = true,
                  .processCounter = ProcessCounter::Driver};
    EXPECT_EQ(selfTestText(test), "passed: allocated, reserved, process (driver's count)");
    test.processCounter = ProcessCounter::WholeDevice;
    EXPECT_EQ(selfTestText(test), "passed: allocated, reserved, process (whole device)");
    test.allocatorCounters = false;
    test.processCounter = ProcessCounter::ResidentSet;
    EXPECT_EQ(selfTestText(test), "passed: process (resident set)");
    test.attempts = 3;
    test.error = CounterError{CounterFault::NotGivenBack, MemoryCounter::Process, -5 * kMiB};
    EXPECT_EQ(selfTestText(test), "passed at attempt 3: process (resident set); at first process "
                                  "memory was -5.000 MiB off after a block of 1.000 GiB was freed");
}

TEST(SelfTestText, SaysWhyThereAreNoFigures)
{
    EXPECT_EQ(selfTestText(SelfTest()), "");
    EXPECT_EQ(selfTestText({.result = SelfTestResult::TooLittleMemory}), "too little free memory");
    std::set<std::string> texts;
    for (const CounterFault fault : kCounterFaults.values())
        texts.insert(selfTestText({.result = SelfTestResult::Failed,
                                   .bytes = 64 * kMiB,
                                   .attempts = 3,
                                   .error = CounterError{fault, MemoryCounter::Reserved, kMiB}}));
    EXPECT_EQ(texts.size(), kCounterFaults.values().size());
    EXPECT_THAT(texts, testing::Contains("a block of 64.00 MiB made reserved memory rise by 1.000 "
                                         "MiB"));
    EXPECT_THAT(texts, testing::Each(Not(HasSubstr("passed"))));
}

TEST(ExecutedText, NamesLayersAndWhatElseRan)
{
    std::vector<ExecutedStage> stages{
        {.stage = "encoder",
         .scheme = "fp32",
         .matched = 6,
         .layers = 6,
         .activationRule = {},
         .products = {{"aten::linear", DType::Float32, 6, 6}}},
        {.stage = "decoder",
         .scheme = "int8dq",
         .matched = 4,
         .layers = 10,
         .activationRule = "absmax / 127.5, quantized values -128 … 127",
         .products = {{"aten::_int_mm", DType::Int32, 4, 4},
                      {"aten::mm", DType::BFloat16, 9, {}}}}};
    EXPECT_EQ(executedText(stages), "encoder fp32 6/6 layers, decoder int8dq 4/10 layers");
    EXPECT_EQ(activationText(stages), "int8dq: absmax / 127.5, quantized values -128 … 127");
    stages[1].products[0].ran = 3;
    EXPECT_EQ(executedText(stages),
              "encoder fp32 6/6 layers, MISMATCH expected 4 x aten::_int_mm:int32, ran 3; decoder "
              "int8dq 4/10 layers");
    stages[0].scheme = stages[1].scheme;
    stages[0].activationRule = stages[1].activationRule;
    EXPECT_EQ(activationText(stages), "int8dq: absmax / 127.5, quantized values -128 … 127")
        << "once";
    EXPECT_EQ(executedText({}), "");
    EXPECT_EQ(activationText({}), "");
}

TEST(ConditionsText, NamesCacheStreamAndInputs)
{
    EXPECT_EQ(conditionsText({CacheState::Warm, true, InputResidency::Device}),
              "warm L2, stream held");
    EXPECT_EQ(conditionsText({CacheState::Cold, false, InputResidency::Pinned}),
              "cold L2, stream not held, inputs pinned");
}

TEST(EvidenceText, OfDiscardsAndProcesses)
{
    EXPECT_EQ(discardText({2, Slowdown::Heat}), "throttled by heat");
    EXPECT_EQ(discardText({6, Slowdown::LowClock, 1200.0}), "the clock fell to 1200 MHz");
    for (const Slowdown cause : kSlowdowns.values())
        EXPECT_FALSE(slowdownText(cause).empty()) << kSlowdowns.of(cause);
    EXPECT_EQ(foreignProcessText({"python3", 812, 512 * kMiB}), "python3 (pid 812), 512.0 MiB");
    EXPECT_EQ(foreignProcessText({"", 812, 0}), "a process (pid 812)");
    EXPECT_EQ(warmupEndText(WarmupEnd::TimeLimit), "time limit");
    EXPECT_EQ(stopReasonText(StopReason::QuietEnough), "noise below target");
}

TEST(EvidenceText, OfStorage)
{
    StorageOffender offender{.weight = "fc.weight",
                             .logicalBytes = 512,
                             .storageBytes = 3584,
                             .other = "fc.weight:scale",
                             .ownBytes = 10};
    EXPECT_EQ(storageFaultText(offender), "fc.weight uses 3584 bytes instead of 512");
    offender.fault = StorageFault::Missing;
    EXPECT_EQ(storageFaultText(offender), "fc.weight is missing: there is no fc.weight:scale");
    for (const StorageFault fault : kStorageFaults.values()) {
        offender.fault = fault;
        EXPECT_THAT(storageFaultText(offender), testing::StartsWith("fc.weight "));
    }
}

TEST(LeftOutTexts, TellEachLossOnce)
{
    EXPECT_TRUE(leftOutTexts({}).empty());
    LeftOut leftOut;
    leftOut.journal.lines = 1;
    leftOut.journal.bytes = 120;
    leftOut.notUnderstood = 1;
    leftOut.firstNotUnderstood = "$row.round: is missing";
    leftOut.contradictions = 2;
    leftOut.repetitions = 3;
    leftOut.unknownTypes = {{"telemetry", 2}};
    leftOut.tornBytes = 9;
    EXPECT_THAT(leftOutTexts(leftOut),
                ElementsAre(HasSubstr(" in 1 line unreadable"),
                            HasSubstr("(1), the first: $row.round"),
                            testing::StartsWith("2 records"), testing::StartsWith("3 records"),
                            HasSubstr("2 records of the journal are of the unknown type "
                                      "\"telemetry\""),
                            HasSubstr("9 bytes")));
}

TEST(ConversionTexts, EndWithWhatTheProgramWasKeptFrom)
{
    std::set<std::string> last;
    for (const bool files : {false, true}) {
        for (const bool network : {false, true}) {
            ConversionResult result;
            result.filesShut = files;
            result.networkShut = network;
            const auto texts = conversionTexts(result);
            EXPECT_EQ(texts.size(), 3U);
            last.insert(texts.back());
        }
    }
    EXPECT_EQ(last.size(), 4U);
}

}  // namespace
}  // namespace qs::core
