#include "core/report/json_stream.h"

#include "core/base/parallel.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace qs::core {

namespace {

constexpr std::size_t kElementsAtATime = 256;

}  // namespace

Status JsonStream::beginMember(std::string_view name)
{
    QS_RETURN_IF_ERROR(m_sink((m_isFirst ? "{\n" : ",\n") + jsonText(name) + ": "));
    m_isFirst = false;
    return {};
}

Status JsonStream::member(std::string_view name, const Json& value)
{
    QS_RETURN_IF_ERROR(beginMember(name));
    return m_sink(jsonText(value));
}

Status JsonStream::list(std::string_view name, std::size_t count,
                        const std::function<Json(std::size_t index)>& element)
{
    QS_RETURN_IF_ERROR(beginMember(name));
    QS_RETURN_IF_ERROR(m_sink("["));
    std::vector<std::string> texts;
    for (std::size_t first = 0; first < count; first += kElementsAtATime) {
        texts.assign(std::min(kElementsAtATime, count - first), {});
        inParallel(texts.size(), [&](std::size_t i) { texts[i] = jsonText(element(first + i)); });
        for (std::size_t i = 0; i < texts.size(); ++i)
            QS_RETURN_IF_ERROR(m_sink((first + i == 0 ? "\n" : ",\n") + texts[i]));
    }
    return m_sink(count == 0 ? "]" : "\n]");
}

Status JsonStream::end()
{
    return m_sink(m_isFirst ? "{}\n" : "\n}\n");
}

}  // namespace qs::core
