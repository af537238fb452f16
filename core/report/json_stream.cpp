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
    return texts(name, [&](const TextSink& write) -> Status {
        std::vector<std::string> some;
        for (std::size_t first = 0; first < count; first += kElementsAtATime) {
            some.assign(std::min(kElementsAtATime, count - first), {});
            inParallel(some.size(), [&](std::size_t i) { some[i] = jsonText(element(first + i)); });
            for (const std::string& each : some)
                QS_RETURN_IF_ERROR(write(each));
        }
        return {};
    });
}

Status JsonStream::texts(std::string_view name,
                         const std::function<Status(const TextSink& element)>& write)
{
    QS_RETURN_IF_ERROR(beginMember(name));
    QS_RETURN_IF_ERROR(m_sink("["));
    bool isFirst = true;
    QS_RETURN_IF_ERROR(write([&](std::string_view text) -> Status {
        QS_RETURN_IF_ERROR(m_sink(isFirst ? "\n" : ",\n"));
        isFirst = false;
        return m_sink(text);
    }));
    return m_sink(isFirst ? "]" : "\n]");
}

Status JsonStream::end()
{
    return m_sink(m_isFirst ? "{}\n" : "\n}\n");
}

}  // namespace qs::core
