#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// The text so that HTML shows it as it is, in elements and in quoted attributes. Names of models
// and images and messages of workers may hold anything; line breaks become spaces.
[[nodiscard]] std::string htmlText(std::string_view text);

// `<li>`s of texts that are escaped here; empty without any.
[[nodiscard]] std::string htmlList(const std::vector<std::string>& texts);

}  // namespace qs::core
