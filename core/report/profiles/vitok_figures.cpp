#include "core/report/profiles/vitok_figures.h"

#include "core/report/profiles/profile_cells.h"

namespace qs::core {

namespace {

constexpr double kBytesOfGibibyte = 1024.0 * 1024.0 * 1024.0;
constexpr double kFlopsOfGigaflop = 1e9;
constexpr double kMillisOfSecond = 1e3;
constexpr const char* kNoStages = "the plan knows no encoder and decoder of the cell";

// Of the FLOPs of a pass.
std::optional<double> gigaflopsPerImage(const CellSummary& cell, double flops)
{
    if (flops <= 0.0)
        return std::nullopt;
    return flops / imagesPerPass(cell) / kFlopsOfGigaflop;
}

}  // namespace

std::optional<double> inMilliseconds(const std::optional<double>& seconds)
{
    return seconds ? std::optional(*seconds * kMillisOfSecond) : std::nullopt;
}

std::optional<double> gibibytes(const std::optional<std::int64_t>& bytes)
{
    return bytes ? std::optional(static_cast<double>(*bytes) / kBytesOfGibibyte) : std::nullopt;
}

double imagesPerPass(const CellSummary& cell)
{
    return static_cast<double>(cell.cell->config.batch);
}

bool isFloat8(const CellConfig& config)
{
    return precisionText(config).find("float8") != std::string::npos;
}

void addNumber(ProfileRecord& record, const char* field, const std::optional<double>& value,
               std::string_view why, std::string_view remark)
{
    if (value)
        record.number(field, value, remark);
    else
        record.missing(field, why);
}

void addNumber(ProfileRecord& record, const char* field, const std::optional<double>& value,
               const CellSummary& cell, std::string_view why, std::string_view remark)
{
    addNumber(record, field, value, cell.measured ? std::string(why) : whyNoFigures(cell), remark);
}

void addFlops(ProfileRecord& record, const CellSummary& cell, const char* total)
{
    const std::vector<double>& stages = cell.cell->stageFlops;
    const auto add = [&](const char* field, double flops, const char* why) {
        const auto value = gigaflopsPerImage(cell, flops);
        record.number(field, value,
                      value ? "of the graph, a multiplication and an addition as two" : why);
    };
    const bool both = stages.size() == 2;
    add("encoder_gflops", both ? stages[0] : 0.0, kNoStages);
    add("decoder_gflops", both ? stages[1] : 0.0, kNoStages);
    add(total, cell.cell->flops, "not known");
}

}  // namespace qs::core
