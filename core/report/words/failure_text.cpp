#include "core/report/words/failure_text.h"
#include "core/report/words/note_text.h"

#include "core/base/format.h"
#include "core/report/words/evidence_text.h"

#include <fmt/format.h>
#include <string.h>

#include <algorithm>
#include <climits>
#include <utility>

namespace qs::core {

namespace {

std::string withDetail(std::string text, const std::string& detail)
{
    return detail.empty() ? text : std::move(text) + ": " + detail;
}

std::string orElse(const std::string& detail, const char* otherwise)
{
    return detail.empty() ? std::string(otherwise) : detail;
}

std::string textWithoutOthers(const Failure& failure)
{
    const std::string in = fmt::format(" in phase {}", kPhaseNames.of(failure.phase));
    const int amount = static_cast<int>(std::min<double>(failure.amount, INT_MAX));
    switch (failure.kind) {
    case FailureKind::OutOfMemory:
        return orElse(failure.detail, "out of memory");
    case FailureKind::HostOutOfMemory:
        return "the system killed the worker" + in + " because the host ran out of memory";
    case FailureKind::NoProgress:
        return "no progress for " + formatSeconds(failure.amount) + in;
    case FailureKind::Silent:
        return "no answer from the worker for " + formatSeconds(failure.amount) + in;
    case FailureKind::Signal:
        return "the worker ended" + in + ": " + processEndText(0, amount);
    case FailureKind::Exit:
        return "the worker ended" + in + ": " + processEndText(amount, 0);
    case FailureKind::Disconnected:
        return withDetail("the worker closed its connection" + in, failure.detail);
    case FailureKind::Nonsense:
        return withDetail("a message of the worker is unreadable", failure.detail);
    case FailureKind::UnusableOutputs:
        return withDetail("its outputs cannot be used", failure.detail);
    case FailureKind::NonFinite:
        return "the outputs contain NaN or infinite values";
    case FailureKind::Differs:
        return withDetail("the compiled program differs from the eager one", failure.detail);
    case FailureKind::Stopped:
        return "stopped";
    case FailureKind::SkippedByHand:
        return "skipped by the user";
    case FailureKind::SmallerBatchOutOfMemory:
        return fmt::format("out of memory at batch {}", amount);
    case FailureKind::ModeSkipped:
        return "compile mode " + failure.detail + " was skipped by the user";
    case FailureKind::Compile:
        return orElse(failure.detail, "compile error");
    case FailureKind::Device:
        return orElse(failure.detail, "CUDA error");
    case FailureKind::Io:
        return orElse(failure.detail, "I/O error");
    case FailureKind::Internal:
        return orElse(failure.detail, "internal error");
    case FailureKind::Unsupported:
        return orElse(failure.detail, "not supported");
    }
    return {};
}

}  // namespace

std::string processEndText(int exitCode, int signal)
{
    if (signal == 0)
        return fmt::format("exit code {}", exitCode);
    const char* description = ::sigdescr_np(signal);
    return description == nullptr ? fmt::format("killed by signal {}", signal)
                                  : fmt::format("killed by signal {} ({})", signal, description);
}

std::string failureText(const Failure& failure)
{
    std::string text = textWithoutOthers(failure);
    for (const ForeignProcess& process : failure.foreign)
        text += "; another process used the GPU: " + foreignProcessText(process);
    return text;
}

std::string reasonText(const CellSummary& summary)
{
    if (summary.failure)
        return failureText(*summary.failure);
    if (summary.cell != nullptr && !summary.cell->possible())
        return noteText(*summary.cell->impossible);
    return summary.measured ? std::string() : "not measured yet";
}

}  // namespace qs::core
