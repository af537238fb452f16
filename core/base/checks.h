#pragma once

namespace qs::core {

// Ends the program with file, line and expression. For broken contracts, never for bad input.
[[noreturn]] void failCheck(const char* expression, const char* file, int line);

}  // namespace qs::core

// A contract of our own code; kept in release builds, because a wrong number is worse than a stop.
#define QS_ASSERT(expression)                                                                      \
    ((expression) ? static_cast<void>(0) : ::qs::core::failCheck(#expression, __FILE__, __LINE__))
