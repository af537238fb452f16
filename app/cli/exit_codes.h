#pragma once

#include "core/base/result.h"
#include "core/record/run_data.h"

namespace qs::app {

inline constexpr int kExitOk = 0;
inline constexpr int kExitCellFailed = 1;  // or a gate; or a part of the journal cannot be read
inline constexpr int kExitUsage = 2;
inline constexpr int kExitImpossible = 3;
inline constexpr int kExitOutOfMemory = 4;
inline constexpr int kExitCudaError = 5;
inline constexpr int kExitTimeout = 6;
inline constexpr int kExitStoppedEarly = 75;  // EX_TEMPFAIL: run again with --resume

// A command failed as a whole: prints why, and returns the exit code of it.
[[nodiscard]] int fail(const core::Error& error);

[[nodiscard]] int exitCodeOf(const core::Error& error);

// For a run: every possible cell ok gives 0; no possible cell gives 3; failures of one kind give
// its code, mixed ones 1.
[[nodiscard]] int exitCodeOf(const core::RunData& data, bool complete);

}  // namespace qs::app
