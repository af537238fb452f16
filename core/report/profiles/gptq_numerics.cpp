#include "core/report/profiles/gptq_numerics.h"

#include "core/base/format.h"
#include "core/model/input_feed.h"
#include "core/record/token_array.h"
#include "core/report/words/verdict_text.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace qs::core {

namespace {

constexpr int kRateDigits = 4;
constexpr std::int64_t kBytesOfShape = 16;  // two int64, the weight_shape of a packed layer
constexpr const char* kOneWay = "the run quantized in one way only";
constexpr const char* kImproved =
    "compiled is the improved inner loop: the run has none that was compiled and answers";
constexpr const char* kNotOfBoth = "the run keeps no outputs of both";
constexpr const char* kNoTokens = "the cells generate no tokens";
constexpr const char* kFilledUp =
    "of prompts that are filled up with tokens which the model reads: ";
constexpr const char* kOfLogits =
    "of the logits from which the cells choose, over all samples; both ways give the same codes, "
    "so that anything but 0 is a fault";

Json tensorJson(const LargeTensor& tensor)
{
    const auto ratio = static_cast<double>(tensor.storageBytes) /
                       static_cast<double>(std::max<std::int64_t>(1, tensor.logicalBytes));
    return {{"name", tensor.name},
            {"logical_mb", static_cast<double>(tensor.logicalBytes) / kMebibyte},
            {"storage_mb", static_cast<double>(tensor.storageBytes) / kMebibyte},
            {"is_view", tensor.storageBytes > tensor.logicalBytes},
            {"inflated", ratio > 1.1}};
}

// Null for a cell that is not there or was not measured.
Json storageJson(const GptqCell* cell)
{
    if (cell == nullptr || cell->summary->storage.empty())
        return {};
    const StorageReport& storage = cell->summary->storage;
    const bool views =
        std::any_of(storage.offenders.begin(), storage.offenders.end(),
                    [](const StorageOffender& each) { return each.fault == StorageFault::View; });
    Json tensors = Json::array();
    for (const LargeTensor& each : storage.tensors)
        tensors.push_back(tensorJson(each));
    const std::int64_t shapes = cell->solvedLayers * kBytesOfShape;
    return {{"total_logical_mb", static_cast<double>(storage.logicalBytes + shapes) / kMebibyte},
            {"total_storage_mb", static_cast<double>(storage.storageBytes + shapes) / kMebibyte},
            {"has_views", views},
            {"has_inflated_storage", storage.storageBytes * 10 > storage.logicalBytes * 11},
            {"tensors", std::move(tensors)}};
}

// What two cells said of the same samples.
struct Answers {
    int samples = 0;
    double largest = 0.0;  // difference of two logits
    double mean = 0.0;     // of the means of the samples
    bool identical = true;
    // Of the places of a text that hold the same token, the mean over samples: with the prompt,
    // which is equal by construction, and without it.
    std::optional<double> withPrompt = 0.0;
    std::optional<double> generated = 0.0;
};

using Tokens = std::vector<float>;

// What fills it up is no part of a prompt.
double promptLength(const Tokens& prompt, const std::optional<std::int64_t>& pad)
{
    const auto first = std::find_if(prompt.begin(), prompt.end(), [&](float token) {
        return !pad || static_cast<std::int64_t>(token) != *pad;
    });
    return static_cast<double>(prompt.end() - first);
}

// Empty where the run keeps none.
Tokens tokensOf(const RunData& data, const Analysis& analysis, const CellSummary& cell,
                TokenFile file, int sample)
{
    auto read = readNpy(tokenArray(data.folder, storedPlace(analysis, cell), file, sample));
    return read.ok() ? std::move(read.value().values) : Tokens{};
}

// Adds a sample whose tokens are known of both cells.
void addTokens(const Tokens& own, const Tokens& other, double prompt, Answers& answers)
{
    if (own.empty() || other.empty()) {
        answers.withPrompt = answers.generated = std::nullopt;
        return;
    }
    const std::size_t count = std::min(own.size(), other.size());
    double same = 0.0;
    for (std::size_t i = 0; i < count; ++i)
        same += own[i] == other[i] ? 1.0 : 0.0;
    answers.identical = answers.identical && own == other;
    if (!answers.generated)
        return;
    *answers.generated += same / static_cast<double>(count);
    *answers.withPrompt += (same + prompt) / (static_cast<double>(count) + prompt);
}

Status addLogits(const FloatArray& own, const FloatArray& other, Answers& answers)
{
    if (own.shape != other.shape || own.values.empty())
        return Error{ErrorCode::Format, "the outputs of both have different shapes"};
    double sum = 0.0;
    for (std::size_t i = 0; i < own.values.size(); ++i) {
        const double difference = std::abs(double{own.values[i]} - double{other.values[i]});
        answers.largest = std::max(answers.largest, difference);
        sum += difference;
    }
    answers.mean += sum / static_cast<double>(own.values.size());
    return {};
}

Result<Answers> compared(const CellSummary& own, const CellSummary& other, const RunData& data,
                         const Analysis& analysis)
{
    Answers answers;
    answers.samples = std::min(storedOutputs(analysis, own), storedOutputs(analysis, other));
    for (int i = 0; i < answers.samples; ++i) {
        QS_TRY(const FloatArray logits, storedOutput(data, analysis, own, i));
        QS_TRY(const FloatArray otherLogits, storedOutput(data, analysis, other, i));
        QS_RETURN_IF_ERROR(addLogits(logits, otherLogits, answers));
        const auto tokens = [&](const CellSummary& cell, TokenFile file) {
            return tokensOf(data, analysis, cell, file, i);
        };
        addTokens(tokens(own, TokenFile::Generated), tokens(other, TokenFile::Generated),
                  promptLength(tokens(other, TokenFile::Prompt), padOf(data.plan.preset.feeding)),
                  answers);
    }
    const double samples = std::max(1, answers.samples);
    answers.mean /= samples;
    for (std::optional<double>* rate : {&answers.withPrompt, &answers.generated}) {
        if (*rate)
            **rate /= samples;
    }
    return answers;
}

constexpr const char* kLogitFields[] = {"logit_max_diff", "logit_mean_diff"};
constexpr const char* kTokenFields[] = {"token_match_rate", "all_outputs_identical"};

// Equal tokens of untrained weights say nothing of texts.
void addAnswers(const Answers& answers, const std::string& label, ProfileRecord& record)
{
    record.number("logit_max_diff", answers.largest, label + kOfLogits);
    record.number("logit_mean_diff", answers.mean, label + "mean of the means of the samples");
    if (!answers.generated) {
        for (const char* field : kTokenFields)
            record.missing(field, kNoTokens);
        return;
    }
    record.number("token_match_rate", *answers.withPrompt,
                  label +
                      "legacy: with the tokens of the prompt, which are equal by construction; " +
                      formatSignificant(*answers.generated, kRateDigits) + " without them");
    record.set("all_outputs_identical", answers.identical, label + "all tokens of all samples");
}

void withoutAnswers(const std::string& reason, ProfileRecord& record)
{
    for (const char* field : kLogitFields)
        record.missing(field, reason);
    for (const char* field : kTokenFields)
        record.missing(field, reason);
}

void addComparison(const GptqScenario& scenario, const RunData& data, const Analysis& analysis,
                   ProfileRecord& record)
{
    if (scenario.baseline() == nullptr || scenario.compiled() == nullptr) {
        withoutAnswers(kOneWay, record);
        return;
    }
    for (const GptqCell* cell : {scenario.baseline(), scenario.compiled()}) {
        if (!cell->summary->measured) {
            withoutAnswers(whyNoFigures(*cell->summary), record);
            return;
        }
    }
    const auto answers =
        compared(*scenario.compiled()->summary, *scenario.baseline()->summary, data, analysis);
    if (!answers.ok())
        withoutAnswers(answers.error().message, record);
    else if (answers.value().samples == 0)
        withoutAnswers(kNotOfBoth, record);
    else
        addAnswers(answers.value(),
                   (scenario.compiled()->summary->cell->trained
                        ? std::string()
                        : kNumericDeviation + std::string(": ")) +
                       (padOf(data.plan.preset.feeding) ? kFilledUp : ""),
                   record);
}

}  // namespace

void addLogitDifferences(std::vector<GptqScenario>& scenarios, const RunData& data,
                         const Analysis& analysis)
{
    for (GptqScenario& scenario : scenarios) {
        const GptqCell* baseline = scenario.baseline();
        for (GptqCell& cell : scenario.cells) {
            if (baseline == nullptr || &cell == baseline)
                continue;
            const auto answers = compared(*cell.summary, *baseline->summary, data, analysis);
            if (answers.ok() && answers.value().samples > 0)
                cell.logitDifference = answers.value().largest;
        }
    }
}

ProfileRecord numericRecord(const GptqScenario& scenario, const RunData& data,
                            const Analysis& analysis)
{
    ProfileRecord record(scenario.name);
    const GptqCell* compiled = scenario.compiled();
    const bool improved = compiled != nullptr && compiled->way == GptqWay::Improved;
    record.set("scenario", scenario.name, improved ? kImproved : "");
    addComparison(scenario, data, analysis, record);
    Json baseline = storageJson(scenario.baseline());
    Json other = storageJson(compiled);
    if (baseline.is_null() && other.is_null())
        record.missing("storage_size_proof", whyNoFigures(scenario.witness()));
    else
        record.set("storage_size_proof",
                   {{"baseline", std::move(baseline)}, {"compiled", std::move(other)}},
                   "MiB, of the weights in memory; the totals with 16 bytes for the shape of each "
                   "layer, which compressed-tensors keeps as a tensor and this program does not");
    return record;
}

}  // namespace qs::core
