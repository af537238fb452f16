#include "core/report/texts_section.h"

#include "core/model/input_feed.h"
#include "core/model/text/tokenizer.h"
#include "core/record/stored_values.h"
#include "core/report/profiles/profile_cells.h"
#include "core/stats/token_agreement.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace qs::core {

namespace {

constexpr const char* kTextsMeaning =
    "What was written after the first prompts; of a long prompt its end is shown. ≠ stands before "
    "the first token that is not that of the reference: what follows answers another text.";
constexpr const char* kPadIsRead =
    " Shorter prompts begin with the token of pad=ID, over and over; "
    "the model reads that as a part "
    "of the prompt, and it is not shown.";
// As many prompts as benchmarks of quantized language models look at.
constexpr int kShownPrompts = 5;
constexpr std::size_t kMostTextLines = 100;
constexpr std::size_t kShownPromptTokens = 32;
constexpr std::size_t kShownTextTokens = 200;

using TokenIds = std::vector<std::int64_t>;

// How the ids of a run are read.
struct Reading {
    std::optional<Tokenizer> tokenizer = std::nullopt;  // nothing: they are shown as numbers
    std::optional<std::int64_t> pad = std::nullopt;
};

Reading readingOf(const RunData& data)
{
    const ModelFeeding& feeding = data.plan.preset.feeding;
    for (const auto& [input, feed] : feeding.inputs) {
        const auto* text = std::get_if<TextFeed>(&feed);
        if (text == nullptr)
            continue;
        auto tokenizer =
            Tokenizer::read(FilePlace::inside(data.folder, feedTokenizerName(feeding, input)));
        Reading reading{.pad = text->pad};
        if (tokenizer.ok())
            reading.tokenizer = std::move(tokenizer).value();
        return reading;
    }
    return {};
}

// On one line, as it is in a table.
std::string lineOfTokens(const Reading& reading, const TokenIds& tokens)
{
    std::string text;
    if (!reading.tokenizer) {
        for (const std::int64_t token : tokens)
            text += (text.empty() ? "" : " ") + std::to_string(token);
        return text;
    }
    for (const char letter : reading.tokenizer->decode(tokens)) {
        if (letter == '\n')
            text += "⏎";
        else
            text += letter == '\t' || letter == '\r' ? ' ' : letter;
    }
    return text;
}

// What fills a prompt up is no part of it.
std::string promptLine(const Reading& reading, const TokenIds& tokens)
{
    auto first = tokens.begin();
    while (first != tokens.end() && reading.pad && *first == *reading.pad)
        ++first;
    const bool cut = static_cast<std::size_t>(tokens.end() - first) > kShownPromptTokens;
    if (cut)
        first = tokens.end() - static_cast<std::ptrdiff_t>(kShownPromptTokens);
    return (cut ? "… " : "") + lineOfTokens(reading, {first, tokens.end()});
}

std::string writtenLine(const Reading& reading, const TokenIds& tokens,
                        const std::optional<std::size_t>& divergence)
{
    const std::size_t shown = std::min(tokens.size(), kShownTextTokens);
    const auto end = tokens.begin() + static_cast<std::ptrdiff_t>(shown);
    const std::string more = shown < tokens.size() ? " …" : "";
    if (!divergence || *divergence > shown)
        return lineOfTokens(reading, {tokens.begin(), end}) + more;
    const auto middle = tokens.begin() + static_cast<std::ptrdiff_t>(*divergence);
    return lineOfTokens(reading, {tokens.begin(), middle}) + " ≠ " +
           lineOfTokens(reading, {middle, end}) + more;
}

TokenIds storedTokens(const RunData& data, const Analysis& analysis, const CellSummary& cell,
                      TokenFile file, int sample)
{
    auto tokens = readStoredTokens(data.folder, storedPlace(analysis, cell), file, sample);
    return tokens.ok() ? std::move(tokens).value() : TokenIds();
}

// The cells that are compared with that one, in the order of the plan.
std::vector<const CellSummary*> comparedWith(const CellSummary& reference, const Analysis& analysis)
{
    std::vector<const CellSummary*> cells;
    for (const CellSummary* cell : profiledCells(analysis)) {
        if (cell->cell->referenceId == reference.cellId && cell != &reference &&
            cell->environmentId == reference.environmentId)
            cells.push_back(cell);
    }
    return cells;
}

void addTexts(const RunData& data, const Analysis& analysis, const CellSummary& reference,
              const Reading& reading, PlainTable& table)
{
    const std::vector<const CellSummary*> cells = comparedWith(reference, analysis);
    for (int sample = 0; sample < kShownPrompts && !cells.empty(); ++sample) {
        const auto tokensOfCell = [&](const CellSummary& cell, TokenFile file) {
            return storedTokens(data, analysis, cell, file, sample);
        };
        const TokenIds written = tokensOfCell(reference, TokenFile::Generated);
        if (written.empty() || table.lines.size() + cells.size() >= kMostTextLines)
            return;
        const std::string number = std::to_string(sample + 1);
        table.lines.push_back({number,
                               promptLine(reading, tokensOfCell(reference, TokenFile::Prompt)),
                               analysis.labels.withBatch(*reference.cell) + " (reference)",
                               writtenLine(reading, written, std::nullopt), "–", "–"});
        for (const CellSummary* cell : cells) {
            const TokenIds own = tokensOfCell(*cell, TokenFile::Generated);
            const auto agreement = tokenAgreement(own, written, 0);
            if (own.empty() || !agreement.ok())
                continue;
            const auto& divergence = agreement.value().firstDivergence;
            table.lines.push_back({number, "", analysis.labels.withBatch(*cell->cell),
                                   writtenLine(reading, own, divergence),
                                   divergence ? std::to_string(*divergence + 1) : "none",
                                   std::to_string(agreement.value().matched) + " of " +
                                       std::to_string(agreement.value().generated)});
        }
    }
}

}  // namespace

TableSection textsSection(const RunData& data, const Analysis& analysis)
{
    PlainTable table{{"Prompt", "Text of the prompt", "Cell", "Written", "First different token",
                      "Equal tokens"},
                     {}};
    const Reading reading = readingOf(data);
    for (const CellSummary* cell : profiledCells(analysis)) {
        const bool isReference = cell->cell->referenceId == cell->cellId;
        if (isReference && cell->cell->trained && cell->cell->output != OutputKind::Image)
            addTexts(data, analysis, *cell, reading, table);
    }
    return {"texts", "Texts", std::string(kTextsMeaning) + (reading.pad ? kPadIsRead : ""),
            std::move(table)};
}

}  // namespace qs::core
