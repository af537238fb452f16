#include "app/gui/answer.h"
#include "app/gui/answer_reason.h"
#include "core/analysis/analysis.h"
#include "tests/support/gui_test.h"
#include "tests/support/host_bound_run.h"
#include "tests/support/sample_run.h"

#include <QRegularExpression>

#include <algorithm>

namespace qs::tst_answer {

using app::Answer;
using app::answerInWords;
using namespace core;
using tests::sampleRun;

namespace {

const QString kBaseline = QStringLiteral("best-bf16");

Answer answerTo(const RunData& data, const AnswerQuestion& question, bool running = false)
{
    const Analysis analysis = analyse(data, "best-bf16");
    return answerInWords(data, analysis, kBaseline, question, running);
}

Answer answerOf(const RunData& data, QualityLimit limit = QualityLimit::None, bool running = false)
{
    return answerTo(data, {.limit = limit, .minimumLikeness = 0.99}, running);
}

}  // namespace

class TestAnswer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }

    void nothingYet()
    {
        RunData data = sampleRun();
        data.measurements.clear();
        data.qualities.clear();
        const Answer running = answerOf(data, QualityLimit::None, true);
        QVERIFY(running.cellId.isEmpty());
        QCOMPARE(running.headline, QStringLiteral("Nothing measured yet"));
        QVERIFY2(running.progress.startsWith(QStringLiteral("0 of ")),
                 qPrintable(running.progress));
        QCOMPARE(answerOf(data).headline, QStringLiteral("No cell was measured"));
    }

    // Of the answer itself, else of what it is compared with.
    void hostBoundIsSaid()
    {
        const auto detail = [](bool answer, bool baseline) {
            const RunData data = qs::tests::hostBoundRun([&](const CellConfig& config) {
                return config.precision.front() == "bf16" ? baseline : answer;
            });
            return answerOf(data).detail;
        };
        const QString neither = detail(false, false);
        QVERIFY(detail(true, true).size() > neither.size());
        QCOMPARE(detail(true, true), detail(true, false));
        QVERIFY(detail(false, true).size() > neither.size());
        QVERIFY(detail(false, true) != detail(true, false));
        const RunData data = qs::tests::hostBoundRun([](const CellConfig&) { return true; });
        const QString memory = answerTo(data, {.objective = AnswerObjective::Memory}).detail;
        QCOMPARE(memory, answerTo(sampleRun(), {.objective = AnswerObjective::Memory}).detail);
    }

    void fastestOfAll()
    {
        const RunData data = sampleRun();
        const Analysis analysis = analyse(data, "best-bf16");
        const Answer answer = answerOf(data);
        const auto fastest = std::max_element(
            analysis.cells.begin(), analysis.cells.end(),
            [](const auto& a, const auto& b) { return a.throughput < b.throughput; });
        QCOMPARE(answer.cellId.toStdString(), fastest->cellId);
        QVERIFY2(answer.detail.contains(QStringLiteral("× [")), qPrintable(answer.detail));
        QVERIFY2(answer.detail.contains(QStringLiteral("best bf16")), qPrintable(answer.detail));
        QVERIFY2(answer.detail.contains(QStringLiteral("images/s")), qPrintable(answer.detail));
        QVERIFY2(answer.detail.contains(QStringLiteral("SSIM")), qPrintable(answer.detail));
        QVERIFY(answer.trained);
        QVERIFY(answer.progress.isEmpty());
        QVERIFY(!answer.explanation.isEmpty());
    }

    void quantizingIsTold()
    {
        RunData data = sampleRun();
        for (PlannedCell& cell : data.plan.cells)
            cell.config.workload = "quantize";
        const Answer answer = answerOf(data);
        QVERIFY(!answer.cellId.isEmpty());
        QVERIFY2(!answer.detail.contains(QStringLiteral("/s")), qPrintable(answer.detail));
        QVERIFY2(answer.detail.contains(QRegularExpression(QStringLiteral("^[0-9.]+ (s|ms|µs) "))),
                 qPrintable(answer.detail));
    }

    void oneRepeatHasNoInterval()
    {
        const Answer answer = answerOf(sampleRun({.rounds = 1}));
        QVERIFY2(!answer.detail.contains(QLatin1Char('[')), qPrintable(answer.detail));
        QVERIFY2(answer.detail.contains(QStringLiteral("fewer than three repeats")),
                 qPrintable(answer.detail));
    }

    void soFar()
    {
        RunData data = sampleRun();
        std::erase_if(data.measurements, [](const Measurement& row) { return row.round > 0; });
        QCOMPARE(answerOf(data, QualityLimit::None, true).progress,
                 QStringLiteral("so far, 1 of 3 repeats"));
    }

    void stoppedEarly()
    {
        RunData data = sampleRun();
        data.measurements.erase(data.measurements.begin() + 3, data.measurements.end());
        QVERIFY(answerOf(data).progress.startsWith(QStringLiteral("stopped early, ")));
    }

    void untrainedSaysNothingAboutQuality()
    {
        const Answer answer =
            answerOf(sampleRun({.trained = false}), QualityLimit::MinimumLikeness);
        QVERIFY(!answer.cellId.isEmpty());
        QVERIFY(!answer.trained);
        QVERIFY2(!answer.detail.contains(QStringLiteral("SSIM")), qPrintable(answer.detail));
        QVERIFY2(answer.detail.contains(QStringLiteral("random weights or inputs")),
                 qPrintable(answer.detail));
    }

    void failedCellsAreNotWaitedFor()
    {
        QVERIFY(answerOf(sampleRun({.withFailures = true})).progress.isEmpty());
    }

    void cancelledCellIsNotDone()
    {
        RunData data = sampleRun();
        Measurement& last = data.measurements.back();
        last.failure = qs::core::Failure{.kind = qs::core::FailureKind::Stopped};
        QVERIFY(!answerOf(data).progress.isEmpty());
    }

    void limitLeavesOutBadPictures()
    {
        RunData data = sampleRun();
        for (OutputQuality& quality : data.qualities) {
            if (quality.referenceId != "input" && quality.cellId.starts_with("int8dq"))
                quality.set("ssim", 0.5);
        }
        QVERIFY(answerOf(data).cellId.startsWith(QStringLiteral("int8dq")));
        const Answer limited = answerOf(data, QualityLimit::MinimumLikeness);
        QVERIFY2(limited.cellId.startsWith(QStringLiteral("bf16")), qPrintable(limited.cellId));
        QVERIFY(
            answerOf(data, QualityLimit::WithinNoise).cellId.startsWith(QStringLiteral("bf16")));
    }

    // That there is nothing to set beside the baseline has a reason.
    void theLimitIsNamedWhereItLeavesNothingElse()
    {
        RunData data = sampleRun();
        std::erase_if(data.measurements, [](const Measurement& row) {
            return !row.cellId.starts_with("int8dq") && !row.cellId.starts_with("bf16-none");
        });
        const QString open = answerOf(data).detail;
        for (OutputQuality& quality : data.qualities)
            quality.set("ssim", 0.5);
        const Answer limited = answerOf(data, QualityLimit::MinimumLikeness);
        QVERIFY2(limited.detail.contains(QStringLiteral("quality limit")),
                 qPrintable(limited.detail));
        QVERIFY2(!open.contains(QStringLiteral("quality limit")), qPrintable(open));
    }

    void qualityComesWithTheReference()
    {
        RunData data = sampleRun();
        std::erase_if(data.measurements,
                      [](const Measurement& row) { return !row.cellId.starts_with("int8dq"); });
        data.qualities.clear();
        const Answer running = answerOf(data, QualityLimit::MinimumLikeness, true);
        QVERIFY2(running.headline.startsWith(QStringLiteral("Quality not known yet")),
                 qPrintable(running.headline));
        QCOMPARE(answerOf(data, QualityLimit::MinimumLikeness).headline,
                 QStringLiteral("No measured cell meets the quality limit"));
    }

    void unknownQualityKeepsNoLimit()
    {
        RunData data = sampleRun();
        data.qualities.clear();
        QVERIFY(answerOf(data, QualityLimit::MinimumLikeness)
                    .cellId.startsWith(QStringLiteral("bf16")));
    }

    void baselineItselfIsSaidSo()
    {
        RunData data = sampleRun();
        std::erase_if(data.measurements, [](const Measurement& row) {
            return row.cellId.starts_with("int8dq") && !row.cellId.ends_with("-b1");
        });
        const Answer answer = answerOf(data);
        QVERIFY2(answer.cellId.startsWith(QStringLiteral("bf16")), qPrintable(answer.cellId));
        QVERIFY2(answer.headline.startsWith(QStringLiteral("Nothing beats best bf16: bf16 · ")),
                 qPrintable(answer.headline));
        QVERIFY2(answer.detail.contains(QStringLiteral("nearest: int8dq · ")),
                 qPrintable(answer.detail));
        QVERIFY2(answer.detail.contains(QStringLiteral(" images/s, 0.")),
                 qPrintable(answer.detail));
        QVERIFY(answer.found.nearestOfOthers);  // bf16 eager is nearer
        // The nearest stands beside it.
        QVERIFY(!answer.otherId.isEmpty() && answer.otherId != answer.cellId);
    }

    // With one repeat nobody knows.
    void aBaselineThatIsNotToldFromOthers()
    {
        RunData data = sampleRun();
        std::erase_if(data.measurements, [](const Measurement& row) {
            return row.round > 0 || row.cellId.starts_with("int8dq");
        });
        const Answer answer = answerOf(data);
        QVERIFY(answer.found.isBaseline);
        QVERIFY(answer.found.support.standing == AnswerStanding::Unsure);
        QVERIFY2(answer.headline.startsWith(QStringLiteral("Nothing clearly beats best bf16: ")),
                 qPrintable(answer.headline));
    }

    void slowerThanABaselineThatIsNoCandidate()
    {
        RunData data = sampleRun();
        for (PlannedCell& cell : data.plan.cells) {
            if (cell.id.starts_with("bf16"))
                cell.role = CellRole::NoiseFloor;
        }
        for (Measurement& row : data.measurements) {
            if (row.cellId.starts_with("bf16-cuda-graph"))
                row.result.hostSeconds = row.result.deviceSeconds = {1e-6};
        }
        const Answer answer = answerOf(data);
        QVERIFY2(answer.headline.startsWith(
                     QStringLiteral("Nothing beats best bf16: nearest is int8dq")),
                 qPrintable(answer.headline));
        QVERIFY2(answer.detail.contains(QStringLiteral(": slower")), qPrintable(answer.detail));
    }

    void baselineAlone()
    {
        RunData data = sampleRun();
        std::erase_if(data.measurements,
                      [](const Measurement& row) { return row.cellId != "bf16-none-b4"; });
        const Answer answer = answerOf(data);
        QCOMPARE(answer.cellId, QStringLiteral("bf16-none-b4"));
        QVERIFY(answer.otherId.isEmpty());
        // Of one cell nothing is claimed.
        QCOMPARE(answer.found.support.open, std::optional(NoAnswerYet::OneCell));
        QVERIFY2(answer.headline.startsWith(QStringLiteral("One cell measured: bf16")),
                 qPrintable(answer.headline));
    }

    // Equal work that differs by more than the cells do: the machine speaks, not the cells.
    void noiseHasNoHeadline()
    {
        RunData data = sampleRun({.rounds = 1});
        QVERIFY(!answerOf(data).found.support.open);
        for (Measurement& row : data.measurements) {
            if (!row.cellId.ends_with("-again"))
                continue;
            for (double& seconds : row.result.hostSeconds)
                seconds *= 8.0;
            row.result.deviceSeconds = row.result.hostSeconds;
        }
        const Answer answer = answerOf(data);
        QCOMPARE(answer.found.support.open, std::optional(NoAnswerYet::RerunsDiffer));
        QVERIFY2(answer.headline.startsWith(QStringLiteral("No answer yet")),
                 qPrintable(answer.headline));
        // It can still be looked at.
        QVERIFY(!answer.cellId.isEmpty());
        QVERIFY2(answer.detail.startsWith(QStringLiteral("leads so far: ")),
                 qPrintable(answer.detail));
    }

    void latencyIsInMilliseconds()
    {
        const Answer answer = answerTo(sampleRun(), {.objective = AnswerObjective::Latency});
        QVERIFY2(answer.headline.startsWith(QStringLiteral("Lowest latency: ")),
                 qPrintable(answer.headline));
        QVERIFY2(answer.headline.contains(QStringLiteral("batch 1")), qPrintable(answer.headline));
        QVERIFY2(answer.detail.contains(QStringLiteral(" ms [")), qPrintable(answer.detail));
        RunData data = sampleRun();
        std::erase_if(data.measurements,
                      [](const Measurement& row) { return row.config.batch == 1; });
        QVERIFY2(answerTo(data, {.objective = AnswerObjective::Latency})
                     .headline.startsWith(QStringLiteral("No cell with batch 1")),
                 "latency of another batch is not made up");
    }

    void memoryIsBesideThatOfTheBaseline()
    {
        const Answer answer = answerTo(sampleRun(), {.objective = AnswerObjective::Memory});
        QVERIFY2(answer.headline.startsWith(QStringLiteral("Least memory: ")),
                 qPrintable(answer.headline));
        QVERIFY2(answer.detail.contains(QStringLiteral(" GiB")), qPrintable(answer.detail));
        QVERIFY2(answer.detail.contains(QStringLiteral("× the memory of best bf16")),
                 qPrintable(answer.detail));
        QVERIFY2(answer.detail.contains(QStringLiteral("the speed of")), qPrintable(answer.detail));
    }

    void energyIsBesideThatOfTheBaseline()
    {
        const core::AnswerQuestion asked{.objective = AnswerObjective::Energy};
        RunData data = sampleRun();
        for (Measurement& row : data.measurements)
            row.result.energy.reset();
        QVERIFY(answerTo(data, asked).cellId.isEmpty());
        for (Measurement& row : data.measurements) {
            row.result.trace.points.clear();
            const double watts = row.cellId.starts_with("int8dq-none") ? 20.0 : 100.0;
            for (double second = 0.0; second <= 5.0; second += 1.0)
                row.result.trace.points.push_back({.at = second, .energyJoules = watts * second});
            row.result.energy = core::PassStretch{.passes = 10, .start = 1.0, .seconds = 3.0};
        }
        const Answer answer = answerTo(data, asked);
        QVERIFY2(answer.cellId.startsWith(QStringLiteral("int8dq-none")),
                 qPrintable(answer.cellId));
        QVERIFY2(answer.detail.contains(QStringLiteral(" J/image")), qPrintable(answer.detail));
        QVERIFY2(answer.detail.contains(QStringLiteral("× the energy of best bf16")),
                 qPrintable(answer.detail));
    }

    void tiesAreListed()
    {
        RunData data = sampleRun();
        const QString best = answerOf(data).cellId;
        // The same numbers for every graph of that batch, but for a wobble.
        for (Measurement& row : data.measurements) {
            const bool twin =
                row.cellId == "bf16-cuda-graph-b16" || row.cellId == best.toStdString();
            if (!twin)
                continue;
            const double wobble =
                row.cellId.starts_with("bf16") ? 1.0 + 0.01 * (row.round - 1) : 1.0;
            row.result.hostSeconds = {0.0125 * wobble};  // faster is more than an H200 can do
            row.result.deviceSeconds = row.result.hostSeconds;
        }
        const Answer answer = answerOf(data);
        QVERIFY2(answer.detail.contains(QStringLiteral("tied with ")), qPrintable(answer.detail));
    }

    void otherBatchesSayNothing()
    {
        RunData data = sampleRun();
        std::erase_if(data.qualities, [](const OutputQuality& quality) {
            return !quality.cellId.ends_with("-b1");
        });
        const Answer any = answerOf(data);
        QVERIFY2(any.detail.contains(
                     QStringLiteral("outputs not compared at this batch (at batch 1 only)")),
                 qPrintable(any.detail));
        const Answer limited =
            answerTo(data, {.limit = QualityLimit::MinimumLikeness, .minimumLikeness = 0.0001});
        QVERIFY2(!limited.cellId.startsWith(QStringLiteral("int8dq")) ||
                     limited.cellId.endsWith(QStringLiteral("-b1")),
                 qPrintable(limited.cellId));
        const Analysis analysis = analyse(data, "best-bf16");
        bool said = false;
        for (const AnswerCandidate& candidate : limited.found.candidates) {
            if (candidate.candidacy != Candidacy::NotComparedHere)
                continue;
            said = true;
            QVERIFY(qs::app::candidateReason(candidate, *analysis.find(candidate.cellId),
                                             {.limit = QualityLimit::MinimumLikeness})
                        .startsWith(QStringLiteral("compared at batch 1 only")));
        }
        QVERIFY(said);
    }

    void reasonsNameTheNumber()
    {
        RunData data = sampleRun();
        for (OutputQuality& quality : data.qualities) {
            if (quality.referenceId != "input" && quality.cellId.starts_with("int8dq"))
                quality.set("ssim", 0.5);
        }
        const Analysis analysis = analyse(data, "best-bf16");
        for (const auto limit : {QualityLimit::MinimumLikeness, QualityLimit::WithinNoise}) {
            const AnswerQuestion question{.limit = limit};
            const Answer answer = answerTo(data, question);
            const auto found = std::find_if(
                answer.found.candidates.begin(), answer.found.candidates.end(),
                [](const auto& each) { return each.candidacy == Candidacy::BeyondLimit; });
            QVERIFY(found != answer.found.candidates.end());
            const QString reason =
                qs::app::candidateReason(*found, *analysis.find(found->cellId), question);
            QVERIFY2(limit == QualityLimit::MinimumLikeness
                         ? reason == QStringLiteral("mean SSIM 0.5000 < 0.99")
                         : reason.contains(QStringLiteral("the noise floor in the mean")),
                     qPrintable(reason));
        }
    }

    void everyReasonHasAHeading()
    {
        for (int i = 0; i <= int(Candidacy::BeyondLimit); ++i)
            QVERIFY(!qs::app::candidacyText(static_cast<Candidacy>(i)).isEmpty());
    }

    void cellThatRanSomethingElseIsNoAnswer()
    {
        RunData data = sampleRun();
        for (Measurement& row : data.measurements) {
            if (row.cellId.starts_with("int8dq"))
                for (qs::core::ExecutedStage& stage : row.result.executed)
                    stage.products = {{"aten::_int_mm", qs::core::DType::Int32, 0, stage.matched}};
        }
        QVERIFY(answerOf(data).cellId.startsWith(QStringLiteral("bf16")));
    }
};

const tests::GuiTest<TestAnswer> registered(__FILE_NAME__);

}  // namespace qs::tst_answer

#include "tst_answer.moc"
