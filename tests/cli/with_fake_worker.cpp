#include "tests/cli/running_program.h"

#include <gtest/gtest.h>

namespace {

// All tests that are linked with this file.
class WithFakeWorker : public testing::Environment
{
public:
    void SetUp() override { qs::tests::useFakeWorker(); }
};

// Owned by the framework.
[[maybe_unused]] const testing::Environment* const kFake =
    testing::AddGlobalTestEnvironment(new WithFakeWorker);

}  // namespace
