// Every file of the corpora through the entries of the fuzzers, with the usual compiler: what was
// once found stays fixed, also where libFuzzer is not at hand.
#include "tests/fuzz/fuzz_entries.h"

#include "tests/support/test_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <random>

namespace qs::tests {

void PrintTo(const FuzzEntry& entry, std::ostream* out)
{
    *out << entry.name;
}

namespace {

class FuzzReplay : public ::testing::TestWithParam<FuzzEntry>
{
protected:
    static void run(std::string_view text)
    {
        GetParam().run(std::as_bytes(std::span(text.data(), text.size())));
    }

    static std::vector<std::string> corpus()
    {
        std::vector<std::string> inputs;
        for (const auto& file :
             std::filesystem::directory_iterator(dataFile("fuzz/corpus/" + GetParam().name)))
            inputs.push_back(readFile(file.path()));
        std::sort(inputs.begin(), inputs.end());
        return inputs;
    }
};

TEST_P(FuzzReplay, TheCorpusIsHandled)
{
    const auto inputs = corpus();
    EXPECT_GE(inputs.size(), 3U);
    for (const std::string& input : inputs)
        run(input);
}

TEST_P(FuzzReplay, CutsAndDamagedBytesOfTheCorpusAreHandled)
{
    // The same damage in every run.
    std::mt19937 random(7);
    for (const std::string& input : corpus()) {
        for (int round = 0; round < 100 && !input.empty(); ++round) {
            std::string damaged = input;
            damaged[random() % damaged.size()] = static_cast<char>(random() & 255U);
            run(damaged);
            damaged.resize(random() % damaged.size());
            run(damaged);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Parsers, FuzzReplay, ::testing::ValuesIn(fuzzEntries()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace qs::tests
