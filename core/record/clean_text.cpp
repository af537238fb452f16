#include "core/record/clean_text.h"

#include "core/base/json.h"

#include <nlohmann/json.hpp>

namespace qs::core {

std::string cleanText(const std::string& text)
{
    const std::string quoted =
        Json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return Json::parse(quoted).get<std::string>();
}

}  // namespace qs::core
