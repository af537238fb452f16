#include "core/report/compiled_share_section.h"

#include "core/analysis/metric_values.h"
#include "core/base/format.h"
#include "core/report/markdown_text.h"

#include <string>
#include <utility>

namespace qs::core {

namespace {

constexpr const char* kShareMeaning =
    "Share of the FLOPs of a pass, and of the bytes that an eager pass reads and writes, that lies "
    "in compiled regions. FLOPs are those of products and of attention: what only moves and scales "
    "numbers has none. The time itself falls by 1 − 1/speed-up. Attention is compiled where a "
    "region has it, and nowhere else.";
constexpr double kPercentOfShare = 100.0;
constexpr int kShareDigits = 3;
const std::string kNoShare = "–";

std::string shareText(const std::optional<double>& share)
{
    return share ? formatSignificant(*share * kPercentOfShare, kShareDigits) + " %" : kNoShare;
}

}  // namespace

TableSection compiledShareSection(const Analysis& analysis)
{
    PlainTable table{{"Cell", "Batch", "Speed-up", "Time saved", "FLOPs compiled", "Bytes compiled",
                      "FLOPs in attention"},
                     {}};
    for (const CellSummary& summary : analysis.cells) {
        const auto bytes = valueOf("compiled_bytes", summary);
        if (!bytes || *bytes >= 1.0)
            continue;
        const auto saved =
            summary.speedup ? std::optional(1.0 - 1.0 / *summary.speedup) : std::nullopt;
        table.lines.push_back(
            {analysis.labels.of(*summary.cell), std::to_string(summary.cell->config.batch),
             summary.speedup ? withInterval(*summary.speedup, summary.speedupInterval) + "×"
                             : kNoShare,
             shareText(saved), shareText(valueOf("compiled_flops", summary)), shareText(bytes),
             shareText(valueOf("attention_flops", summary))});
    }
    return {"compiled-share", "Share that is compiled", kShareMeaning, std::move(table)};
}

}  // namespace qs::core
