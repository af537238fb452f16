#include "app/gui/answer.h"
#include "tests/support/sample_run.h"

#include <QTest>

#include <algorithm>

using qs::app::Answer;
using qs::app::findAnswer;
using qs::app::QualityLimit;
using namespace qs::core;
using qs::tests::sampleRun;

namespace {

const QString kBaseline = QStringLiteral("best-bf16");

Answer answerOf(const RunData& data, QualityLimit limit = QualityLimit::None, bool running = false)
{
    const Analysis analysis = analyse(data, "best-bf16");
    return findAnswer(data, analysis, kBaseline, limit, running);
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
        const Answer answer = answerOf(sampleRun({.trained = false}), QualityLimit::Ssim99);
        QVERIFY(!answer.cellId.isEmpty());
        QVERIFY(!answer.trained);
        QVERIFY2(!answer.detail.contains(QStringLiteral("SSIM")), qPrintable(answer.detail));
        QVERIFY2(answer.detail.contains(QStringLiteral("untrained weights")),
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
        last.status = CellStatus::Cancelled;
        QVERIFY(!answerOf(data).progress.isEmpty());
    }

    void limitLeavesOutBadPictures()
    {
        RunData data = sampleRun();
        for (PictureQuality& quality : data.qualities) {
            if (quality.referenceId != "input" && quality.cellId.starts_with("int8dq"))
                quality.ssim = 0.5;
        }
        QVERIFY(answerOf(data).cellId.startsWith(QStringLiteral("int8dq")));
        const Answer limited = answerOf(data, QualityLimit::Ssim99);
        QVERIFY2(limited.cellId.startsWith(QStringLiteral("bf16")), qPrintable(limited.cellId));
        QVERIFY(
            answerOf(data, QualityLimit::WithinNoise).cellId.startsWith(QStringLiteral("bf16")));
    }

    void qualityComesWithTheReference()
    {
        RunData data = sampleRun();
        std::erase_if(data.measurements,
                      [](const Measurement& row) { return !row.cellId.starts_with("int8dq"); });
        data.qualities.clear();
        const Answer running = answerOf(data, QualityLimit::Ssim99, true);
        QVERIFY2(running.headline.startsWith(QStringLiteral("Quality not known yet")),
                 qPrintable(running.headline));
        QCOMPARE(answerOf(data, QualityLimit::Ssim99).headline,
                 QStringLiteral("No measured cell keeps the quality limit"));
    }

    void unknownQualityKeepsNoLimit()
    {
        RunData data = sampleRun();
        data.qualities.clear();
        QVERIFY(answerOf(data, QualityLimit::Ssim99).cellId.startsWith(QStringLiteral("bf16")));
    }

    void baselineItselfIsSaidSo()
    {
        RunData data = sampleRun();
        std::erase_if(data.measurements, [](const Measurement& row) {
            return row.cellId.starts_with("int8dq") && !row.cellId.ends_with("-b1");
        });
        const Answer answer = answerOf(data);
        QVERIFY2(answer.cellId.startsWith(QStringLiteral("bf16")), qPrintable(answer.cellId));
        QVERIFY2(answer.detail.contains(
                     QStringLiteral("best bf16 itself, nothing else is faster; next: ")),
                 qPrintable(answer.detail));
        // The nearest stands beside it.
        QVERIFY(!answer.otherId.isEmpty() && answer.otherId != answer.cellId);
    }

    void baselineAlone()
    {
        RunData data = sampleRun();
        std::erase_if(data.measurements,
                      [](const Measurement& row) { return row.cellId != "bf16-none-b4"; });
        const Answer answer = answerOf(data);
        QCOMPARE(answer.cellId, QStringLiteral("bf16-none-b4"));
        QVERIFY(answer.otherId.isEmpty());
        QVERIFY2(answer.detail.contains(QStringLiteral("nothing else is faster · ")),
                 qPrintable(answer.detail));
    }

    void cellThatRanSomethingElseIsNoAnswer()
    {
        RunData data = sampleRun();
        for (Measurement& row : data.measurements) {
            if (row.cellId.starts_with("int8dq"))
                row.result.executed = "MISMATCH " + row.result.executed;
        }
        QVERIFY(answerOf(data).cellId.startsWith(QStringLiteral("bf16")));
    }
};

QTEST_GUILESS_MAIN(TestAnswer)
#include "tst_answer.moc"
