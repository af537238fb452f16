#include "core/report/words/evidence_text.h"

#include "core/base/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace qs::core {

namespace {

std::string signedBytes(std::int64_t bytes)
{
    return (bytes < 0 ? "-" : "") + formatBytes(static_cast<double>(std::abs(bytes)));
}

std::string counterText(ProcessCounter counter)
{
    switch (counter) {
    case ProcessCounter::ResidentSet:
        return "process (resident set)";
    case ProcessCounter::Driver:
        return "process (driver's count)";
    case ProcessCounter::WholeDevice:
        return "process (whole device)";
    }
    return {};
}

std::string counterErrorText(const CounterError& error, std::int64_t block)
{
    const std::string memory = std::string(kMemoryCounters.of(error.counter)) + " memory";
    switch (error.fault) {
    case CounterFault::NoBlock:
        return "the test block could not be allocated";
    case CounterFault::Unreadable:
        return memory + " could not be read";
    case CounterFault::AnotherCounter:
        return memory + " did not use the same counter throughout";
    case CounterFault::WrongRise:
        return "a block of " + signedBytes(block) + " made " + memory + " rise by " +
               signedBytes(error.bytes);
    case CounterFault::NotGivenBack:
        return memory + " was " + signedBytes(error.bytes) + " off after a block of " +
               signedBytes(block) + " was freed";
    }
    return {};
}

// The identifiers of files, as people write them.
std::string spaced(std::string_view name)
{
    std::string text(name);
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
}

std::string straysText(const std::vector<StrayLayers>& strays)
{
    constexpr std::size_t kNamed = 8;
    std::string text;
    for (std::size_t i = 0; i < std::min(kNamed, strays.size()); ++i) {
        const StrayLayers& each = strays[i];
        const std::string which = each.module.empty()
                                      ? fmt::format("{} products of unknown layers", each.calls)
                                      : each.module;
        text += each.operation.empty()
                    ? which + " ran otherwise; "
                    : fmt::format("{} ran {}:{}; ", which, each.operation, name(each.type));
    }
    if (strays.size() > kNamed)
        text += fmt::format("and {} more layers; ", strays.size() - kNamed);
    return text;
}

}  // namespace

std::string executedText(const std::vector<ExecutedStage>& stages)
{
    std::string text;
    for (const ExecutedStage& stage : stages) {
        text += text.empty() ? "" : ", ";
        for (const ExecutedProduct& product : stage.products) {
            if (product.mismatch())
                text += fmt::format("MISMATCH expected {} x {}:{}, ran {}; ", *product.expected,
                                    product.operation, name(product.type), product.ran);
        }
        text += straysText(stage.strays);
        // Nothing is known of what a compiled program does inside.
        text += stage.layers == 0 ? stage.stage + " " + stage.scheme
                                  : fmt::format("{} {} {}/{} layers", stage.stage, stage.scheme,
                                                stage.matched, stage.layers);
    }
    return text;
}

std::string activationText(const std::vector<ExecutedStage>& stages)
{
    std::string text;
    for (const ExecutedStage& stage : stages) {
        const std::string whole = stage.scheme + ": " + stage.activationRule;
        if (!stage.activationRule.empty() && text.find(whole) == std::string::npos)
            text += (text.empty() ? "" : "; ") + whole;
    }
    return text;
}

std::string conditionsText(const Conditions& conditions)
{
    std::string text = conditions.cache == CacheState::Cold ? "cold L2" : "warm L2";
    text += conditions.streamHeld ? ", stream held" : ", stream not held";
    if (conditions.inputs != InputResidency::Device)
        text += ", inputs " + std::string(name(conditions.inputs));
    if (conditions.core)
        text += ", launched from one core";
    return text;
}

std::string selfTestText(const SelfTest& test)
{
    switch (test.result) {
    case SelfTestResult::NotRun:
        return {};
    case SelfTestResult::TooLittleMemory:
        return "too little free memory";
    case SelfTestResult::Failed:
        return test.error ? counterErrorText(*test.error, test.bytes) : "failed";
    case SelfTestResult::Passed:
        break;
    }
    const std::string counters =
        (test.allocatorCounters ? "allocated, reserved, " : "") + counterText(test.processCounter);
    if (test.attempts <= 1)
        return "passed: " + counters;
    return fmt::format("passed at attempt {}: {}", test.attempts, counters) +
           (test.error ? "; at first " + counterErrorText(*test.error, test.bytes) : "");
}

std::string slowdownText(Slowdown cause)
{
    switch (cause) {
    case Slowdown::PowerCap:
        return "throttled by the power limit";
    case Slowdown::PowerBrake:
        return "throttled by a power brake";
    case Slowdown::Heat:
        return "throttled by heat";
    case Slowdown::Hardware:
        return "throttled by the hardware";
    case Slowdown::LowClock:
        return "the clock fell";
    }
    return {};
}

std::string discardText(const Discard& discard)
{
    if (discard.cause != Slowdown::LowClock)
        return slowdownText(discard.cause);
    return fmt::format("the clock fell to {} MHz", std::lround(discard.megahertz));
}

std::string foreignProcessText(const ForeignProcess& process)
{
    return (process.name.empty() ? std::string("a process") : process.name) +
           fmt::format(" (pid {})", process.pid) +
           (process.bytes > 0 ? ", " + formatBytes(static_cast<double>(process.bytes)) : "");
}

std::string storageFaultText(const StorageOffender& offender)
{
    switch (offender.fault) {
    case StorageFault::WrongSize:
        return fmt::format("{} uses {} bytes instead of {}", offender.weight, offender.storageBytes,
                           offender.logicalBytes);
    case StorageFault::Missing:
        return offender.weight + " is missing: there is no " + offender.other;
    case StorageFault::LeftOver:
        return offender.weight + " is unexpected: no weight of the model has this name";
    case StorageFault::Shared:
        return offender.weight + " shares its storage with " + offender.other;
    case StorageFault::View:
        return fmt::format("{} is a view of {} bytes in a storage of {}", offender.weight,
                           offender.ownBytes, offender.storageBytes);
    case StorageFault::Expanded:
        return fmt::format("{} is expanded: {} bytes of elements in a storage of {}",
                           offender.weight, offender.ownBytes, offender.storageBytes);
    }
    return {};
}

std::string warmupEndText(WarmupEnd end)
{
    return spaced(kWarmupEnds.of(end));
}

std::string stopReasonText(StopReason reason)
{
    return spaced(kStopReasons.of(reason));
}

}  // namespace qs::core
