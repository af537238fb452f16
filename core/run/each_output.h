#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

namespace qs::core {

// work(0) … work(count - 1), each about one of the arrays of a place: all at the same time, but
// large ones, which take memory, one after the other. The first error by number; Cancelled when
// stopped.
[[nodiscard]] Status forEachOutput(const std::filesystem::path& runFolder, const std::string& place,
                                   int count, const std::function<Status(int output)>& work,
                                   const std::stop_token& stop);

}  // namespace qs::core
