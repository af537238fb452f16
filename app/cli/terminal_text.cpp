#include "app/cli/terminal_text.h"

namespace qs::app {

std::string safeForTerminal(const std::string& text)
{
    std::string safe;
    for (const char letter : text)
        safe += static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f ? '?' : letter;
    return safe;
}

}  // namespace qs::app
