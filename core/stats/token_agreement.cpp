#include "core/stats/token_agreement.h"

#include <algorithm>
#include <string>

namespace qs::core {

Result<TokenAgreement> tokenAgreement(std::span<const std::int64_t> tokens,
                                      std::span<const std::int64_t> reference,
                                      std::size_t promptLength)
{
    if (tokens.size() < promptLength || reference.size() < promptLength)
        return Error{ErrorCode::InvalidArgument, "a prompt of " + std::to_string(promptLength) +
                                                     " tokens in texts of " +
                                                     std::to_string(tokens.size()) + " and " +
                                                     std::to_string(reference.size())};
    const auto prompt = tokens.first(promptLength);
    if (!std::equal(prompt.begin(), prompt.end(), reference.begin()))
        return Error{ErrorCode::InvalidArgument, "the texts do not begin with the same prompt"};
    const auto written = tokens.subspan(promptLength);
    const auto wanted = reference.subspan(promptLength);
    TokenAgreement result;
    result.generated = std::max(written.size(), wanted.size());
    if (result.generated == 0)
        return Error{ErrorCode::InvalidArgument, "nothing follows the prompt"};
    for (std::size_t i = 0; i < result.generated; ++i) {
        if (i < written.size() && i < wanted.size() && written[i] == wanted[i])
            ++result.matched;
        else if (!result.firstDivergence)
            result.firstDivergence = i;
    }
    return result;
}

}  // namespace qs::core
