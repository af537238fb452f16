#pragma once

#include "core/measure/cell_result.h"

#include <string>
#include <vector>

namespace qs::core {

// What ran and how it was measured, in words.

// "encoder int8dq 112/116 layers, decoder …"; a stage in which something else ran says so first.
[[nodiscard]] std::string executedText(const std::vector<ExecutedStage>& stages);
// "int8dq: absmax / 127.5, codes -128 … 127", once per scheme; empty without.
[[nodiscard]] std::string activationText(const std::vector<ExecutedStage>& stages);
// "cold L2, stream held, inputs pinned"
[[nodiscard]] std::string conditionsText(const Conditions& conditions);
// "passed: allocated, reserved, process (driver's count)"; empty if it was not run.
[[nodiscard]] std::string selfTestText(const SelfTest& test);
// "slowed down by heat"
[[nodiscard]] std::string slowdownText(Slowdown cause);
// With the clock if that is what fell.
[[nodiscard]] std::string discardText(const Discard& discard);
// "python3 (pid 812), 1.2 GB"
[[nodiscard]] std::string foreignProcessText(const ForeignProcess& process);
// "decoder/fc1.weight is missing: there is no fc1.weight:scale"
[[nodiscard]] std::string storageFaultText(const StorageOffender& offender);
// "steady", "time limit"
[[nodiscard]] std::string warmupEndText(WarmupEnd end);
// "noise below target"
[[nodiscard]] std::string stopReasonText(StopReason reason);

}  // namespace qs::core
