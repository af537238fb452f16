#include "widgets/compare/token_text.h"

#include "widgets/models/number_text.h"

#include <QColor>
#include <QCoreApplication>

#include <algorithm>
#include <cmath>
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

std::optional<std::size_t> divergenceOf(const CellValues& values)
{
    return values.agreement ? values.agreement->firstDivergence : std::nullopt;
}

std::vector<TextPiece> piecesOf(const core::Tokenizer& tokenizer, const CellValues& values)
{
    const auto divergence = divergenceOf(values);
    const std::size_t last = std::min(values.places.size(), divergence.value_or(kShownAfter));
    std::vector<TextPiece> pieces;
    for (std::size_t first = last > kShownBefore ? last - kShownBefore : 0; first < last;) {
        std::size_t next = first + 1;
        while (next < last && next < first + kMostTokensOfLetter &&
               endsInLetter(tokenizer, values.tokens, first, next))
            ++next;
        TextPiece piece{textOfTokens(tokenizer, values.tokens, first, next)};
        for (; first < next; ++first) {
            const PlaceDistance& place = values.places[first];
            piece.distance.divergence = std::max(piece.distance.divergence, place.divergence);
            piece.distance.maxDifference =
                std::max(piece.distance.maxDifference, place.maxDifference);
        }
        pieces.push_back(std::move(piece));
    }
    return pieces;
}

// It goes on where the reference ends, or the other way round.
bool endsEarly(const CellValues& values)
{
    return values.agreement && values.agreement->firstDivergence &&
           *values.agreement->firstDivergence >= values.tokens.size();
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

QString distanceText(const PlaceDistance& distance)
{
    return TokenTextWords::tr("KL divergence %1 nats, largest difference of a logit %2")
        .arg(significantText(distance.divergence, 3), significantText(distance.maxDifference, 3));
}

QVariant distanceColour(const PlaceDistance& distance)
{
    // In nats. At the larger one the text would hardly go on in the same way.
    constexpr double kSeen = 0.003;
    constexpr double kFull = 1.0;
    constexpr double kMostOpaque = 0.5;
    if (!(distance.divergence > kSeen))
        return {};
    QColor colour(0x3b, 0x78, 0xc8);
    const double share = std::log(distance.divergence / kSeen) / std::log(kFull / kSeen);
    colour.setAlphaF(static_cast<float>(kMostOpaque * std::clamp(share, 0.0, 1.0)));
    return colour;
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
        text.pieces = piecesOf(*loaded.tokenizer, values);
        if (!text.pieces.empty() && !divergenceOf(values))
            text.rest = values.tokens.size() > kShownAfter ? QStringLiteral(" …") : QString();
        text.heading = loaded.request.cells[i].label;
        text.title = loaded.request.cells[i].title;
        texts.push_back(std::move(text));
    }
    return texts;
}

}  // namespace qs::widgets
