#pragma once

#include "core/base/atomic_file.h"
#include "core/base/json.h"

#include <cstddef>
#include <functional>
#include <string_view>

namespace qs::core {

// Writes one JSON object member by member, so that a list of a hundred thousand rows never lies in
// memory. Each member, and each element of a list, is a line of its own.
class JsonStream final
{
public:
    // `sink` must outlive the stream.
    explicit JsonStream(const TextSink& sink) : m_sink(sink) {}

    [[nodiscard]] Status member(std::string_view name, const Json& value);
    // `element` is called from several threads, some elements at a time.
    [[nodiscard]] Status list(std::string_view name, std::size_t count,
                              const std::function<Json(std::size_t index)>& element);
    // A list whose elements `write` makes itself: each call of `element` takes the text of one.
    [[nodiscard]] Status texts(std::string_view name,
                               const std::function<Status(const TextSink& element)>& write);
    [[nodiscard]] Status end();

private:
    [[nodiscard]] Status beginMember(std::string_view name);

    const TextSink& m_sink;
    bool m_isFirst = true;
};

}  // namespace qs::core
