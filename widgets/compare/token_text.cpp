#include "widgets/compare/token_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace qs::widgets {

namespace {

// Tokens before and after the first divergence: what lies farther away is no reading.
constexpr std::size_t kShownBefore = 400;
constexpr std::size_t kShownAfter = 400;
constexpr int kMostTokensOfLetter = 4;

struct TokenTextWords {
    Q_DECLARE_TR_FUNCTIONS(TokenText)
};

QString textOfTokens(const core::Tokenizer& tokenizer, const std::vector<std::int64_t>& tokens,
                     std::size_t first, std::size_t last)
{
    const auto at = [&](std::size_t place) {
        return tokens.begin() + static_cast<std::ptrdiff_t>(std::min(place, tokens.size()));
    };
    return QString::fromStdString(tokenizer.decode({at(first), at(std::max(first, last))}));
}

// A letter of several tokens is not torn apart: where `first` … `last` ends within one.
bool endsInLetter(const core::Tokenizer& tokenizer, const std::vector<std::int64_t>& tokens,
                  std::size_t first, std::size_t last)
{
    return last > first &&
           textOfTokens(tokenizer, tokens, first, last).endsWith(QChar::ReplacementCharacter);
}

DividedText divided(const core::Tokenizer& tokenizer, const std::vector<std::int64_t>& tokens,
                    const std::optional<std::size_t>& divergence)
{
    const std::size_t count = tokens.size();
    std::size_t middle = std::min(count, divergence.value_or(0));
    const std::size_t first = middle > kShownBefore ? middle - kShownBefore : 0;
    const std::size_t last = std::min(count, middle + kShownAfter);
    for (int i = 1; i < kMostTokensOfLetter && endsInLetter(tokenizer, tokens, first, middle); ++i)
        --middle;
    std::size_t next = divergence ? std::min(last, divergence.value() + 1) : middle;
    for (int i = 1;
         i < kMostTokensOfLetter && next < last && endsInLetter(tokenizer, tokens, middle, next);
         ++i)
        ++next;
    DividedText text{.common = textOfTokens(tokenizer, tokens, first, middle),
                     .divergence = textOfTokens(tokenizer, tokens, middle, next),
                     .rest = textOfTokens(tokenizer, tokens, next, last)};
    if (first > 0)
        text.common.prepend(QStringLiteral("… "));
    if (last < count)
        text.rest += QStringLiteral(" …");
    return text;
}

// It goes on where the reference ends, or the other way round.
bool endsEarly(const CellValues& values)
{
    return values.agreement && values.agreement->firstDivergence &&
           *values.agreement->firstDivergence >= values.tokens.size();
}

std::optional<std::size_t> divergenceOf(const CellValues& values)
{
    return values.agreement ? values.agreement->firstDivergence : std::nullopt;
}

}  // namespace

QString tokenText(const core::Tokenizer& tokenizer, std::int64_t id)
{
    QString text = QString::fromStdString(tokenizer.bytesOf(id));
    if (text.isEmpty() || text.contains(QChar::ReplacementCharacter))
        return QString::number(id);
    return text.replace(QLatin1Char(' '), QChar(0x2423))
        .replace(QLatin1Char('\n'), QChar(0x23CE))
        .replace(QLatin1Char('\t'), QChar(0x21E5));
}

std::vector<DividedText> dividedTexts(const LoadedValues& loaded)
{
    std::vector<DividedText> texts;
    if (!loaded.tokenizer || loaded.reference.tokens.empty())
        return texts;
    // Of a long reference the part is seen where the first cell leaves it.
    const auto place = loaded.cells.empty() ? std::nullopt : divergenceOf(loaded.cells.front());
    const DividedText reference = divided(*loaded.tokenizer, loaded.reference.tokens, place);
    texts.push_back({.heading = TokenTextWords::tr("Reference"),
                     .common = reference.common + reference.divergence + reference.rest});
    for (std::size_t i = 0; i < loaded.cells.size(); ++i) {
        const CellValues& values = loaded.cells[i];
        if (values.tokens.empty())
            continue;
        DividedText text = divided(*loaded.tokenizer, values.tokens, divergenceOf(values));
        if (endsEarly(values))
            text.divergence += TokenTextWords::tr("(end)");
        text.heading = loaded.request.cells[i].label;
        text.title = loaded.request.cells[i].title;
        texts.push_back(std::move(text));
    }
    return texts;
}

}  // namespace qs::widgets
