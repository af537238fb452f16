#include "core/base/checks.h"

#include <cstdio>
#include <cstdlib>

namespace qs::core {

void failCheck(const char* expression, const char* file, int line)
{
    std::fprintf(stderr, "%s:%d: broken contract: %s\n", file, line, expression);
    std::abort();
}

}  // namespace qs::core
