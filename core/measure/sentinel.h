#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

struct CellResult;

// Note [Sentinel]
// Memory figures come from three books that are kept by others: PyTorch's allocator (handed out,
// held) and the driver or the kernel (the process). Before any of them is shown, a block of known
// size is taken and given back, and each book must show it. The book of the process that is tested
// is the one that is shown: its figure never comes from another.

// Who counts what the process has.
enum class ProcessBook {
    ResidentSet,  // the kernel, on a CPU
    Driver,       // the driver of the GPU, for the process alone
    WholeDevice,  // the driver, for all that is on the GPU: where it tells no more
};

// The three books at one moment, in bytes. A CPU keeps the last one alone.
struct MemoryBooks {
    std::optional<std::int64_t> allocated;
    std::optional<std::int64_t> reserved;
    std::optional<std::int64_t> process;
    ProcessBook processBook = ProcessBook::ResidentSet;
};

// How large the block is: a gibibyte, or a tenth of what is free; whole allocator granules.
inline constexpr std::int64_t kSentinelBytes = std::int64_t{1} << 30U;
inline constexpr std::int64_t kAllocatorGranule = std::int64_t{2} << 20U;
inline constexpr std::int64_t kProcessTolerance = std::int64_t{4} << 20U;
// 0 if less than a granule would be left.
[[nodiscard]] std::int64_t sentinelBytes(std::int64_t freeBytes);

// What is wrong with books that were read before a block of `bytes` was taken, while it was held
// and after it was given back; empty if all agree. Handed out must be exact, held within a granule,
// the process within 4 MiB, and all must come back to where they were. Books of the allocator that
// cannot be read are not kept on this device.
[[nodiscard]] std::string sentinelObjection(const MemoryBooks& before, const MemoryBooks& held,
                                            const MemoryBooks& after, std::int64_t bytes);

// One block that was taken and given back.
struct SelfTestAttempt {
    MemoryBooks before;
    MemoryBooks held;
    MemoryBooks after;
    std::string objection;  // see sentinelObjection
};

// A disagreement is looked at again, because something else may have taken memory in between: the
// last attempt counts.
struct SelfTest {
    std::int64_t bytes = 0;  // of the block; 0 if too little was free for one
    std::vector<SelfTestAttempt> attempts;
};

// "passed: allocated, reserved, process (driver's count)"; "passed at attempt 2: …; at first …"
// with what was wrong then; or what was wrong to the end.
[[nodiscard]] std::string selfTestText(const SelfTest& test);

// Of such a text as rows carry it. Those of before tell "passed" and no more.
[[nodiscard]] bool passedSelfTest(std::string_view text);
// Nothing if it did not pass or does not tell.
[[nodiscard]] std::optional<ProcessBook> testedProcessBook(std::string_view text);
// Seconds after the cell began at which the block of the self-test had been given back: what the
// process holds is its own from then on. 0 if another cell of the same worker tested the books;
// nothing if the row had a test and does not tell when.
[[nodiscard]] std::optional<double> selfTestEnd(const CellResult& result);
// The one that speaks more against the figures; an empty one says nothing.
[[nodiscard]] const std::string& worseSelfTest(const std::string& one, const std::string& other);
// What a row has to say about it beside its figures; empty if nothing.
[[nodiscard]] std::vector<std::string> selfTestNotes(const std::string& text);
// Adds the text and its notes to the row. A book that got a known block wrong gets the model wrong,
// too: then the row loses its peaks.
void applySelfTest(const std::string& text, CellResult& result);

}  // namespace qs::core
