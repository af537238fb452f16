// One libFuzzer program per parser: QS_FUZZ_ENTRY names it.
#include "tests/fuzz/fuzz_entries.h"

#include "core/base/checks.h"

#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const qs::tests::FuzzEntry* entry = [] {
        for (const auto& candidate : qs::tests::fuzzEntries()) {
            if (candidate.name == QS_FUZZ_ENTRY)
                return &candidate;
        }
        qs::core::failCheck("a known fuzz entry", __FILE__, __LINE__);
    }();
    entry->run(std::as_bytes(std::span(data, size)));
    return 0;
}
