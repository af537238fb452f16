#include "core/report/words/failure_text.h"
#include "tests/support/gui_test.h"
#include "tests/support/sample_run.h"
#include "widgets/compare/compare_text.h"
#include "widgets/models/verdict_tone.h"

#include <limits>

namespace qs::tst_compare_text {

using namespace widgets;
using tests::sampleCellId;
using tests::sampleRun;

class TestCompareText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }

    void cellsWithoutPictures()
    {
        const core::RunData data = sampleRun({.withFailures = true});
        const core::Analysis analysis = core::analyse(data, "best-bf16");
        const auto text = [&](const std::string& id) {
            return unavailableText(*data.plan.find(id), analysis.find(id));
        };
        QCOMPARE(text(sampleCellId("int8dq", "none", 4)), QString());
        for (const std::string& id :
             {sampleCellId("int8dq", "cuda-graph", 64), sampleCellId("int8dq", "none", 64)})
            QCOMPARE(text(id), QStringLiteral("This cell has no images: ") +
                                   QString::fromStdString(core::reasonText(*analysis.find(id))));
        core::PlannedCell impossible = data.plan.cells.front();
        impossible.impossible = core::remark("int8 needs compute capability 8.0");
        QCOMPARE(unavailableText(impossible, nullptr),
                 QStringLiteral("This cell has no images: int8 needs compute capability 8.0"));
    }

    void cellsThatHaveNotRun()
    {
        const core::RunData data = sampleRun({.rounds = 0});
        const core::Analysis analysis = core::analyse(data, "best-bf16");
        const core::PlannedCell& cell = data.plan.cells.front();
        QCOMPARE(unavailableText(cell, analysis.find(cell.id)),
                 QStringLiteral("This cell has no images: not measured yet"));
        QCOMPARE(verdictText(analysis, cell), cell.id == cell.referenceId
                                                  ? QStringLiteral("this is the quality reference")
                                                  : QString());
    }

    void verdicts()
    {
        const core::RunData data = sampleRun();
        core::Analysis analysis = core::analyse(data, "best-bf16");
        const core::PlannedCell& int8 = *data.plan.find(sampleCellId("int8dq", "none", 4));
        // 0.004 against the 0.001 of fp32.
        QCOMPARE(verdictText(analysis, int8), QStringLiteral("4× noise floor"));
        const QString explained = verdictExplanation(analysis, int8);
        QVERIFY2(explained.contains(QStringLiteral("fp32 · eager")), qPrintable(explained));
        const core::PlannedCell& graph = *data.plan.find(sampleCellId("bf16", "cuda-graph", 4));
        QCOMPARE(verdictText(analysis, graph), QStringLiteral("bit-identical to the reference"));
        const core::PlannedCell& reference = *data.plan.find(sampleCellId("bf16", "none", 4));
        QCOMPARE(verdictText(analysis, reference), QStringLiteral("this is the quality reference"));
        // What a rounded figure would deny, and the colour of the table says.
        for (core::CellSummary& summary : analysis.cells) {
            summary.noiseMultiple = 1.017;
            summary.qualityVerdict = core::QualityVerdict::Worse;
        }
        QVERIFY(verdictText(analysis, int8).startsWith(QStringLiteral("1.02×")));
        QVERIFY(verdictText(analysis, int8).endsWith(qualityVerdictText(*analysis.find(int8.id))));
        for (core::CellSummary& summary : analysis.cells)
            summary.noiseMultiple.reset();
        for (core::NoiseFloor& floor : analysis.floors)
            floor.deterministic = true;
        QVERIFY(verdictText(analysis, int8).contains(QStringLiteral("deterministic")));
        for (core::NoiseFloor& floor : analysis.floors) {
            floor.deterministic = false;
            floor.referenceRepeats = false;
        }
        QVERIFY(verdictText(analysis, int8).contains(QStringLiteral("not repeatable")));
        QVERIFY(verdictExplanation(analysis, int8).contains(QStringLiteral("round to round")));
        analysis.floors.clear();
        QCOMPARE(verdictText(analysis, int8), QStringLiteral("noise floor not measured"));
    }

    void whichOfTwoIsCloser()
    {
        core::QualityComparison judged;
        QCOMPARE(closerText(judged), QString());
        QCOMPARE(closerExplanation(judged), QString());
        judged.reason = core::NoVerdict::OtherReference;
        QCOMPARE(closerExplanation(judged),
                 QStringLiteral("A against B: the cells have different references"));
        judged.reason.reset();
        judged.pictures = 16;
        judged.margin = 0.001;
        judged.closer = core::Estimate{0.012, core::Interval{0.01, 0.014}};
        judged.verdict = core::QualityVerdict::Better;
        QCOMPARE(closerText(judged), QStringLiteral("A is closer to the reference than B"));
        QCOMPARE(closerExplanation(judged),
                 QStringLiteral("A against B over 16 images: the distance 1 − SSIM of B less that "
                                "of A is 0.012 in the mean, 95 % interval [0.01, 0.014]; "
                                "differences below the noise floor of 0.001 are not significant."));
        judged.verdict = core::QualityVerdict::Worse;
        QCOMPARE(closerText(judged), QStringLiteral("B is closer to the reference than A"));
        for (const auto verdict : {core::QualityVerdict::Same, core::QualityVerdict::Ambiguous,
                                   core::QualityVerdict::TooFewPictures}) {
            judged.verdict = verdict;
            QVERIFY(!closerText(judged).isEmpty());
        }
    }

    void twoCellsOfARunAreJudged()
    {
        const core::RunData data = sampleRun();
        const core::Analysis analysis = core::analyse(data, "best-bf16");
        const std::string int8 = sampleCellId("int8dq", "none", 4);
        const std::string graph = sampleCellId("bf16", "cuda-graph", 4);
        const auto judged = core::judgeAgainst(data, analysis, graph, int8);
        const auto turned = core::judgeAgainst(data, analysis, int8, graph);
        QVERIFY(judged.verdict.has_value());
        QVERIFY(turned.verdict.has_value());
        QCOMPARE(*turned.verdict == core::QualityVerdict::Worse,
                 *judged.verdict == core::QualityVerdict::Better);
        QVERIFY(judged.closer->value > 0.0);  // the graph equals the reference, int8 does not
        QCOMPARE(turned.closer->value, -judged.closer->value);
        const auto otherBatch =
            core::judgeAgainst(data, analysis, int8, sampleCellId("int8dq", "none", 64));
        QVERIFY(closerText(otherBatch).isEmpty());
        QVERIFY(!closerExplanation(otherBatch).isEmpty());
    }

    void untrainedIsSaid()
    {
        core::PlannedCell cell;
        QCOMPARE(untrainedNote(cell),
                 QStringLiteral("random weights: numeric deviation only, no image quality"));
        cell.trained = true;
        QCOMPARE(untrainedNote(cell), QString());
    }

    void metrics()
    {
        Comparison comparison;
        comparison.ssim.mean = 0.991234;
        comparison.psnrDb = 41.26;
        comparison.maximumDifference = 0.125;
        comparison.worstTiles = {{.x = 0, .y = 0, .width = 64, .height = 64, .mean = 0.87654}};
        QCOMPARE(metricsLines(comparison),
                 QStringList({QStringLiteral("SSIM 0.99123 · PSNR 41.3 dB"),
                              QStringLiteral("max |Δ| 0.125 · worst tile 0.8765")}));
        comparison.psnrDb = std::numeric_limits<double>::infinity();
        QVERIFY(!metricsLines(comparison).join(QString()).contains(QStringLiteral("inf")));
        comparison.identical = true;
        QCOMPARE(metricsLines(comparison).front(),
                 QStringLiteral("bit-identical to the reference"));
    }

    void metricsOfTheRecord()
    {
        core::OutputQuality quality;
        quality.set("ssim", 0.991234);
        quality.set("psnr", 41.26);
        quality.set("max_difference", 0.125);
        quality.worstTile = core::WorstTile{.x = 0, .y = 0, .ssim = 0.87654};
        QCOMPARE(metricsLines(quality),
                 QStringList({QStringLiteral("SSIM 0.99123 · PSNR 41.3 dB"),
                              QStringLiteral("max |Δ| 0.125 · worst tile 0.8765")}));
        quality.set("psnr", std::nullopt);
        QVERIFY(metricsLines(quality).front().endsWith(QStringLiteral("equal when clamped")));
        QCOMPARE(visibleLine(quality), QString());
        quality.set("flip", 0.0123);
        QCOMPARE(visibleLine(quality), QStringLiteral("FLIP 0.0123"));
        quality.set("ms_ssim", 0.999912);
        QCOMPARE(visibleLine(quality), QStringLiteral("FLIP 0.0123 · MS-SSIM 0.99991"));
        quality.identical = true;
        QCOMPARE(metricsLines(quality).front(), QStringLiteral("bit-identical to the reference"));
    }

    // Of random weights: no SSIM, no PSNR.
    void deviations()
    {
        Comparison comparison;
        comparison.ssim.mean = 0.991234;
        comparison.maximumDifference = 0.125;
        QCOMPARE(deviationLines(comparison, nullptr), QStringList{QStringLiteral("max |Δ| 0.125")});
        core::OutputQuality quality;
        quality.set("ssim", 0.991234);
        quality.set("relative_l2", 0.0141);
        quality.set("max_difference", 0.0625);
        QCOMPARE(
            deviationLines(comparison, &quality),
            QStringList({QStringLiteral("relative L2 0.0141"), QStringLiteral("max |Δ| 0.0625")}));
        quality.identical = true;
        QCOMPARE(deviationLines(comparison, &quality).front(),
                 QStringLiteral("bit-identical to the reference"));
    }

    void regions()
    {
        core::RegionScore score;
        score.region = {3, 4, 40, 30};
        score.ssim = 0.98214;
        score.psnrDb = 38.14;
        score.maxAbsolute = 0.125;
        QCOMPARE(regionLine(score), QStringLiteral("region 40 × 30 px · SSIM 0.98214 · "
                                                   "PSNR 38.1 dB · max |Δ| 0.125"));
        score.ssim.reset();
        QVERIFY(regionLine(score).contains(QStringLiteral("no SSIM at the border")));
        score.identical = true;
        QCOMPARE(regionLine(score), QStringLiteral("region 40 × 30 px · identical"));
    }

    void pictureNames()
    {
        core::RunData data = sampleRun();
        const core::PlannedCell* cell = data.plan.find(sampleCellId("int8dq", "none", 4));
        const std::string environment = data.environments.front().id();
        QCOMPARE(pictureName(data, *cell, environment, 1),
                 QStringLiteral("picture 2 · SSIM 0.99560"));
        QCOMPARE(pictureName(data, *cell, "elsewhere", 1), QStringLiteral("picture 2"));
        core::PlannedCell untrained = *cell;
        untrained.trained = false;
        QCOMPARE(pictureName(data, untrained, environment, 1), QStringLiteral("picture 2"));
        QCOMPARE(pictureName(data, 1), QStringLiteral("picture 2"));
        QCOMPARE(pictureName(data, *cell, environment, 99), QStringLiteral("image 100"));
        QCOMPARE(pictureCount(data), 4);
        data.pictureNames.assign(40, "x");
        QCOMPARE(pictureCount(data), 16);
    }

    void newestQualityCounts()
    {
        core::RunData data = sampleRun();
        const std::string id = sampleCellId("int8dq", "none", 4);
        const std::string reference = sampleCellId("bf16", "none", 4);
        const std::string environment = data.environments.front().id();
        core::OutputQuality again = *findQuality(data, {id, reference, environment, 0});
        again.set("ssim", 0.5);
        data.qualities.push_back(again);
        QCOMPARE(findQuality(data, {id, reference, environment, 0})->find("ssim"),
                 std::optional(0.5));
        data.qualities.back().environmentId = "elsewhere";
        QVERIFY(findQuality(data, {id, reference, environment, 0})->find("ssim") > 0.99);
        QVERIFY(findQuality(data, {"nobody", reference, environment, 0}) == nullptr);
    }
};

const tests::GuiTest<TestCompareText> registered(__FILE_NAME__);

}  // namespace qs::tst_compare_text

#include "tst_compare_text.moc"
