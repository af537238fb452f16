#pragma once

#include "core/engine/internal/backend.h"

#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>

namespace qs::tests {

// Tests of kernels that need the units of compute capability 9.0. A folder in QS_TEST_KERNELS keeps
// what was compiled and chosen: a checker, which makes each launch a hundred times as long, then
// need not try all ways to compute a group.
class HopperTest : public ::testing::Test
{
protected:
    void SetUp() override
    {
        if (!engine::whyNoCuda().empty())
            GTEST_SKIP() << "no GPU: " << engine::whyNoCuda();
        m_backend = engine::makeCudaBackend(0).value();
        if (const char* folder = std::getenv("QS_TEST_KERNELS"))
            m_backend->keepKernels(folder);
        m_device = engine::describeCudaDevices().front();
        if (m_device.computeMajor != 9)
            GTEST_SKIP() << "no units for it";
    }

    c10::InferenceMode m_inference;
    std::unique_ptr<engine::Backend> m_backend;
    core::DeviceDescription m_device;
};

}  // namespace qs::tests
