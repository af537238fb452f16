#include "widgets/compare/loaded_values.h"

#include "core/record/output_places.h"
#include "core/record/stored_values.h"
#include "core/stats/logit_distance.h"

#include <QCoreApplication>

#include <algorithm>
#include <span>
#include <utility>

namespace qs::widgets {

namespace {

// Enough for the shape of a histogram; more would be copied and sorted for nothing.
constexpr std::size_t kMostCounted = std::size_t{1} << 20U;

struct LoadedValuesText {
    Q_DECLARE_TR_FUNCTIONS(LoadedValues)
};

std::string placeOf(const ValueSource& source)
{
    return core::outputPlace(source.output.cellId, source.output.folder);
}

bool holdsScores(core::OutputKind kind)
{
    return kind == core::OutputKind::Logits || kind == core::OutputKind::Classes;
}

// The array, or nothing with the reason in `problem`.
std::optional<core::FloatArray> readValues(const ValuesRequest& request, const ValueSource& source,
                                           QString& problem)
{
    problem = source.output.unavailable;
    // A compiled program has no other form that could be the reference.
    if (problem.isEmpty() && source.output.cellId.empty())
        problem = LoadedValuesText::tr("There is nothing to compare with; outputs are stored in "
                                       "the run folder.");
    if (!problem.isEmpty())
        return std::nullopt;
    auto read = core::readStoredValues(request.runFolder, placeOf(source), request.sample);
    if (read.ok())
        return std::move(read).value();
    problem = read.error().code == core::ErrorCode::NotFound
                  ? LoadedValuesText::tr("This output was not saved in the run folder.")
                  : QString::fromStdString(read.error().message);
    return std::nullopt;
}

std::vector<std::int64_t> readTokens(const ValuesRequest& request, const ValueSource& source,
                                     core::TokenFile file)
{
    if (!source.output.unavailable.isEmpty() || source.output.cellId.empty())
        return {};
    auto read = core::readStoredTokens(request.runFolder, placeOf(source), file, request.sample);
    return read.ok() ? std::move(read).value() : std::vector<std::int64_t>{};
}

std::size_t widthOf(const core::FloatArray& array)
{
    return array.shape.empty()
               ? array.values.size()
               : static_cast<std::size_t>(std::max<std::int64_t>(1, array.shape.back()));
}

std::span<const float> rowAt(const core::FloatArray& scores, std::size_t position)
{
    const std::size_t width = widthOf(scores);
    return std::span(scores.values).subspan(position * width, width);
}

void rankScores(const core::FloatArray& scores, std::size_t position, CellValues& values)
{
    if ((position + 1) * widthOf(scores) > scores.values.size())
        return;
    if (auto best = core::highestScores(rowAt(scores, position), kShownScores); best.ok())
        values.best = std::move(best).value();
}

// Of what was generated, only those with the same text before them.
std::size_t comparablePlaces(const LoadedValues& loaded, const CellValues& values,
                             const core::FloatArray& reference)
{
    const std::size_t all = reference.values.size() / widthOf(reference);
    const bool generated = !loaded.predicted && loaded.reference.tokens.size() == all;
    return generated && values.agreement && values.agreement->firstDivergence
               ? std::min(all, *values.agreement->firstDivergence + 1)
               : all;
}

void compareScores(const core::FloatArray& scores, const core::FloatArray& reference,
                   LoadedValues& loaded, CellValues& values, bool choosesPosition)
{
    const std::size_t width = widthOf(reference);
    const std::size_t kept = width * comparablePlaces(loaded, values, reference);
    const auto whole = scores.values.size() == reference.values.size()
                           ? core::logitDistance(std::span(scores.values).first(kept),
                                                 std::span(reference.values).first(kept), width)
                           : core::logitDistance(scores.values, reference.values, width);
    if (!whole.ok()) {
        values.problem = QString::fromStdString(whole.error().message);
        return;
    }
    // Runs of old have those of the last token alone.
    const bool places = values.tokens.size() * width == scores.values.size();
    for (std::size_t place = 0; places && place < kept / width; ++place) {
        const auto here = core::logitDistance(rowAt(scores, place), rowAt(reference, place), width);
        if (here.ok())
            values.places.push_back({here.value().meanDivergence, here.value().maxAbsolute});
    }
    if (choosesPosition && whole.value().maxDivergence > 0.0) {
        loaded.position = whole.value().worstPosition;
        loaded.mostDifferent = true;
    }
    rankScores(scores, loaded.position, values);
    const auto here = core::logitDistance(rowAt(scores, loaded.position),
                                          rowAt(reference, loaded.position), width);
    if (here.ok())
        values.divergence = here.value().meanDivergence;
}

void compareNumbers(const core::FloatArray& array, const core::FloatArray& reference,
                    CellValues& values)
{
    auto largest = core::largestDifferences(array.values, reference.values, kShownDifferences);
    if (!largest.ok()) {
        values.problem = QString::fromStdString(largest.error().message);
        return;
    }
    values.largest = std::move(largest).value();
    const std::size_t step = array.values.size() / kMostCounted + 1;
    std::vector<double> differences;
    for (std::size_t i = 0; i < array.values.size(); i += step)
        differences.push_back(static_cast<double>(array.values[i]) -
                              static_cast<double>(reference.values[i]));
    values.differences = core::histogram(differences);
}

void compareTokens(const std::vector<std::int64_t>& reference, CellValues& values)
{
    if (values.tokens.empty() || reference.empty())
        return;
    if (const auto agreement = core::tokenAgreement(values.tokens, reference, 0); agreement.ok())
        values.agreement = agreement.value();
}

// Token ids that are the judged output itself.
void takeTokens(const core::FloatArray& array, CellValues& values)
{
    if (auto tokens = core::tokensOf(array); tokens.ok())
        values.tokens = std::move(tokens).value();
    else
        values.problem = QString::fromStdString(tokens.error().message);
}

// Of a model that reads a text in one pass: what it would go on with after each token.
std::vector<std::int64_t> likeliest(const core::FloatArray& scores)
{
    const std::size_t width = widthOf(scores);
    std::vector<std::int64_t> tokens;
    for (std::size_t first = 0; first + width <= scores.values.size(); first += width) {
        const auto row = scores.values.begin() + static_cast<std::ptrdiff_t>(first);
        const auto end = row + static_cast<std::ptrdiff_t>(width);
        tokens.push_back(std::max_element(row, end) - row);
    }
    return tokens;
}

void loadReference(LoadedValues& loaded, std::optional<core::FloatArray>& array)
{
    const ValuesRequest& request = loaded.request;
    loaded.prompt = readTokens(request, request.reference, core::TokenFile::Prompt);
    loaded.reference.tokens = readTokens(request, request.reference, core::TokenFile::Generated);
    array = readValues(request, request.reference, loaded.reference.problem);
    if (!array)
        return;
    loaded.shape = array->shape;
    if (request.kind == core::OutputKind::Tokens)
        takeTokens(*array, loaded.reference);
    loaded.positions = array->values.size() / widthOf(*array);
    loaded.position = loaded.positions - 1;
    loaded.predicted = request.kind == core::OutputKind::Logits && loaded.positions > 1 &&
                       loaded.reference.tokens.empty();
    if (loaded.predicted)
        loaded.reference.tokens = likeliest(*array);
}

CellValues loadCell(LoadedValues& loaded, const std::optional<core::FloatArray>& reference,
                    std::size_t index)
{
    const ValuesRequest& request = loaded.request;
    const ValueSource& source = request.cells[index];
    CellValues values;
    values.tokens = readTokens(request, source, core::TokenFile::Generated);
    if (loaded.prompt.empty())
        loaded.prompt = readTokens(request, source, core::TokenFile::Prompt);
    const auto array = readValues(request, source, values.problem);
    if (array && request.kind == core::OutputKind::Tokens)
        takeTokens(*array, values);
    if (array && loaded.predicted)
        values.tokens = likeliest(*array);
    compareTokens(loaded.reference.tokens, values);
    if (!array || !reference || request.kind == core::OutputKind::Tokens)
        return values;
    if (holdsScores(request.kind))
        compareScores(*array, *reference, loaded, values, index == 0);
    else
        compareNumbers(*array, *reference, values);
    return values;
}

}  // namespace

LoadedValues loadValues(const ValuesRequest& request)
{
    LoadedValues loaded;
    loaded.request = request;
    if (!request.tokenizer.empty()) {
        auto read =
            core::Tokenizer::read(core::FilePlace::inside(request.runFolder, request.tokenizer));
        if (read.ok())
            loaded.tokenizer = std::move(read).value();
    }
    std::optional<core::FloatArray> reference;
    loadReference(loaded, reference);
    // One after the other: each may have hundreds of megabytes.
    for (std::size_t i = 0; i < request.cells.size(); ++i)
        loaded.cells.push_back(loadCell(loaded, reference, i));
    if (reference && holdsScores(request.kind))
        rankScores(*reference, loaded.position, loaded.reference);
    return loaded;
}

}  // namespace qs::widgets
