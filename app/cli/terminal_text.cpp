#include "app/cli/terminal_text.h"

#include "core/base/clean_text.h"
#include "core/base/excerpt.h"

#include <cstdio>
#include <string>

namespace qs::app {

void sayText(std::string_view text)
{
    std::fputs(core::cleanText(text).c_str(), stdout);
}

void sayLine(std::string_view line)
{
    sayText(std::string(line) + "\n");
}

void complain(std::string_view sentence)
{
    complainLine("quantscope-cli: " + core::withShortQuotes(sentence));
}

void complainLine(std::string_view line)
{
    complainText(std::string(line) + "\n");
}

void complainText(std::string_view text)
{
    std::fputs(core::cleanText(text).c_str(), stderr);
}

void eraseLine()
{
    std::fputs("\r\x1b[2K", stdout);
}

void replaceLine(std::string_view line)
{
    eraseLine();
    sayText(line);
}

}  // namespace qs::app
