#pragma once

#include "core/base/atomic_file.h"
#include "core/record/run_data.h"

#include <functional>
#include <string>

namespace qs::core {

// Writes a text of each row of a run, in order: of those in memory, or of those in the journal, see
// RunData::rowsInJournal. `text` is called from several threads at the same time.
[[nodiscard]] Status writeRowTexts(const RunData& data,
                                   const std::function<std::string(const Measurement& row)>& text,
                                   const TextSink& sink);

// Looks at each row, several at the same time; what comes back is called in the order of the rows,
// one at a time.
using RowLook = std::function<std::function<void()>(const Measurement& row)>;
[[nodiscard]] Status forEachRow(const RunData& data, const RowLook& look);

}  // namespace qs::core
