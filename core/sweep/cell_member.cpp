#include "core/sweep/cell_member.h"

#include "core/base/text_parts.h"
#include "core/lower/compile_mode.h"
#include "core/model/family_registry.h"
#include "core/quant/scheme.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace qs::core {

namespace {

constexpr std::size_t kLongestText = 1000;  // bytes
constexpr std::size_t kMostStages = 8;

Error invalid(std::string message)
{
    return {ErrorCode::InvalidArgument, std::move(message)};
}

Result<std::int64_t> wholeNumber(std::string_view name, std::string_view text)
{
    const std::int64_t lowest = name == "seed" ? 0 : 1;
    const std::int64_t highest = name == "seed" ? INT64_MAX : INT32_MAX;
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < lowest ||
        value > highest)
        return invalid("expected an integer from " + std::to_string(lowest) + " to " +
                       std::to_string(highest) + ", found \"" + std::string(text.substr(0, 60)) +
                       "\"");
    return value;
}

// Schemes separated by slashes; one if all are equal.
Result<std::vector<std::string>> splitPrecision(std::string_view text)
{
    std::vector<std::string> stages = splitAt(text, '/');
    for (std::string& stage : stages) {
        if (stage.empty())
            return invalid("\"" + std::string(text) + "\" lacks the precision of a stage");
        // What is no scheme stays as it is: the cell is impossible, with the reason.
        if (const auto scheme = parseScheme(stage); scheme.ok())
            stage = scheme.value().text();
    }
    if (stages.size() > kMostStages)
        return invalid("more than " + std::to_string(kMostStages) + " stages");
    if (std::all_of(stages.begin(), stages.end(),
                    [&](const std::string& stage) { return stage == stages.front(); }))
        stages.resize(1);
    return stages;
}

// The text member of that name; null for precision and whole numbers.
template <typename Cell>
auto* textMember(Cell& cell, std::string_view name)
{
    if (name == "model")
        return &cell.model;
    if (name == "device")
        return &cell.device;
    if (name == "layers")
        return &cell.layers;
    if (name == "compile")
        return &cell.compile;
    if (name == "inputs")
        return &cell.inputs;
    return name == "attention" ? &cell.attention : nullptr;
}

std::vector<std::string> makeAxisNames()
{
    std::vector<std::string> names{"model", "device", "seed"};
    for (const SizeSpec& size : knownSizes())
        names.push_back(size.name);
    for (const char* name : {"inputs", "attention", "layers", "precision", "compile", "batch"})
        names.emplace_back(name);
    return names;
}

// Of a whole number; nothing for a size that the cell does not have.
std::optional<std::int64_t> numberMember(const CellConfig& cell, std::string_view name)
{
    QS_ASSERT(isWholeNumberAxis(name));
    if (name == "batch")
        return cell.batch;
    return name == "seed" ? cell.seed : cell.sizes.find(name);
}

void setNumberMember(CellConfig& cell, std::string_view name, std::int64_t value)
{
    QS_ASSERT(isWholeNumberAxis(name));
    if (name == "batch")
        cell.batch = value;
    else if (name == "seed")
        cell.seed = value;
    else
        cell.sizes.set(name, value);
}

// The stages of the family that an object with one scheme for each stage speaks of: the first one
// with a stage of one of these names, else the first with several stages.
std::vector<std::string> stagesNamedBy(JsonFields& fields)
{
    const std::vector<std::string>* fallback = nullptr;
    for (const FamilySpec& family : familyRegistry().specs()) {
        const auto& stages = family.stages;
        if (stages.size() > 1 && fallback == nullptr)
            fallback = &stages;
        if (std::any_of(stages.begin(), stages.end(),
                        [&](const std::string& stage) { return fields.has(stage); }))
            return stages;
    }
    return fallback == nullptr ? std::vector<std::string>() : *fallback;
}

// "bf16/int8dq"; texts that are equal stay, they are made one later.
std::string joined(const std::vector<std::string>& schemes)
{
    std::string text;
    for (std::size_t i = 0; i < schemes.size(); ++i)
        text += (i == 0 ? "" : "/") + schemes[i];
    return text;
}

void readText(JsonFields& fields, CellConfig& cell, const std::string& name)
{
    if (!fields.has(name))
        return;
    const std::string text = fields.text(name, memberText(cell, name));
    if (const Status status = setMember(cell, name, text); !status.ok())
        fields.complain(name, status.error().message);
}

// Those that are named; the usual ones if none is.
void readSizes(JsonFields& fields, CellConfig& cell)
{
    Sizes named;
    for (const SizeSpec& size : knownSizes()) {
        if (fields.has(size.name))
            named.set(size.name, fields.integer(size.name, size.fallback, 1, INT32_MAX));
    }
    if (!named.empty() || fields.text("sizes") == "none")
        cell.sizes = named;
}

}  // namespace

const std::vector<std::string>& axisNames()
{
    static const std::vector<std::string> kNames = makeAxisNames();
    return kNames;
}

bool isAxisName(std::string_view name)
{
    const auto& names = axisNames();
    return std::find(names.begin(), names.end(), name) != names.end();
}

bool isWholeNumberAxis(std::string_view name)
{
    return name == "batch" || name == "seed" || findKnownSize(name) != nullptr;
}

Result<std::string> normalValue(std::string_view name, std::string_view text)
{
    QS_ASSERT(isAxisName(name));
    if (isWholeNumberAxis(name)) {
        QS_TRY(const std::int64_t value, wholeNumber(name, text));
        return std::to_string(value);
    }
    if (text.empty())
        return invalid("is empty");
    if (text.size() > kLongestText)
        return invalid("is longer than " + std::to_string(kLongestText) + " bytes");
    const auto isControl = [](char letter) {
        const auto code = static_cast<unsigned char>(letter);
        return code < 0x20 || code == 0x7f;
    };
    if (std::any_of(text.begin(), text.end(), isControl))
        return invalid("contains a control character");
    if (name == "compile")
        return normalCompileText(text);
    if (name != "precision")
        return std::string(text);
    QS_TRY(const std::vector<std::string> stages, splitPrecision(text));
    return joinedWithoutRepeats(stages, '/');
}

std::string memberText(const CellConfig& cell, std::string_view name)
{
    if (name == "precision")
        return precisionText(cell);
    if (const std::string* text = textMember(cell, name))
        return *text;
    const auto number = numberMember(cell, name);
    return number ? std::to_string(*number) : std::string();
}

Status setMember(CellConfig& cell, std::string_view name, std::string_view text)
{
    QS_TRY(const std::string value, normalValue(name, text));
    if (name == "precision") {
        QS_TRY(cell.precision, splitPrecision(value));
    } else if (std::string* member = textMember(cell, name)) {
        *member = value;
    } else {
        QS_TRY(const std::int64_t number, wholeNumber(name, value));
        setNumberMember(cell, name, number);
    }
    return {};
}

std::string cellKey(const CellConfig& cell)
{
    std::string key;
    for (const std::string& name : axisNames())
        key += memberText(cell, name) + '\n';
    return key;
}

std::optional<std::string> precisionFromJson(const JsonView& json, const std::string& path,
                                             std::vector<JsonIssue>& issues)
{
    const std::size_t issuesBefore = issues.size();
    std::string text;
    if (const auto written = json.text()) {
        text = *written;
    } else if (json.isObject()) {
        JsonFields fields(json, path, issues);
        std::vector<std::string> schemes;
        for (const std::string& stage : stagesNamedBy(fields)) {
            static_cast<void>(fields.requiredMember(stage));
            schemes.push_back(fields.text(stage));
        }
        text = joined(schemes);
        fields.finish();
    } else {
        issues.push_back(
            {path, std::string("expected a string or an object with one scheme per stage, found ") +
                       json.typeName()});
    }
    if (issues.size() != issuesBefore)
        return std::nullopt;
    const Result<std::string> value = normalValue("precision", text);
    if (!value.ok()) {
        issues.push_back({path, value.error().message});
        return std::nullopt;
    }
    return value.value();
}

CellConfig cellFromJson(const JsonView& json, const std::string& path,
                        std::vector<JsonIssue>& issues)
{
    CellConfig cell{.model = "?", .precision = {"bf16"}};
    JsonFields fields(json, path, issues);
    static_cast<void>(fields.requiredMember("model"));
    for (const char* name : {"model", "device", "layers", "compile", "attention", "inputs"})
        readText(fields, cell, name);
    if (const JsonView* precision = fields.member("precision")) {
        if (const auto text = precisionFromJson(*precision, fields.pathOf("precision"), issues))
            QS_ASSERT(setMember(cell, "precision", *text).ok());
    }
    cell.batch = fields.integer("batch", cell.batch, 1, INT32_MAX);
    readSizes(fields, cell);
    cell.seed = fields.integer("seed", cell.seed, 0, INT64_MAX);
    fields.finish();
    return cell;
}

}  // namespace qs::core
