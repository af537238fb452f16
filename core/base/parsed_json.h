#pragma once

#include "core/base/file_place.h"
#include "core/base/json_limits.h"
#include "core/base/json_view.h"
#include "core/base/result.h"

#include <memory>
#include <string_view>

namespace qs::core {

// A document that was parsed to be read once: making a Json of it would take several times as long
// as parsing it.
class ParsedJson final
{
public:
    // The limits and errors are those of parseJson().
    [[nodiscard]] static Result<ParsedJson> parse(std::string_view text, std::string_view source,
                                                  const JsonLimits& limits = {});
    explicit ParsedJson(Json json);
    ParsedJson(const ParsedJson&) = delete;
    ParsedJson& operator=(const ParsedJson&) = delete;
    ParsedJson(ParsedJson&& other) noexcept;
    ParsedJson& operator=(ParsedJson&& other) noexcept;
    ~ParsedJson();

    // For as long as this lives; moving it keeps the view.
    [[nodiscard]] JsonView root() const;

private:
    struct Content;
    explicit ParsedJson(std::unique_ptr<Content> content);

    std::unique_ptr<Content> m_content;
};

// With all of its texts cleaned, see Note [Clean text].
[[nodiscard]] Result<ParsedJson> parseJsonFile(const FilePlace& place,
                                               const JsonLimits& limits = {});

}  // namespace qs::core
