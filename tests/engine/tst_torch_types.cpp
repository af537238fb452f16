// What kind of failure is made of what PyTorch throws: by type and number, whatever it says.

#include "core/engine/internal/torch_types.h"

#include <ATen/ops/empty.h>
#include <c10/util/Exception.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>

namespace qs::engine {
namespace {

using core::ErrorCode;

template <typename Thrown>
ErrorCode kindOf(const Thrown& thrown)
{
    return catching([&]() -> core::Status { throw thrown; }).error().code;
}

c10::AcceleratorError ofRuntime(std::int32_t code, const std::string& words)
{
    return {{"here", "file.cpp", 1}, code, words};
}

c10::Error saying(const std::string& words)
{
    return {{"here", "file.cpp", 1}, words};
}

TEST(CaughtErrors, ANumberOfTheRuntimeDecides)
{
    EXPECT_EQ(kindOf(ofRuntime(2, "no words")), ErrorCode::OutOfMemory);
    EXPECT_EQ(kindOf(ofRuntime(700, "an illegal access, not out of memory")), ErrorCode::Device);
}

TEST(CaughtErrors, ATypeDecides)
{
    EXPECT_EQ(kindOf(c10::OutOfMemoryError({"here", "file.cpp", 1}, "")), ErrorCode::OutOfMemory);
    EXPECT_EQ(kindOf(std::bad_alloc()), ErrorCode::OutOfMemory);
    EXPECT_EQ(kindOf(std::runtime_error("CUDA error: out of memory")), ErrorCode::Internal);
}

TEST(CaughtErrors, SentencesDoNot)
{
    EXPECT_EQ(kindOf(saying("a layer named 'out of memory' has no CUDA error")),
              ErrorCode::Internal);
    EXPECT_EQ(kindOf(saying("cublasCreate: CUBLAS_STATUS_NOT_INITIALIZED")), ErrorCode::Device);
    EXPECT_EQ(kindOf(saying("CUBLAS_STATUS_ALLOC_FAILED")), ErrorCode::OutOfMemory);
}

// As PyTorch really throws it.
TEST(CaughtErrors, MoreMemoryThanThereIs)
{
    const core::Status status = catching([]() -> core::Status {
        static_cast<void>(at::empty({std::int64_t{1} << 55U}));
        return {};
    });
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().code, ErrorCode::OutOfMemory);
}

}  // namespace
}  // namespace qs::engine
