#pragma once

#include "core/base/result.h"
#include "core/model/input_feed.h"
#include "core/model/model.h"
#include "core/model/text/tokenizer.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// Where a prompt is shorter than the longest.
inline constexpr std::int64_t kNoToken = -1;

// Ids of the prompts of a text, [prompts, longest]; behind the end of shorter ones is kNoToken.
// Errors name the line.
[[nodiscard]] Result<HostTensor> promptIds(std::string_view text, const Tokenizer& tokenizer);
// The tokenizer.json of that feed.
[[nodiscard]] Result<std::string> readTokenizerOf(const TextFeed& feed);
// Of the files of that feed; of one that is cut into pieces one row of all ids.
[[nodiscard]] Result<HostTensor> readPrompts(const TextFeed& feed);

// Prompts of so many ids each: longer ones lose their end, shorter ones begin with `pad`. Errors:
// a shorter one without a pad, an id above `highest`.
[[nodiscard]] Result<HostTensor> fittedPrompts(const HostTensor& prompts, std::int64_t length,
                                               std::optional<std::int64_t> pad,
                                               std::int64_t highest);

// Note [Own lengths]
// A model that is given what fills a prompt up answers another prompt. With length=own each prompt
// is answered by itself, by the stages in the shape of its length: what is judged is what one gets
// who asks the model. Passes that are timed have the length that the cell says; there a prompt is
// read over and over until it has that length. Only cells that run operation by operation can do
// that: what is compiled has one shape.

// Of each prompt.
[[nodiscard]] Result<std::vector<std::int64_t>> promptLengths(const HostTensor& prompts);
// Errors: one longer than `most`.
[[nodiscard]] Status checkPromptLengths(const std::vector<std::int64_t>& lengths,
                                        std::int64_t most);
// Prompts of so many ids each: read over and over, or cut at the end. Errors: an id above
// `highest`.
[[nodiscard]] Result<HostTensor> repeatedPrompts(const HostTensor& prompts, std::int64_t length,
                                                 std::int64_t highest);
// One row of ids cut into rows of so many. Errors: fewer ids than that, an id above `highest`.
[[nodiscard]] Result<HostTensor> cutPieces(const HostTensor& all, std::int64_t length,
                                           std::int64_t highest);

}  // namespace qs::core
