#include "core/report/kernels.h"

#include "core/analysis/cell_label.h"
#include "core/base/format.h"
#include "core/report/csv_table.h"
#include "core/report/html/html_text.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace qs::core {

namespace {

// Of a page that people read; kernels.csv has all.
constexpr std::size_t kKernelsOfCell = 12;
constexpr std::size_t kMostCells = 200;
constexpr std::size_t kLongestName = 160;

void addKernel(CsvTable& table, const std::string& label, const CellSummary& summary,
               const KernelTime& kernel)
{
    const auto known = [&](double value) {
        return summary.division ? std::optional(value) : std::nullopt;
    };
    table.text("label", label);
    table.text("cell", summary.cellId);
    table.text("environment", summary.environmentId);
    table.text("kernel", kernel.name);
    table.text("kind", kWorkKinds.of(kernel.kind));
    table.number("launches_per_pass", known(kernel.calls));
    table.number("seconds_per_pass", known(kernel.seconds));
    table.number("share_of_pass_fraction",
                 summary.division ? std::optional(summary.division->share(kernel, summary.seconds))
                                  : std::nullopt);
}

// "32"; "1.500" where passes are not alike.
std::string launchesText(double launches)
{
    return launches == std::round(launches) ? formatGrouped(static_cast<std::int64_t>(launches))
                                            : formatSignificant(launches, 4);
}

std::string number(double value, const std::string& text)
{
    return "<td data-v=\"" + formatSignificant(value, 6) + "\">" + text + "</td>";
}

std::string line(const std::string& name, const std::string& kind, const std::string& launches,
                 double share)
{
    return "<tr><td>" + htmlText(name) + "</td><td>" + htmlText(kind) + "</td>" + launches +
           number(share, formatSignificant(share * 100.0, 3) + " %") + "</tr>\n";
}

std::string launchesCell(double launches)
{
    return number(launches, launchesText(launches));
}

std::string shortened(const std::string& name)
{
    return name.size() <= kLongestName ? name : name.substr(0, kLongestName) + "…";
}

std::string tableOf(const CellSummary& summary)
{
    const TimeDivision& division = *summary.division;
    std::string lines;
    double launches = 0.0;
    double share = 0.0;
    for (std::size_t i = 0; i < division.kernels.size(); ++i) {
        const KernelTime& kernel = division.kernels[i];
        const double part = division.share(kernel, summary.seconds);
        if (i < kKernelsOfCell && !kernel.name.empty()) {
            lines += line(shortened(kernel.name), std::string(kWorkKinds.of(kernel.kind)),
                          launchesCell(kernel.calls), part);
            continue;
        }
        launches += kernel.calls;
        share += part;
    }
    if (launches > 0.0)
        lines += line("all others", {}, launchesCell(launches), share);
    if (const double gaps = division.gapShare(summary.seconds); gaps > 0.0)
        lines += line("outside of kernels", {}, "<td></td>", gaps);
    return "<table><thead><tr><th>Kernel</th><th>Kind</th><th>Launches per pass</th>"
           "<th>Share of the pass</th></tr></thead><tbody>\n" +
           lines + "</tbody></table>\n";
}

}  // namespace

bool anyKernels(const Analysis& analysis)
{
    return std::any_of(analysis.cells.begin(), analysis.cells.end(),
                       [](const CellSummary& each) { return each.division.has_value(); });
}

std::string kernelsCsv(const Analysis& analysis, bool formulaSafe)
{
    CsvTable table(formulaSafe);
    addKernel(table, {}, {}, {});
    table.dropLine();
    for (const CellSummary& summary : analysis.cells) {
        if (!summary.division)
            continue;
        for (const KernelTime& kernel : summary.division->kernels) {
            addKernel(table, analysis.labels.withBatch(*summary.cell), summary, kernel);
            table.endLine();
        }
    }
    return table.content();
}

std::string htmlKernels(const Analysis& analysis)
{
    std::string cells;
    std::size_t count = 0;
    for (const CellSummary& summary : analysis.cells) {
        if (!summary.division || count++ >= kMostCells)
            continue;
        cells += "<details><summary>" + htmlText(analysis.labels.withBatch(*summary.cell)) +
                 "</summary>\n" + tableOf(summary) + "</details>\n";
    }
    if (cells.empty())
        return {};
    const std::string note = count > kMostCells
                                 ? "<p class=\"dim\">The first " + std::to_string(kMostCells) +
                                       " cells; kernels.csv has all of them.</p>\n"
                                 : std::string();
    return "<section id=\"kernels\"><details><summary>Kernels of a pass</summary>\n" + cells +
           note + "</details></section>\n";
}

}  // namespace qs::core
