#include "core/analysis/noise_floors.h"

#include "core/analysis/quality_comparison.h"
#include "core/report/report.h"
#include "tests/analysis/analysis_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <utility>

namespace qs::core {
namespace {

using testing::HasSubstr;
using tests::addFailure;
using tests::addQuality;
using tests::addRow;
using tests::runOf;

RunData withFloor()
{
    RunData data = runOf({{.id = "ref", .reference = "ref"},
                          {.id = "fp32", .precision = "fp32", .reference = "ref"},
                          {.id = "again", .reference = "ref"},
                          {.id = "int8", .precision = "int8dq", .reference = "ref"}});
    data.plan.cells[1].role = CellRole::NoiseFloor;
    data.plan.cells[2].role = CellRole::NoiseFloor;
    data.plan.cells[2].rerun = 1;
    return data;
}

// The same, and rows of all but the rerun.
RunData withRows()
{
    RunData data = withFloor();
    for (const char* id : {"ref", "fp32", "int8"})
        addRow(data, id, 0, {1.0});
    return data;
}

TEST(QualityFigures, AreOverPictures)
{
    RunData data = withFloor();
    for (PlannedCell& cell : data.plan.cells)
        cell.trained = true;
    addQuality(data, "int8", "ref", 0, 0.9, 30.0);
    addQuality(data, "int8", "ref", 1, 1.0);
    addQuality(data, "int8", "ref", 2, 0.8, 20.0);
    const CellSummary summary = *analyse(data, "best-bf16").find("int8");
    EXPECT_NEAR(*summary.quality->mean("ssim"), 0.9, 1e-12);
    EXPECT_DOUBLE_EQ(*summary.quality->worst("ssim"), 0.8);
    EXPECT_EQ(summary.quality->worstSample, 2);
    EXPECT_DOUBLE_EQ(*summary.quality->mean("psnr"), 25.0) << "over the pictures that differ";
    EXPECT_EQ(summary.quality->metrics.at("psnr").samples, 2U);
    EXPECT_EQ(summary.quality->samples.size(), 3U);
    const Analysis analysis = analyse(data, "best-bf16");
    EXPECT_THAT(summaryMarkdown(data, analysis), HasSubstr("| 25.00 (2 of 3) |"));
    const Json quality =
        reportJson(data, analysis).at("cells").at(3).at("difference_from_reference");
    EXPECT_EQ(quality.at("figures").at("ssim").at("outputs"), 3);
    EXPECT_FALSE(summary.identical());
    EXPECT_FALSE(summary.noiseMultiple) << "no noise-floor run has finished";
}

TEST(QualityFigures, TakeVisibleDifferencesOnlyIfEveryPictureHasThem)
{
    RunData data = withFloor();
    addQuality(data, "int8", "ref", 0, 0.9).set("flip", 0.01);
    OutputQuality& second = addQuality(data, "int8", "ref", 1, 0.8);
    EXPECT_FALSE(analyse(data, "best-bf16").find("int8")->quality->mean("flip"))
        << "rows of before lack it";
    second.set("flip", 0.03);
    const CellSummary summary = *analyse(data, "best-bf16").find("int8");
    EXPECT_DOUBLE_EQ(*summary.quality->mean("flip"), 0.02);
    EXPECT_DOUBLE_EQ(*summary.quality->worst("flip"), 0.03);
    EXPECT_FALSE(summary.quality->mean("ms_ssim"));
}

TEST(QualityFigures, SayHowFarTheRawOutputsAre)
{
    RunData data = withFloor();
    const auto add = [&](int picture, double maximum, double mean, double relative) {
        OutputQuality& quality = addQuality(data, "int8", "ref", picture, 0.9);
        quality.set("max_difference", maximum);
        quality.set("mean_difference", mean);
        quality.set("relative_l2", relative);
    };
    add(0, 0.5, 0.01, 0.1);
    add(1, 0.25, 0.03, 0.2);
    data.qualities.front().set("cosine", 0.996);
    CellSummary summary = *analyse(data, "best-bf16").find("int8");
    EXPECT_DOUBLE_EQ(*summary.quality->worst("max_difference"), 0.5) << "of all pictures";
    EXPECT_DOUBLE_EQ(*summary.quality->mean("mean_difference"), 0.02);
    EXPECT_DOUBLE_EQ(*summary.quality->mean("relative_l2"), 0.15);
    EXPECT_FALSE(summary.quality->mean("cosine")) << "a picture lacks it";
    data.qualities.back().set("cosine", 0.998);
    summary = *analyse(data, "best-bf16").find("int8");
    EXPECT_DOUBLE_EQ(*summary.quality->mean("cosine"), 0.997);
    data.qualities.back().set("relative_l2", std::nullopt);
    EXPECT_FALSE(analyse(data, "best-bf16").find("int8")->quality->mean("relative_l2"))
        << "nor a mean of the others";
    const CellSummary reference = *analyse(data, "best-bf16").find("ref");
    EXPECT_FALSE(reference.quality);
}

TEST(QualityFigures, JudgeACellAgainstTheFloor)
{
    RunData data = withFloor();
    for (int picture = 0; picture < 8; ++picture) {
        addQuality(data, "fp32", "ref", picture, 0.999);
        addQuality(data, "again", "ref", picture, 1.0);
        addQuality(data, "int8", "ref", picture, 0.98 - 0.001 * picture);
    }
    const Analysis analysis = analyse(data, "best-bf16");
    EXPECT_EQ(analysis.find("int8")->qualityVerdict, QualityVerdict::Worse);
    EXPECT_EQ(analysis.find("fp32")->qualityVerdict, QualityVerdict::Same);
    EXPECT_EQ(analysis.find("again")->qualityVerdict, QualityVerdict::Same);
    EXPECT_FALSE(analysis.find("ref")->qualityVerdict);
    data.qualities.resize(6);  // two pictures of each
    EXPECT_EQ(analyse(data, "best-bf16").find("int8")->qualityVerdict,
              QualityVerdict::TooFewPictures);
}

// Eight pictures reach no chance that is small enough among eighty cells; sixteen do.
TEST(QualityFigures, AreJudgedTogetherWithAllCellsOfTheRun)
{
    const auto claimOf = [](int pictures, int others, const std::optional<Note>& impossible = {}) {
        RunData data = withFloor();
        for (int i = 0; i < others; ++i) {
            data.plan.cells.push_back(data.plan.cells[3]);
            data.plan.cells.back().id = "planned" + std::to_string(i);
            data.plan.cells.back().impossible = impossible;
        }
        for (int picture = 0; picture < pictures; ++picture) {
            addQuality(data, "fp32", "ref", picture, 0.999);
            addQuality(data, "again", "ref", picture, 1.0);
            addQuality(data, "int8", "ref", picture, 0.98 - 0.001 * picture);
        }
        const Analysis analysis = analyse(data, "best-bf16");
        EXPECT_EQ(analysis.find("fp32")->qualityVerdict, QualityVerdict::Same);
        const CellSummary& int8 = *analysis.find("int8");
        return std::pair(*int8.qualityVerdict, int8.qualityClaim->pValue);
    };
    const auto expect = [](const auto& claim, QualityVerdict verdict, double chance) {
        EXPECT_EQ(claim.first, verdict);
        EXPECT_NEAR(claim.second, chance, 1e-12);
    };
    expect(claimOf(8, 0), QualityVerdict::Worse, 2.0 / 12870.0);
    expect(claimOf(8, 80), QualityVerdict::Ambiguous, 81.0 * 2.0 / 12870.0);
    expect(claimOf(16, 80), QualityVerdict::Worse, 81.0 * 2.0 / 601080390.0);
    EXPECT_EQ(claimOf(8, 80, remark("no such device")).first, QualityVerdict::Worse)
        << "what cannot run is no comparison";
}

// As int8dq of the demo model beside bf16 on eight pictures: SSIM 0.9905, 29.7 times the floor, and
// every picture beyond it; at eight batches and in two compile modes.
RunData demoSweep()
{
    std::vector<tests::CellText> texts;
    for (const int batch : {1, 2, 4, 8, 16, 32, 64, 128}) {
        const std::string reference = "ref" + std::to_string(batch);
        texts.push_back({.id = reference, .batch = batch, .reference = reference});
        texts.push_back({.id = "fp32" + std::to_string(batch),
                         .precision = "fp32",
                         .batch = batch,
                         .reference = reference});
        for (const char* scheme : {"int8dq", "int8wo"}) {
            for (const char* compile : {"none", "cuda-graph"})
                texts.push_back({.id = scheme + std::string("-") + compile + std::to_string(batch),
                                 .precision = scheme,
                                 .compile = compile,
                                 .batch = batch,
                                 .reference = reference});
        }
    }
    RunData data = runOf(texts, 1);
    const std::vector<double> hardness{0.6, 0.8, 0.9, 1.0, 1.0, 1.1, 1.2, 1.4};
    for (PlannedCell& cell : data.plan.cells) {
        cell.trained = true;
        const std::string& scheme = cell.config.precision.front();
        CellResult& result = addRow(data, cell.id, 0, {1.0}).result;
        for (int picture = 0; picture < 8; ++picture) {
            result.outputs.push_back({picture, "", scheme + std::to_string(picture)});
            const double floor = 0.00032 * hardness[static_cast<std::size_t>(picture)];
            const double times = scheme == "int8dq" ? 29.7 : scheme == "int8wo" ? 0.9 : 1.0;
            if (cell.id != cell.referenceId)
                addQuality(data, cell.id, cell.referenceId, picture, 1.0 - times * floor);
        }
    }
    return data;
}

TEST(QualityFigures, ACellFarBeyondTheFloorIsWorseWithEightPictures)
{
    const RunData data = demoSweep();
    const Analysis analysis = analyse(data, "best-bf16");
    for (const CellSummary& cell : analysis.cells) {
        if (cell.cell->config.precision.front() == "int8dq") {
            EXPECT_NEAR(*cell.quality->mean("ssim"), 0.9905, 1e-4);
            EXPECT_NEAR(*cell.noiseMultiple, 29.7, 1e-6);
            EXPECT_EQ(cell.qualityVerdict, QualityVerdict::Worse) << cell.cellId;
        } else if (cell.cell->config.precision.front() == "int8wo") {
            EXPECT_NE(cell.qualityVerdict, QualityVerdict::Worse) << cell.cellId;
        }
    }
}

// Sixteen cells of int8dq with one and the same output are one test, not sixteen.
TEST(QualityFigures, EqualOutputsAreOneTest)
{
    RunData data = demoSweep();
    const CellSummary pooled = *analyse(data, "best-bf16").find("int8dq-none64");
    EXPECT_EQ(pooled.qualityClaim->cells, 16);
    EXPECT_NEAR(pooled.qualityClaim->pValue, 2.0 * 2.0 / 12870.0, 1e-12);
    // Other pixels at one batch, or another distance of equal ones: a test of its own.
    for (Measurement& row : data.measurements) {
        if (row.cellId == "int8dq-none64")
            row.result.outputs.front().sha256 = "other";
    }
    data.qualities.back().set("ssim", *data.qualities.back().find("ssim") - 1e-9);
    const Analysis analysis = analyse(data, "best-bf16");
    EXPECT_EQ(analysis.find("int8dq-none64")->qualityClaim->cells, 1);
    EXPECT_EQ(analysis.find("int8dq-none32")->qualityClaim->cells, 15);
    EXPECT_EQ(analysis.find("int8wo-none32")->qualityClaim->cells, 15);
    EXPECT_NEAR(analysis.find("int8dq-none32")->qualityClaim->pValue, 4.0 * 2.0 / 12870.0, 1e-12);
    // Nobody knows which outputs are equal without their hashes.
    for (Measurement& row : data.measurements)
        row.result.outputs.clear();
    EXPECT_EQ(analyse(data, "best-bf16").find("int8dq-none32")->qualityClaim->cells, 1);
}

TEST(QualityFigures, OfTheReferenceAreEmpty)
{
    RunData data = withFloor();
    addQuality(data, "ref", "ref", 0, 1.0);
    const CellSummary summary = *analyse(data, "best-bf16").find("ref");
    EXPECT_FALSE(summary.quality);
    EXPECT_FALSE(summary.identical());
}

TEST(QualityFigures, ALaterComparisonReplacesTheEarlier)
{
    RunData data = withFloor();
    addQuality(data, "int8", "ref", 0, 0.5);
    addQuality(data, "int8", "ref", 0, 0.75);
    EXPECT_DOUBLE_EQ(*analyse(data, "best-bf16").find("int8")->quality->mean("ssim"), 0.75);
}

TEST(QualityFigures, EqualAfterClampingIsNotIdentical)
{
    RunData data = withFloor();
    OutputQuality& quality = addQuality(data, "int8", "ref", 0, 1.0);
    quality.identical = false;
    quality.set("max_difference", 0.01);
    EXPECT_FALSE(analyse(data, "best-bf16").find("int8")->identical());
}

TEST(NoiseFloor, IsTheLargestDistanceAndNamesItsRun)
{
    RunData data = withFloor();
    addQuality(data, "fp32", "ref", 0, 0.99);
    addQuality(data, "fp32", "ref", 1, 0.97);
    addQuality(data, "again", "ref", 0, 1.0);
    addQuality(data, "int8", "ref", 0, 0.94);
    const Analysis analysis = analyse(data, "best-bf16");
    ASSERT_EQ(analysis.floors.size(), 1U);
    EXPECT_EQ(analysis.floors[0].referenceId, "ref");
    EXPECT_EQ(analysis.floors[0].setBy, "fp32");
    EXPECT_NEAR(analysis.floors[0].distance, 0.02, 1e-12);
    EXPECT_FALSE(analysis.floors[0].deterministic);
    EXPECT_NEAR(*analysis.find("int8")->noiseMultiple, 3.0, 1e-9);
    EXPECT_NEAR(*analysis.find("fp32")->noiseMultiple, 1.0, 1e-9);
    EXPECT_EQ(analysis.find("again")->noiseMultiple, 0.0);
    EXPECT_FALSE(analysis.find("ref")->noiseMultiple);
}

TEST(NoiseFloor, OfIdenticalRunsIsDeterministicAndNeverInfinite)
{
    RunData data = withFloor();
    data.plan.cells.push_back(data.plan.cells[3]);
    data.plan.cells.back().id = "equal";
    addQuality(data, "fp32", "ref", 0, 1.0);
    addQuality(data, "again", "ref", 0, 1.0);
    addQuality(data, "int8", "ref", 0, 0.9);
    addQuality(data, "equal", "ref", 0, 1.0);
    const Analysis analysis = analyse(data, "best-bf16");
    EXPECT_TRUE(analysis.floors.at(0).deterministic);
    EXPECT_EQ(analysis.floors.at(0).distance, 0.0);
    EXPECT_FALSE(analysis.floors.at(0).setBy.empty());
    EXPECT_FALSE(analysis.find("int8")->noiseMultiple);
    EXPECT_EQ(analysis.find("equal")->noiseMultiple, 0.0);
}

TEST(NoiseFloor, IsNotDeterministicIfTheReferenceDoesNotRepeat)
{
    RunData data = withFloor();
    const auto addRound = [&](int round, const char* ofReference, const char* ofRerun) {
        addRow(data, "ref", round, {1.0}).result.outputs = {{0, "", ofReference}};
        addRow(data, "again", round, {1.0}).result.outputs = {{0, "", ofRerun}};
        addRow(data, "int8", round, {1.0}).result.outputs = {{0, "", "int8"}};
    };
    addRound(0, "same", "same");
    for (const char* id : {"fp32", "again", "int8"})
        addQuality(data, id, "ref", 0, 1.0);
    Analysis analysis = analyse(data, "best-bf16");
    EXPECT_TRUE(analysis.floors.at(0).deterministic) << "as far as one round tells";
    EXPECT_EQ(analysis.floors.at(0).referenceRepeats, std::nullopt);

    addRound(1, "same", "same");
    analysis = analyse(data, "best-bf16");
    EXPECT_TRUE(analysis.floors.at(0).deterministic);
    EXPECT_EQ(analysis.floors.at(0).referenceRepeats, true);
    EXPECT_EQ(analysis.find("int8")->noiseResult, NoiseResult::Deterministic);

    RunData unsteadyRerun = data;
    addRow(unsteadyRerun, "again", 2, {1.0}).result.outputs = {{0, "", "other"}};
    analysis = analyse(unsteadyRerun, "best-bf16");
    EXPECT_FALSE(analysis.floors.at(0).deterministic) << "a run of the floor differs";
    EXPECT_EQ(analysis.floors.at(0).referenceRepeats, true);

    addRound(2, "other", "same");
    analysis = analyse(data, "best-bf16");
    EXPECT_FALSE(analysis.floors.at(0).deterministic) << "the rerun equals one of its outputs only";
    EXPECT_EQ(analysis.floors.at(0).referenceRepeats, false);
    EXPECT_EQ(analysis.find("int8")->noiseResult, NoiseResult::AtFloor);
    EXPECT_THAT(summaryMarkdown(data, analysis),
                HasSubstr("0; the reference is not repeatable between rounds"));
    const Json floor = reportJson(data, analysis).at("noise_floors").at(0);
    EXPECT_EQ(floor.at("deterministic"), false);
    EXPECT_EQ(floor.at("reference_repeats"), false);
}

// Of classes: the choices of four images are equal soon.
OutputQuality& addClasses(RunData& data, const std::string& cell, int sample, double top1,
                          double divergence)
{
    OutputQuality& quality = addQuality(data, cell, "ref", sample, 0.5);
    quality.set("top1_agreement", top1);
    quality.set("kl_divergence", divergence);
    return quality;
}

RunData withClasses(double divergence, double top1OfFloor = 1.0)
{
    RunData data = withRows();
    addRow(data, "again", 0, {1.0});
    for (PlannedCell& cell : data.plan.cells) {
        cell.output = OutputKind::Classes;
        cell.trained = true;
    }
    for (int sample = 0; sample < 4; ++sample) {
        addClasses(data, "fp32", sample, sample == 0 ? top1OfFloor : 1.0, 1e-4);
        addClasses(data, "again", sample, 1.0, 0.0);
        addClasses(data, "int8", sample, 1.0, divergence);
    }
    return data;
}

TEST(NoiseFloor, OfClassesIsOneOfChoicesAndOfProbabilities)
{
    Analysis analysis = analyse(withClasses(0.05), "best-bf16");
    const CellSummary* far = analysis.find("int8");
    EXPECT_EQ(far->quality->distance, 0.0) << "all choices are equal";
    EXPECT_EQ(far->noiseResult, NoiseResult::AboveFloor);
    EXPECT_NEAR(far->noiseMultiple.value_or(0.0), 500.0, 1e-6);
    EXPECT_NEAR(far->worstNoiseMultiple.value_or(0.0), 500.0, 1e-6);
    EXPECT_EQ(analysis.find("fp32")->noiseResult, NoiseResult::AtFloor) << "it sets the floor";
    // A floor with another choice hides nothing.
    EXPECT_EQ(analyse(withClasses(0.05, 0.0), "best-bf16").find("int8")->noiseResult,
              NoiseResult::AboveFloor);
    const RunData near = withClasses(0.5e-4);
    analysis = analyse(near, "best-bf16");
    EXPECT_EQ(analysis.find("int8")->noiseResult, NoiseResult::AtFloor);
    EXPECT_NEAR(analysis.find("int8")->noiseMultiple.value_or(0.0), 0.5, 1e-9);
    const Json floor = reportJson(near, analysis).at("noise_floors").at(0);
    EXPECT_EQ(floor.at("distance"), 0.0);
    EXPECT_EQ(floor.at("finer_distance"), 1e-4);
    // Another choice is above, however near the probabilities are.
    RunData other = withClasses(0.5e-4);
    addClasses(other, "int8", 1, 0.0, 0.5e-4);
    analysis = analyse(other, "best-bf16");
    EXPECT_EQ(analysis.find("int8")->noiseResult, NoiseResult::AboveFloor);
    EXPECT_FALSE(analysis.find("int8")->noiseMultiple) << "over a floor of 0";
}

TEST(NoiseFloor, OfClassesWithoutProbabilitiesIsOneOfChoices)
{
    RunData data = withClasses(0.05);
    for (OutputQuality& quality : data.qualities) {
        OutputQuality coarse = quality;
        coarse.figures.clear();
        coarse.set("top1_agreement", *quality.find("top1_agreement"));
        quality = coarse;
    }
    EXPECT_EQ(analyse(data, "best-bf16").find("int8")->noiseResult, NoiseResult::AtFloor);
}

TEST(NoiseFloor, SaysInTheReportWhetherItIsFinal)
{
    RunData data = withRows();
    addQuality(data, "fp32", "ref", 0, 0.99);
    Json floor = reportJson(data, analyse(data, "best-bf16")).at("noise_floors").at(0);
    EXPECT_EQ(floor.at("runs_planned"), 2);
    EXPECT_EQ(floor.at("runs_seen"), 1);
    EXPECT_EQ(floor.at("final"), false);
    EXPECT_TRUE(floor.at("missing").empty());
    EXPECT_TRUE(floor.at("reference_repeats").is_null());
    EXPECT_NEAR(floor.at("worst_output_distance").get<double>(), 0.01, 1e-12);
    addFailure(data, "again", 0, FailureKind::OutOfMemory);
    floor = reportJson(data, analyse(data, "best-bf16")).at("noise_floors").at(0);
    EXPECT_EQ(floor.at("runs_planned"), 1);
    EXPECT_EQ(floor.at("final"), true);
    EXPECT_EQ(floor.at("missing"), Json::array({{{"cell", "again"}, {"status", "oom"}}}));
    EXPECT_EQ(floor.at("environment"), "e1");
}

TEST(NoiseFloor, IsUnknownBeforeARunHasFinished)
{
    RunData data = withFloor();
    addQuality(data, "int8", "ref", 0, 0.9);
    const Analysis analysis = analyse(data, "best-bf16");
    EXPECT_EQ(analysis.floors.at(0).setBy, "");
    EXPECT_FALSE(analysis.floors.at(0).deterministic);
    EXPECT_FALSE(analysis.find("int8")->noiseMultiple);
}

// Eight pictures of fp32 and of int8; those of the rerun are still to come.
RunData withPartOfTheFloor()
{
    RunData data = withRows();
    for (int picture = 0; picture < 8; ++picture) {
        addQuality(data, "fp32", "ref", picture, 0.999);
        addQuality(data, "int8", "ref", picture, 0.98 - 0.001 * picture);
    }
    return data;
}

TEST(NoiseFloor, OfSomeOfItsRunsSettlesNothing)
{
    RunData data = withPartOfTheFloor();
    Analysis analysis = analyse(data, "best-bf16");
    EXPECT_EQ(analysis.floors.at(0).planned, 2);
    EXPECT_EQ(analysis.floors.at(0).seen, 1);
    EXPECT_FALSE(analysis.floors.at(0).complete());
    EXPECT_TRUE(analysis.floors.at(0).failed.empty());
    EXPECT_TRUE(analysis.find("int8")->noiseMultiple) << "as far as it is known";
    for (const char* id : {"int8", "fp32"}) {
        EXPECT_EQ(analysis.find(id)->noiseResult, NoiseResult::Unknown) << id;
        EXPECT_FALSE(analysis.find(id)->qualityVerdict) << id;
    }
    EXPECT_THAT(summaryMarkdown(data, analysis),
                HasSubstr("fp32 · eager, of 1 of 2 runs: not final"));
    // Identical is identical, however high the floor will be.
    for (int picture = 0; picture < 8; ++picture)
        addQuality(data, "int8", "ref", picture, 1.0);
    EXPECT_EQ(analyse(data, "best-bf16").find("int8")->noiseResult, NoiseResult::Deterministic);
    // Rounds that are done tell nothing: the pictures have not been compared.
    data = withPartOfTheFloor();
    addRow(data, "again", 0, {1.0});
    EXPECT_FALSE(analyse(data, "best-bf16").find("int8")->qualityVerdict);
    for (int picture = 0; picture < 8; ++picture)
        addQuality(data, "again", "ref", picture, 0.9);
    analysis = analyse(data, "best-bf16");
    EXPECT_TRUE(analysis.floors.at(0).complete());
    EXPECT_EQ(analysis.floors.at(0).setBy, "again");
    EXPECT_EQ(analysis.find("int8")->noiseResult, NoiseResult::AtFloor)
        << "the first floor would have called it worse";
    EXPECT_EQ(analysis.find("int8")->qualityVerdict, QualityVerdict::Same);
}

TEST(NoiseFloor, DoesNotWaitForARunThatFailed)
{
    RunData data = withPartOfTheFloor();
    addFailure(data, "again", 0, FailureKind::Stopped);
    EXPECT_FALSE(analyse(data, "best-bf16").floors.at(0).complete()) << "it can be resumed";
    addFailure(data, "again", 1, FailureKind::OutOfMemory);
    Analysis analysis = analyse(data, "best-bf16");
    EXPECT_EQ(analysis.floors.at(0).planned, 1);
    EXPECT_TRUE(analysis.floors.at(0).complete());
    EXPECT_EQ(analysis.floors.at(0).failed,
              (std::vector<FailedFloorRun>{{"again", CellStatus::Oom}}));
    EXPECT_EQ(analysis.find("int8")->qualityVerdict, QualityVerdict::Worse);
    EXPECT_EQ(analysis.find("int8")->noiseResult, NoiseResult::AboveFloor);
    EXPECT_THAT(summaryMarkdown(data, analysis),
                HasSubstr("fp32 · eager; bf16 · eager · again is missing: oom"));
    // One round that is ok brings pictures.
    addRow(data, "again", 2, {1.0});
    EXPECT_FALSE(analyse(data, "best-bf16").floors.at(0).complete());
    // What cannot run was never expected.
    data = withPartOfTheFloor();
    data.plan.cells[2].impossible = remark("no such device");
    EXPECT_TRUE(analyse(data, "best-bf16").floors.at(0).complete());
    // And if none is left, nothing is known.
    std::erase_if(data.qualities, [](const OutputQuality& each) { return each.cellId == "fp32"; });
    std::erase_if(data.measurements, [](const Measurement& row) { return row.cellId == "fp32"; });
    addFailure(data, "fp32", 0, FailureKind::Signal);
    analysis = analyse(data, "best-bf16");
    EXPECT_FALSE(analysis.floors.at(0).complete());
    EXPECT_FALSE(analysis.find("int8")->qualityVerdict);
    EXPECT_THAT(summaryMarkdown(data, analysis), HasSubstr("fp32 · eager is missing: crashed"));
}

TEST(NoiseFloor, EachReferenceHasItsOwn)
{
    RunData data = runOf({{.id = "r1", .reference = "r1"},
                          {.id = "f1", .precision = "fp32", .reference = "r1"},
                          {.id = "r2", .batch = 2, .reference = "r2"},
                          {.id = "f2", .precision = "fp32", .batch = 2, .reference = "r2"}});
    addQuality(data, "f1", "r1", 0, 0.9);
    addQuality(data, "f2", "r2", 0, 0.5);
    const Analysis analysis = analyse(data, "best-bf16");
    ASSERT_EQ(analysis.floors.size(), 2U);
    EXPECT_NEAR(analysis.floors[0].distance, 0.1, 1e-12);
    EXPECT_NEAR(analysis.floors[1].distance, 0.5, 1e-12);
}

// The figures come from "e2", which has more rows; "e1" stored outputs as well.
RunData ofTwoEnvironments()
{
    RunData data = withFloor();
    for (const char* id : {"ref", "fp32", "again", "int8"}) {
        addRow(data, id, 0, {1.0}, "e1");
        addRow(data, id, 1, {1.0}, "e2");
        addRow(data, id, 2, {1.0}, "e2");
    }
    for (int picture = 0; picture < 8; ++picture) {
        addQuality(data, "fp32", "ref", picture, 0.9).environmentId = "e1";
        addQuality(data, "again", "ref", picture, 1.0).environmentId = "e1";
        addQuality(data, "int8", "ref", picture, 0.95).environmentId = "e1";
        addQuality(data, "int8", "fp32", picture, 0.85).environmentId = "e1";
    }
    return data;
}

TEST(QualityFigures, AreOfTheEnvironmentOfTheTimes)
{
    RunData data = ofTwoEnvironments();
    Analysis analysis = analyse(data, "best-bf16");
    const CellSummary* int8 = analysis.find("int8");
    ASSERT_EQ(int8->environmentId, "e2");
    EXPECT_FALSE(int8->quality) << "what another machine computed";
    EXPECT_FALSE(int8->golden);
    EXPECT_FALSE(int8->noiseMultiple);
    EXPECT_THAT(int8->notes, testing::Contains(Note{NoteCode::ComparedElsewhere}));
    ASSERT_EQ(analysis.floors.size(), 1U);
    EXPECT_EQ(analysis.floors[0].environmentId, "e2");
    EXPECT_EQ(analysis.floors[0].setBy, "");
    EXPECT_EQ(analysis.floors[0].planned, 2);
    EXPECT_FALSE(judgeAgainst(data, analysis, "int8", "again").verdict);

    for (int picture = 0; picture < 8; ++picture) {
        addQuality(data, "fp32", "ref", picture, 0.999).environmentId = "e2";
        addQuality(data, "again", "ref", picture, 1.0).environmentId = "e2";
        addQuality(data, "int8", "ref", picture, 0.98 - 0.001 * picture).environmentId = "e2";
    }
    analysis = analyse(data, "best-bf16");
    int8 = analysis.find("int8");
    EXPECT_NEAR(*int8->quality->mean("ssim"), 0.9765, 1e-9);
    EXPECT_NEAR(*int8->noiseMultiple, 23.5, 1e-6) << "below 1 with the floor of e1";
    EXPECT_EQ(int8->qualityVerdict, QualityVerdict::Worse);
    EXPECT_FALSE(int8->golden);
    EXPECT_THAT(int8->notes, testing::Not(testing::Contains(Note{NoteCode::ComparedElsewhere})));
}

TEST(NoiseFloor, EachEnvironmentHasItsOwn)
{
    RunData data = ofTwoEnvironments();
    // This cell was ok in the first environment only: its figures come from there.
    std::erase_if(data.measurements, [](const Measurement& row) {
        return row.cellId == "int8" && row.environmentId == "e2";
    });
    addQuality(data, "fp32", "ref", 0, 0.999).environmentId = "e2";
    const Analysis analysis = analyse(data, "best-bf16");
    ASSERT_EQ(analysis.floors.size(), 2U);
    EXPECT_EQ(analysis.floors[0].environmentId, "e2");
    EXPECT_NEAR(analysis.floors[0].distance, 0.001, 1e-12);
    EXPECT_EQ(analysis.floors[1].environmentId, "e1");
    EXPECT_NEAR(analysis.floors[1].distance, 0.1, 1e-12);
    const CellSummary& int8 = *analysis.find("int8");
    EXPECT_EQ(int8.environmentId, "e1");
    EXPECT_EQ(analysis.floorOf(int8), &analysis.floors[1]);
    EXPECT_EQ(analysis.floorOf(*analysis.find("fp32")), &analysis.floors[0]);
    EXPECT_NEAR(*int8.noiseMultiple, 0.5, 1e-9);
    EXPECT_NEAR(*int8.golden->figures.mean("ssim"), 0.85, 1e-9);
    EXPECT_EQ(judgeAgainst(data, analysis, "int8", "again").reason, NoVerdict::Untrained);
    for (PlannedCell& cell : data.plan.cells)
        cell.trained = true;
    EXPECT_EQ(judgeAgainst(data, analyse(data, "best-bf16"), "int8", "again").reason,
              NoVerdict::OtherEnvironment);
}

TEST(NoiseFloor, SweptCellsOfTheSameMathematicsBelongToIt)
{
    const auto isRun = [](const char* precision, const char* compile) {
        return isNoiseFloorRun(tests::cellOf(
            {.id = "x", .precision = precision, .compile = compile, .reference = "ref"}));
    };
    EXPECT_TRUE(isRun("fp32", "none"));
    EXPECT_TRUE(isRun("bf16", "cuda-graph"));
    EXPECT_TRUE(isRun("bf16", "inductor-default"));
    EXPECT_FALSE(isRun("int8dq", "inductor-default"));
    EXPECT_FALSE(isRun("bf16", "fused")) << "our own kernels have to show it first";
    EXPECT_FALSE(isRun("tf32", "none"));
    EXPECT_FALSE(isRun("int8dq", "cuda-graph"));
    EXPECT_FALSE(isNoiseFloorRun(tests::cellOf({.id = "ref", .reference = "ref"})));
    EXPECT_FALSE(isNoiseFloorRun(tests::cellOf({.id = "x", .precision = "fp32"})));
}

TEST(Reconstruction, IsShownForTrainedWeightsOnly)
{
    RunData data = withFloor();
    addQuality(data, "int8", "input", 0, 0.95, 28.0);
    EXPECT_FALSE(analyse(data, "best-bf16").find("int8")->reconstruction);
    for (PlannedCell& cell : data.plan.cells)
        cell.trained = true;
    addQuality(data, "ref", "input", 0, 0.96, 29.0);
    const Analysis analysis = analyse(data, "best-bf16");
    EXPECT_DOUBLE_EQ(*analysis.find("int8")->reconstruction->mean("ssim"), 0.95);
    EXPECT_DOUBLE_EQ(*analysis.find("int8")->reconstruction->mean("psnr"), 28.0);
    EXPECT_DOUBLE_EQ(*analysis.find("ref")->reconstruction->mean("ssim"), 0.96)
        << "the reference as well";
    EXPECT_FALSE(analysis.find("int8")->quality) << "the input is no reference";
}

TEST(QualityFigures, StandBesideTheFloorAsAResult)
{
    RunData data = withFloor();
    for (int picture = 0; picture < 3; ++picture) {
        addQuality(data, "fp32", "ref", picture, 0.999 - 0.0005 * picture);
        addQuality(data, "again", "ref", picture, 1.0);
        addQuality(data, "int8", "ref", picture, 0.9995 - 0.0002 * picture);
    }
    Analysis analysis = analyse(data, "best-bf16");
    EXPECT_EQ(analysis.find("again")->noiseResult, NoiseResult::Deterministic);
    EXPECT_EQ(analysis.find("fp32")->noiseResult, NoiseResult::AtFloor) << "it sets the floor";
    EXPECT_EQ(analysis.find("int8")->noiseResult, NoiseResult::AtFloor);
    EXPECT_EQ(analysis.find("ref")->noiseResult, NoiseResult::Unknown);
    // The mean is within the floor, the worst picture is not.
    data.qualities.back().set("ssim", 0.9970);
    analysis = analyse(data, "best-bf16");
    EXPECT_LE(*analysis.find("int8")->noiseMultiple, 1.0);
    EXPECT_GT(*analysis.find("int8")->worstNoiseMultiple, 1.0);
    EXPECT_EQ(analysis.find("int8")->noiseResult, NoiseResult::AboveFloor);
}

TEST(QualityFigures, OfUntrainedWeightsHaveNoVerdictInReports)
{
    RunData data = withPartOfTheFloor();
    data.plan.cells[2].impossible = remark("no such device");
    const auto verdict = [&] {
        const Json cell = reportJson(data, analyse(data, "best-bf16")).at("cells").at(3);
        return cell.at("difference_from_reference").at("verdict");
    };
    EXPECT_TRUE(verdict().is_null());
    for (PlannedCell& cell : data.plan.cells)
        cell.trained = true;
    EXPECT_EQ(verdict(), "worse");
}

TEST(QualityFigures, TheFp32GoldenRunIsAnotherReference)
{
    RunData data = withFloor();
    addQuality(data, "int8", "ref", 0, 0.9);
    addQuality(data, "int8", "fp32", 0, 0.8).set("relative_l2", 0.25);
    addQuality(data, "ref", "fp32", 0, 0.99);
    const Analysis analysis = analyse(data, "best-bf16");
    const CellSummary& int8 = *analysis.find("int8");
    EXPECT_DOUBLE_EQ(*int8.quality->mean("ssim"), 0.9);
    ASSERT_TRUE(int8.golden);
    EXPECT_EQ(int8.golden->cellId, "fp32");
    EXPECT_DOUBLE_EQ(*int8.golden->figures.mean("ssim"), 0.8);
    EXPECT_EQ(int8.golden->figures.mean("relative_l2"), 0.25);
    ASSERT_TRUE(analysis.find("ref")->golden) << "the bf16 reference has a distance, too";
    EXPECT_FALSE(analysis.find("ref")->quality);
    EXPECT_FALSE(analysis.find("fp32")->golden);
    EXPECT_FALSE(analysis.find("again")->golden) << "not compared yet";
}

}  // namespace
}  // namespace qs::core
