#pragma once

#include "core/base/result.h"

namespace qs::core {

// The exception that is being handled, as an Error: for borders that nothing may be thrown across,
// which are the ends of threads and of main(). Call it in catch (...) only.
[[nodiscard]] Error caughtError();

// What is thrown where nothing may be thrown, as by a destructor that finds no memory, ends the
// program at once. Then it at least says so, and ends with `codeWithoutMemory` if that was why and
// with `codeOtherwise` if not. `program` is the name that it gives itself.
void sayLastWords(const char* program, int codeWithoutMemory, int codeOtherwise);

}  // namespace qs::core
