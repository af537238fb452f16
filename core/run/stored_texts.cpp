#include "core/run/stored_texts.h"

#include "core/record/run_folder.h"
#include "core/record/stored_values.h"
#include "core/stats/logit_distance.h"

#include <algorithm>
#include <span>
#include <utility>

namespace qs::core {

namespace {

// [N, V] -> [kept, V]
void keepRows(std::size_t kept, FloatArray& logits)
{
    const auto width = static_cast<std::size_t>(logits.shape.back());
    logits.values.resize(kept * width);
    logits.shape.front() = static_cast<std::int64_t>(kept);
}

}  // namespace

StoredTexts::StoredTexts(std::filesystem::path runFolder, const ModelFeeding& feeding)
    : m_runFolder(std::move(runFolder)), m_pad(padOf(feeding))
{
}

std::vector<std::int64_t> StoredTexts::generated(const std::string& place, int sample) const
{
    auto tokens = readStoredTokens(m_runFolder, place, TokenFile::Generated, sample);
    return tokens.ok() ? std::move(tokens).value() : std::vector<std::int64_t>{};
}

std::vector<std::int64_t> StoredTexts::prompt(const std::string& place, int sample) const
{
    auto tokens = readStoredTokens(m_runFolder, place, TokenFile::Prompt, sample);
    if (!tokens.ok())
        return {};
    std::vector<std::int64_t> text = std::move(tokens).value();
    const auto first =
        std::find_if(text.begin(), text.end(), [&](std::int64_t token) { return token != m_pad; });
    text.erase(text.begin(), first);
    return text;
}

Result<std::optional<TokenAgreement>>
StoredTexts::agreement(const std::string& place, const std::string& reference, int sample) const
{
    const std::vector<std::int64_t> tokens = generated(place, sample);
    const std::vector<std::int64_t> wanted = generated(reference, sample);
    if (tokens.empty() || wanted.empty())
        return std::optional<TokenAgreement>();
    QS_TRY(const TokenAgreement found, tokenAgreement(tokens, wanted, 0));
    return std::optional(found);
}

Result<std::optional<double>> StoredTexts::loss(const FloatArray& logits, const std::string& place,
                                                int sample) const
{
    const std::vector<std::int64_t> text = prompt(place, sample);
    if (text.size() < 2 || logits.shape.size() != 2 ||
        logits.shape.front() < static_cast<std::int64_t>(text.size()))
        return std::optional<double>();
    const auto width = static_cast<std::size_t>(logits.shape.back());
    // The last place foretells what nobody wrote.
    const auto rows =
        std::span(logits.values).last(text.size() * width).first((text.size() - 1) * width);
    QS_TRY(const double mean, crossEntropy(rows, std::span(text).subspan(1), width));
    return std::optional(mean);
}

Result<ComparableOutputs> StoredTexts::comparable(const std::string& place,
                                                  const std::string& reference, int sample) const
{
    ComparableOutputs both;
    QS_TRY(both.output, readNpy(outputArray(m_runFolder, place, sample)));
    QS_TRY(both.original, readNpy(outputArray(m_runFolder, reference, sample)));
    QS_TRY(both.agreement, agreement(place, reference, sample));
    if (both.agreement)
        keepComparable(*both.agreement, both.output, both.original);
    return both;
}

void StoredTexts::tell(const TokenAgreement& agreement, const std::string& place, int sample,
                       OutputQuality& quality) const
{
    quality.identical = quality.identical && !agreement.firstDivergence;
    quality.set("token_agreement", agreement.matchedFraction());
    if (agreement.firstDivergence)
        quality.set("first_different", static_cast<double>(*agreement.firstDivergence + 1));
    if (const std::size_t read = prompt(place, sample).size(); read > 0)
        quality.set("token_agreement_with_prompt",
                    static_cast<double>(read + agreement.matched) /
                        static_cast<double>(read + agreement.generated));
}

void keepComparable(const TokenAgreement& agreement, FloatArray& logits, FloatArray& reference)
{
    const auto isOfTokens = [&](const FloatArray& array) {
        return array.shape.size() == 2 &&
               array.shape.front() == static_cast<std::int64_t>(agreement.generated);
    };
    if (!agreement.firstDivergence || !isOfTokens(logits) || !isOfTokens(reference))
        return;
    keepRows(*agreement.firstDivergence + 1, logits);
    keepRows(*agreement.firstDivergence + 1, reference);
}

}  // namespace qs::core
