// PyTorch's generator begins with a number of the machine: each test draws the same numbers in
// every run, whichever tests ran before it.

#include <ATen/Context.h>
#include <gtest/gtest.h>

#include <cstdint>

namespace qs::tests {
namespace {

class SeededTests final : public testing::EmptyTestEventListener
{
    void OnTestStart(const testing::TestInfo&) override
    {
        constexpr std::uint64_t kSeed = 20;
        at::manual_seed(kSeed);
    }
};

// GoogleTest owns it.
[[maybe_unused]] const bool added = [] {
    testing::UnitTest::GetInstance()->listeners().Append(new SeededTests);
    return true;
}();

}  // namespace
}  // namespace qs::tests
