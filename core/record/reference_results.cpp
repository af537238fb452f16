#include "core/record/reference_results.h"

#include "core/base/clean_text.h"
#include "core/base/files.h"
#include "core/base/json_list.h"
#include "core/base/json_text_map.h"
#include "core/base/schema_version.h"
#include "core/model/family_registry.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <system_error>

namespace qs::core {

namespace fs = std::filesystem;

namespace {

constexpr const char* kReferenceFolder = "peers";
constexpr JsonLimits kReferenceLimits{.bytes = std::size_t{8} << 20U,
                                      .depth = 12,
                                      .nodes = 500'000,
                                      .stringBytes = std::size_t{16} << 10U};
constexpr std::size_t kMostReferences = 32;  // of one run
constexpr std::size_t kMostReferenceRows = 1000;
constexpr std::int64_t kMostCounted = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMostReferenceBatch = 1 << 24;
constexpr double kLongestReference = 1e9;  // seconds
constexpr double kShortestPass = 1e-9;
constexpr std::size_t kLongestStem = 80;

std::int64_t counted(JsonFields& fields, std::string_view name)
{
    return fields.integer(name, 0, 0, kMostCounted);
}

std::optional<double> numberOrNull(JsonFields& fields, std::string_view name, double highest)
{
    const JsonView* value = fields.member(name);
    if (value == nullptr || value->isNull())
        return std::nullopt;
    return fields.number(name, 0.0, 0.0, highest);
}

template <typename Enum, typename Names>
Enum oneOf(JsonFields& fields, const Names& names, std::string_view name, Enum fallback)
{
    const auto parsed = names.parse(fields.text(name), std::string(name));
    if (parsed.ok())
        return parsed.value();
    fields.complain(name, parsed.error().message);
    return fallback;
}

std::vector<double> samplesFrom(const JsonView& list, JsonFields& fields, const std::string& where)
{
    std::vector<double> samples;
    if (!list.isList() || list.size() == 0)
        fields.complain(where, "expected a list of seconds per pass, not an empty one");
    list.forEachItem([&](const JsonView& each) {
        const auto seconds = each.number();
        if (seconds && *seconds >= kShortestPass && *seconds <= kLongestReference)
            samples.push_back(*seconds);
        else
            fields.complain(where, "expected seconds per pass, more than 0");
    });
    return samples;
}

std::vector<std::vector<double>> roundsFrom(JsonFields& fields)
{
    std::vector<std::vector<double>> rounds;
    const JsonView* list = fields.requiredMember("rounds");
    if (list == nullptr)
        return rounds;
    if (!list->isList())
        fields.complain("rounds", "expected a list of rounds");
    list->forEachItem([&](const JsonView& each) {
        rounds.push_back(
            samplesFrom(each, fields, "rounds[" + std::to_string(rounds.size()) + "]"));
    });
    return rounds;
}

std::optional<DynamoCounters> countersFrom(JsonFields& row, std::vector<JsonIssue>& issues)
{
    const JsonView* json = row.member("counters");
    if (json == nullptr || json->isNull())
        return std::nullopt;
    JsonFields fields(*json, row.pathOf("counters"), issues);
    DynamoCounters counters{.frames = counted(fields, "frames"),
                            .framesCompiled = counted(fields, "frames_compiled"),
                            .uniqueGraphs = counted(fields, "unique_graphs"),
                            .callsCaptured = counted(fields, "calls_captured")};
    forEachObject(fields, "graph_breaks", issues, counters.graphBreaks, [&](JsonFields& each) {
        counters.graphBreaks.push_back(
            {each.text("reason"), each.integer("count", 1, 1, kMostReferenceBatch)});
    });
    fields.finish();
    return counters;
}

ReferenceRow rowFrom(JsonFields& fields, std::vector<JsonIssue>& issues)
{
    ReferenceRow row;
    row.precision = fields.text("precision");
    row.mode = fields.text("mode");
    if (row.precision.empty() || row.mode.empty())
        fields.complain(row.precision.empty() ? "precision" : "mode", "expected a name");
    row.batch = fields.integer("batch", 1, 1, kMostReferenceBatch);
    row.unitsPerPass = fields.integer("units_per_pass", row.batch, 1, kMostCounted);
    row.status = oneOf(fields, kReferenceStatuses, "status", ReferenceStatus::Ok);
    row.reason = fields.text("reason");
    row.passesPerSample = fields.integer("passes_per_sample", 1, 1, kMostReferenceBatch);
    row.rounds = roundsFrom(fields);
    row.firstCallSeconds = numberOrNull(fields, "first_call_seconds", kLongestReference);
    row.quantizedLayers = counted(fields, "quantized_layers");
    row.outputDistance = numberOrNull(fields, "output_distance", 1e300);
    row.counters = countersFrom(fields, issues);
    row.countersMissing = fields.text("counters_missing");
    if (row.status == ReferenceStatus::Ok && row.rounds.empty())
        fields.complain("rounds", "a row that is ok needs a round");
    if (row.status != ReferenceStatus::Ok && row.reason.empty())
        fields.complain("reason", "a row that is not ok needs one");
    return row;
}

// Some sizes can be 0, such as that of new tokens.
std::int64_t lowestOf(std::string_view size)
{
    const SizeSpec* known = findKnownSize(size);
    return known == nullptr ? 1 : std::min(known->lowest(), known->fallback);
}

Sizes sizesFrom(JsonFields& fields)
{
    Sizes sizes;
    const JsonView* json = fields.member("sizes");
    if (json == nullptr)
        return sizes;
    if (!json->isObject())
        fields.complain("sizes", "expected an object of whole numbers");
    json->forEachMember([&](std::string_view name, const JsonView& value) {
        const auto size = value.wholeNumber();
        const std::int64_t lowest = lowestOf(name);
        if (size && *size >= lowest)
            sizes.set(name, *size);
        else
            fields.complain("sizes." + std::string(name),
                            "expected a whole number from " + std::to_string(lowest) + " on");
    });
    return sizes;
}

ReferenceResults resultsFrom(JsonFields& fields, std::vector<JsonIssue>& issues)
{
    ReferenceResults results;
    static_cast<void>(fields.find("schema_version"));
    results.program = fields.text("program");
    if (results.program.empty())
        fields.complain("program", "expected the name of the program that measured");
    results.version = fields.text("version");
    results.madeAt = fields.text("made_at");
    results.madeBy = fields.text("made_by");
    results.environment = textMap(fields, "environment");
    results.model = fields.text("model");
    results.modelContent = fields.text("model_content");
    results.layers = fields.text("layers", "all");
    results.sizes = sizesFrom(fields);
    results.unit = oneOf(fields, kWorkUnits, "unit", WorkUnit::Sample);
    const JsonView* rows = fields.requiredMember("rows");
    if (rows != nullptr && rows->size() > kMostReferenceRows)
        fields.complain("rows", "more than " + std::to_string(kMostReferenceRows));
    else
        forEachObject(fields, "rows", issues, results.rows,
                      [&](JsonFields& each) { results.rows.push_back(rowFrom(each, issues)); });
    fields.finish();
    return results;
}

// A name that is a name everywhere.
std::string tidyStem(const fs::path& file)
{
    std::string stem = file.stem().string().substr(0, kLongestStem);
    std::replace_if(
        stem.begin(), stem.end(),
        [](char c) {
            const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            return !(letter || (c >= '0' && c <= '9') || c == '-' || c == '_');
        },
        '_');
    return stem.empty() ? "results" : stem;
}

// Only what lies in the folder itself: a stranger's run may have a link in its place.
std::vector<std::string> referenceNames(const fs::path& runFolder)
{
    std::vector<std::string> names;
    std::error_code error;
    const fs::path folder = runFolder / kReferenceFolder;
    const fs::file_status kind = fs::symlink_status(folder, error);
    if (runFolder.empty() || !fs::is_directory(kind))
        return names;
    for (fs::directory_iterator each(folder, error), end;
         !error && each != end && names.size() < kMostReferences; each.increment(error)) {
        if (each->path().extension() == ".json")
            names.push_back(each->path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace

std::int64_t DynamoCounters::breaks() const
{
    std::int64_t sum = 0;
    for (const GraphBreak& each : graphBreaks)
        sum += each.count;
    return sum;
}

Result<ReferenceResults> readReferenceResults(const FilePlace& file)
{
    QS_TRY(const Json json, readJsonFile(file, kReferenceLimits));
    if (const Status fits = checkSchemaVersion(json, kReferenceSchemaVersion); !fits.ok())
        return fits.error().within(file.string());
    std::vector<JsonIssue> issues;
    JsonFields fields(json, "$", issues);
    ReferenceResults results = resultsFrom(fields, issues);
    if (!issues.empty())
        return Error{ErrorCode::Format, file.string() + ": " + formatIssues(issues)};
    return results;
}

std::vector<RunReference> referencesOf(const fs::path& runFolder)
{
    std::vector<RunReference> references;
    for (const std::string& name : referenceNames(runFolder)) {
        const fs::path place = fs::path(kReferenceFolder) / name;
        RunReference reference{cleanLine(place.string()), {}};
        auto results = readReferenceResults(FilePlace::inside(runFolder, place));
        if (results.ok())
            reference.results = std::move(results).value();
        else
            reference.error = cleanLine(results.error().message);
        references.push_back(std::move(reference));
    }
    return references;
}

Result<std::string> attachReference(const fs::path& runFolder, const fs::path& file)
{
    if (!isThere(FilePlace::inside(runFolder, "plan.json")))
        return Error{ErrorCode::NotFound,
                     runFolder.string() + " is not a run folder: no plan.json"};
    QS_TRY(const ReferenceResults results, readReferenceResults(file));
    static_cast<void>(results);
    if (referenceNames(runFolder).size() >= kMostReferences)
        return Error{ErrorCode::InvalidArgument,
                     runFolder.string() + " has " + std::to_string(kMostReferences) +
                         " files of reference results already; remove one from its folder " +
                         kReferenceFolder};
    QS_TRY(const std::string text, readTextFile(file, kReferenceLimits.bytes));
    QS_RETURN_IF_ERROR(createFolders(FilePlace::inside(runFolder, kReferenceFolder)));
    const std::string stem = tidyStem(file);
    fs::path place = fs::path(kReferenceFolder) / (stem + ".json");
    for (int number = 2; isThere(FilePlace::inside(runFolder, place)); ++number)
        place = fs::path(kReferenceFolder) / (stem + "_" + std::to_string(number) + ".json");
    QS_RETURN_IF_ERROR(writeFileAtomically(FilePlace::inside(runFolder, place), text));
    return place.string();
}

}  // namespace qs::core
