#include "core/measure/sentinel.h"

#include "core/base/format.h"
#include "core/measure/cell_result.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

namespace qs::core {

namespace {

// One of the books with how far it may be off.
struct Book {
    const char* name;
    std::optional<std::int64_t> MemoryBooks::*figure;
    std::int64_t tolerance;  // bytes, while the block is held
    std::int64_t remainder;  // bytes that may stay when it is gone
};

constexpr Book kBooks[] = {
    {"allocated", &MemoryBooks::allocated, 0, 0},
    {"reserved", &MemoryBooks::reserved, kAllocatorGranule, 0},
    {"process", &MemoryBooks::process, kProcessTolerance, kProcessTolerance},
};

std::string text(std::int64_t bytes)
{
    return (bytes < 0 ? "-" : "") + formatBytes(static_cast<double>(std::abs(bytes)));
}

constexpr std::string_view kPassed = "passed";
constexpr std::string_view kPassedAtOnce = "passed: ";
constexpr std::string_view kPassedLate = "passed at attempt ";
// As texts of self-tests name it.
constexpr std::array<std::pair<ProcessBook, std::string_view>, 3> kProcessBooks{{
    {ProcessBook::ResidentSet, "process (resident set)"},
    {ProcessBook::Driver, "process (driver's count)"},
    {ProcessBook::WholeDevice, "process (whole device)"},
}};

std::string_view nameOf(ProcessBook book)
{
    return std::find_if(kProcessBooks.begin(), kProcessBooks.end(),
                        [&](const auto& each) { return each.first == book; })
        ->second;
}

// "allocated, reserved, process (driver's count)": the books that can be read.
std::string namesOf(const MemoryBooks& books)
{
    std::string names;
    for (const Book& book : kBooks) {
        if (!(books.*book.figure))
            continue;
        names += names.empty() ? "" : ", ";
        names += book.figure == &MemoryBooks::process ? nameOf(books.processBook) : book.name;
    }
    return names;
}

}  // namespace

std::int64_t sentinelBytes(std::int64_t freeBytes)
{
    const std::int64_t wanted = std::min(kSentinelBytes, freeBytes / 10);
    return std::max<std::int64_t>(0, wanted / kAllocatorGranule * kAllocatorGranule);
}

std::string sentinelObjection(const MemoryBooks& before, const MemoryBooks& held,
                              const MemoryBooks& after, std::int64_t bytes)
{
    if (before.processBook != held.processBook || before.processBook != after.processBook)
        return "process memory was not counted in the same way all the time";
    if (!before.process)
        return "process memory cannot be read";
    for (const Book& book : kBooks) {
        const auto& start = before.*book.figure;
        const auto& middle = held.*book.figure;
        const auto& end = after.*book.figure;
        if (!start)
            continue;
        if (!middle || !end)
            return std::string(book.name) + " memory could not be read again";
        const std::int64_t rise = *middle - *start;
        if (std::abs(rise - bytes) > book.tolerance)
            return "a block of " + text(bytes) + " made " + book.name + " memory rise by " +
                   text(rise);
        if (std::abs(*end - *start) > book.remainder)
            return std::string(book.name) + " memory was " + text(*end - *start) +
                   " off after a block of " + text(bytes) + " had been given back";
    }
    return {};
}

std::string selfTestText(const SelfTest& test)
{
    if (test.bytes == 0 || test.attempts.empty())
        return "too little memory is free for the self-test";
    const SelfTestAttempt& last = test.attempts.back();
    if (!last.objection.empty())
        return last.objection;
    if (test.attempts.size() == 1)
        return std::string(kPassedAtOnce) + namesOf(last.before);
    return std::string(kPassedLate) + std::to_string(test.attempts.size()) + ": " +
           namesOf(last.before) + "; at first " + test.attempts.front().objection;
}

bool passedSelfTest(std::string_view text)
{
    return text == kPassed || text.starts_with(kPassedAtOnce) || text.starts_with(kPassedLate);
}

std::optional<ProcessBook> testedProcessBook(std::string_view text)
{
    if (!passedSelfTest(text))
        return std::nullopt;
    for (const auto& [book, name] : kProcessBooks) {
        if (text.find(name) != std::string_view::npos)
            return book;
    }
    return std::nullopt;
}

std::optional<double> selfTestEnd(const CellResult& result)
{
    const PhaseTime* test = result.phase("self_test");
    if (test == nullptr)
        return 0.0;
    return test->start ? std::optional(*test->start + test->seconds) : std::nullopt;
}

const std::string& worseSelfTest(const std::string& one, const std::string& other)
{
    const auto against = [](const std::string& text) {
        return text.empty() ? 0 : !passedSelfTest(text) ? 3 : text.starts_with(kPassedLate) ? 2 : 1;
    };
    return against(other) > against(one) ? other : one;
}

std::vector<std::string> selfTestNotes(const std::string& text)
{
    if (!passedSelfTest(text))
        return {"no memory figures: " + text};
    std::vector<std::string> notes;
    if (text.starts_with(kPassedLate))
        notes.push_back("memory self-test " + text);
    if (testedProcessBook(text) == ProcessBook::WholeDevice)
        notes.emplace_back("process memory is what was used on the whole device: the driver does "
                           "not tell what the worker holds");
    return notes;
}

void applySelfTest(const std::string& text, CellResult& result)
{
    result.memory.sentinel = text;
    for (std::string& note : selfTestNotes(text))
        result.notes.push_back(std::move(note));
    if (passedSelfTest(text))
        return;
    result.memory.allocatedPeak.reset();
    result.memory.reservedPeak.reset();
    result.memory.processPeak.reset();
    result.memory.loadAllocatedPeak.reset();
    for (StageSamples& stage : result.stages)
        stage.peakBytes.reset();
}

}  // namespace qs::core
