#include "core/report/row_texts.h"

#include "core/base/parallel.h"
#include "core/record/run_folder.h"

#include <algorithm>
#include <vector>

namespace qs::core {

namespace {

constexpr std::size_t kRowsAtATime = 256;

}  // namespace

Status writeRowTexts(const RunData& data,
                     const std::function<std::string(const Measurement& row)>& text,
                     const TextSink& sink)
{
    if (data.rowsInJournal > 0)
        return scanRows(data.folder, data.rowsInJournal, [&](const Measurement& row) -> RowTaker {
            return [&sink, made = text(row)](const Measurement&) { return sink(made); };
        });
    const std::vector<Measurement>& rows = data.measurements;
    std::vector<std::string> texts;
    for (std::size_t first = 0; first < rows.size(); first += kRowsAtATime) {
        texts.assign(std::min(kRowsAtATime, rows.size() - first), {});
        inParallel(texts.size(), [&](std::size_t i) { texts[i] = text(rows[first + i]); });
        for (const std::string& each : texts)
            QS_RETURN_IF_ERROR(sink(each));
    }
    return {};
}

Status forEachRow(const RunData& data, const RowLook& look)
{
    for (const Measurement& row : data.measurements)
        look(row)();
    if (data.rowsInJournal == 0)
        return {};
    return scanRows(data.folder, data.rowsInJournal, [&](const Measurement& row) -> RowTaker {
        return [seen = look(row)](const Measurement&) {
            seen();
            return Status();
        };
    });
}

}  // namespace qs::core
