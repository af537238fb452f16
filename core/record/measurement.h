#pragma once

#include "core/base/json.h"
#include "core/measure/cell_result.h"
#include "core/measure/failure.h"
#include "core/sweep/cell.h"

#include <optional>
#include <string>
#include <string_view>

namespace qs::core {

// One cell in one round: a row of the journal.
struct Measurement {
    std::string cellId;
    std::string environmentId;
    // From 0; files count both from 1, as people do.
    int round = 0;
    int attempt = 0;  // of the same round; a retry never overwrites
    CellConfig config;
    std::optional<Failure> failure;  // nothing: it is ok
    CellResult result;               // empty unless ok or non-finite
    std::string startedAt;           // UTC, "2026-11-21T09:40:12Z"
    double durationSeconds = 0.0;    // of the whole cell in this round, process start included
    std::string logTail;             // last lines of the worker, for rows that failed

    [[nodiscard]] CellStatus status() const
    {
        return failure ? statusOf(failure->kind) : CellStatus::Ok;
    }
    [[nodiscard]] bool ok() const { return !failure; }
};

[[nodiscard]] Json toJson(const Measurement& row);
// May have the "type" of a record.
[[nodiscard]] Result<Measurement> measurementFromJson(const JsonView& json);

}  // namespace qs::core
