#pragma once

#include <c10/core/Device.h>

namespace qs::tests {

inline const c10::Device kCpu(c10::kCPU);

}  // namespace qs::tests
