#pragma once

#include "core/base/npy.h"
#include "core/base/result.h"
#include "core/model/input_feed.h"
#include "core/record/output_quality.h"
#include "core/stats/token_agreement.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace qs::core {

// The stored outputs of one sample of two cells; of texts that both wrote, as far as they agree.
struct ComparableOutputs {
    FloatArray output;
    FloatArray original;
    std::optional<TokenAgreement> agreement = {};
};

// What language models of a run read and wrote, beside their stored logits. Places are those of
// outputPlace(). Nothing where no text was kept.
class StoredTexts final
{
public:
    // `feeding` must outlive the object.
    StoredTexts(std::filesystem::path runFolder, const ModelFeeding& feeding);

    [[nodiscard]] std::vector<std::int64_t> generated(const std::string& place, int sample) const;
    // Without what fills a short prompt up.
    [[nodiscard]] std::vector<std::int64_t> prompt(const std::string& place, int sample) const;

    // Of the texts of two cells; nothing where one of them wrote none.
    [[nodiscard]] Result<std::optional<TokenAgreement>>
    agreement(const std::string& place, const std::string& reference, int sample) const;
    // Reads the outputs at both places.
    [[nodiscard]] Result<ComparableOutputs>
    comparable(const std::string& place, const std::string& reference, int sample) const;
    // Of the prompt, by the logits of all its places.
    [[nodiscard]] Result<std::optional<double>> loss(const FloatArray& logits,
                                                     const std::string& place, int sample) const;
    // The figures of an agreement.
    void tell(const TokenAgreement& agreement, const std::string& place, int sample,
              OutputQuality& quality) const;

private:
    std::filesystem::path m_runFolder;
    std::optional<std::int64_t> m_pad;
};

// Logits [N, V] of two texts: what comes after the first token that differs answers another text
// and is cut off. Where there is not a row for each token, nothing is.
void keepComparable(const TokenAgreement& agreement, FloatArray& logits, FloatArray& reference);

}  // namespace qs::core
