#pragma once

#include <fmt/format.h>

#include <string_view>
#include <utility>

// The one way from this program to a terminal: what a worker or a file says may hold escape
// sequences, and a terminal must not obey them. See Note [Clean text].
namespace qs::app {

void sayText(std::string_view text);
// On standard output, as it is given: without a line end of its own.
template <typename... Values>
void say(fmt::format_string<Values...> format, Values&&... values)
{
    sayText(fmt::format(format, std::forward<Values>(values)...));
}
void sayLine(std::string_view line);

// On standard error, after the name of the program.
void complain(std::string_view sentence);
void complainLine(std::string_view line);
void complainText(std::string_view text);

// The line that the cursor is in, on a terminal.
void eraseLine();
void replaceLine(std::string_view line);

}  // namespace qs::app
