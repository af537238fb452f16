#include "tests/analysis/analysis_data.h"

#include "core/report/report.h"

#include <nlohmann/json.hpp>

namespace qs::tests {

using namespace core;

PlannedCell cellOf(const CellText& text)
{
    PlannedCell cell;
    cell.id = text.id;
    cell.config = {.model = "m",
                   .device = "cpu",
                   .precision = {text.precision},
                   .compile = text.compile,
                   .batch = text.batch};
    cell.referenceId = text.reference;
    cell.unitsPerPass = text.batch;
    return cell;
}

RunData runOf(const std::vector<CellText>& cells, int rounds)
{
    RunData data;
    data.plan.preset.rounds = rounds;
    for (const CellText& text : cells)
        data.plan.cells.push_back(cellOf(text));
    return data;
}

Measurement& addRow(RunData& data, const std::string& cellId, int round,
                    const std::vector<double>& seconds, const std::string& environment)
{
    Measurement row;
    row.cellId = cellId;
    row.environmentId = environment;
    row.round = round;
    row.result.hostSeconds = seconds;
    data.measurements.push_back(row);
    return data.measurements.back();
}

Measurement& addFailure(RunData& data, const std::string& cellId, int round, FailureKind kind)
{
    Measurement& row = addRow(data, cellId, round, {});
    row.failure = Failure{.kind = kind};
    return row;
}

std::vector<ExecutedStage> ranSomethingElse()
{
    return {{.stage = "encoder",
             .scheme = "int8dq",
             .matched = 4,
             .layers = 6,
             .activationRule = {},
             .products = {{"aten::_int_mm", DType::Int32, 3, 4}}}};
}

OutputQuality& addQuality(RunData& data, const std::string& cellId, const std::string& reference,
                          int sample, double ssim, double psnr)
{
    OutputQuality quality;
    quality.cellId = cellId;
    quality.environmentId =
        data.measurements.empty() ? "" : data.measurements.front().environmentId;
    quality.referenceId = reference;
    quality.sample = sample;
    quality.identical = ssim >= 1.0;
    quality.set("ssim", ssim);
    quality.set("psnr", quality.identical ? std::nullopt : std::optional(psnr));
    quality.set("max_difference", quality.identical ? 0.0 : 0.1);
    quality.set("mean_difference", quality.identical ? 0.0 : 0.01);
    quality.set("relative_l2", quality.identical ? 0.0 : 0.02);
    data.qualities.push_back(quality);
    return data.qualities.back();
}

}  // namespace qs::tests

namespace qs::core {

namespace {

TextSink into(std::string& text)
{
    return [&](std::string_view piece) {
        text += piece;
        return Status();
    };
}

}  // namespace

Json reportJson(const RunData& data, const Analysis& analysis)
{
    std::string text;
    QS_ASSERT(writeReportJson(data, analysis, into(text)).ok());
    return Json::parse(text);
}

std::string measurementsCsv(const RunData& data, bool formulaSafe)
{
    std::string text;
    QS_ASSERT(
        writeMeasurementsCsv(data, RunFigures(data.measurements).outline(), formulaSafe, into(text))
            .ok());
    return text;
}

std::string samplesCsv(const RunData& data, bool formulaSafe)
{
    std::string text;
    QS_ASSERT(
        writeSamplesCsv(data, RunFigures(data.measurements).outline(), formulaSafe, into(text))
            .ok());
    return text;
}

}  // namespace qs::core
