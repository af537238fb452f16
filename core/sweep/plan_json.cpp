#include "core/sweep/plan.h"

#include "core/base/schema_version.h"
#include "core/model/family_registry.h"
#include "core/model/packaged/package_facts.h"
#include "core/sweep/cell_member.h"

#include "core/base/json_enum.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace qs::core {

namespace {

constexpr int kPlanSchemaVersion = 1;
constexpr int kMostReruns = 1000;
constexpr int kMostRounds = 1'000'000;
constexpr double kMostSeconds = 1e18;  // the largest shapes of 1 million cells stay below
constexpr double kMostFlops = 1e30;

constexpr auto kRoles = enumNames<CellRole>({{CellRole::Swept, "swept"},
                                             {CellRole::QualityReference, "quality-reference"},
                                             {CellRole::NoiseFloor, "noise-floor"}});

Json toJson(const PlannedCell& cell)
{
    const std::vector<Note> reasons(cell.impossible ? 1 : 0, cell.impossible.value_or(Note()));
    Json json{{"id", cell.id},
              {"configuration", toJson(cell.config)},
              {"role", kRoles.of(cell.role)},
              {"rerun", cell.rerun},
              {"reference_id", cell.referenceId},
              {"impossible", toJson(reasons)},
              {"notes", toJson(cell.notes)},
              {"estimated_seconds", cell.estimatedSeconds},
              {"flops", cell.flops},
              {"weight_bytes", cell.weightBytes},
              {"trained", cell.trained},
              {"output", name(cell.output)},
              {"unit", name(cell.unit)},
              {"units_per_pass", cell.unitsPerPass},
              {"output_values", cell.outputValues}};
    // Where nothing is quantized, and of most models, there is none of either.
    if (!cell.stageFlops.empty())
        json["stage_flops"] = cell.stageFlops;
    if (cell.weightBytesRead)
        json["weight_bytes_read"] = *cell.weightBytesRead;
    if (cell.quantizedFlops > 0.0)
        json["quantized_flops"] = cell.quantizedFlops;
    if (cell.attentionShare > 0.0)
        json["attention_flops_share"] = cell.attentionShare;
    if (cell.compiled)
        json["compiled_share"] = {{"flops", cell.compiled->flops}, {"bytes", cell.compiled->bytes}};
    for (const SampleAmount& amount : cell.amounts)
        json["amounts"][std::string(kAmountKinds.of(amount.kind))] = amount.ofSample;
    if (!cell.calibration.empty())
        json["calibration_sha256"] = cell.calibration;
    if (!cell.program.empty())
        json["program_sha256"] = cell.program;
    if (!cell.architecture.empty())
        json["architecture"] = cell.architecture;
    // Only cells of a plan that has grown have them.
    for (const RoundSpan& span : cell.rounds)
        json["rounds"].push_back({{"first", span.first + 1}, {"count", span.count}});
    return json;
}

// A plan is written by this program, never by hand: whatever is absent was lost. The fresh value
// shows which members there are.
void requireAll(const JsonView& json, const Json& whole, const std::string& path,
                std::vector<JsonIssue>& issues)
{
    if (!json.isObject())
        return;
    for (const auto& [name, value] : whole.items()) {
        if (!json.member(name))
            issues.push_back({path + "." + name, "is missing"});
    }
}

std::vector<SampleAmount> amountsFrom(JsonFields& fields)
{
    std::vector<SampleAmount> amounts;
    const JsonView* object = fields.member("amounts");
    if (object == nullptr)
        return amounts;
    JsonFields members(*object, fields.pathOf("amounts"), fields.issues());
    for (const AmountKind kind : kAmountKinds.values()) {
        const std::string_view name = kAmountKinds.of(kind);
        if (members.has(name))
            amounts.push_back({kind, members.number(name, 0.0, 0.0, kMostFlops)});
    }
    members.finish();
    return amounts;
}

std::vector<double> stageFlopsFrom(JsonFields& fields)
{
    std::vector<double> flops;
    if (const JsonView* list = fields.member("stage_flops"))
        list->forEachItem(
            [&](const JsonView& item) { flops.push_back(item.number().value_or(-1.0)); });
    const auto holds = [](double each) { return each >= 0.0 && each <= kMostFlops; };
    if (!std::all_of(flops.begin(), flops.end(), holds))
        fields.complain("stage_flops", "expected a list of FLOPs, 0 or more each");
    return flops;
}

std::optional<CompiledShare> compiledShareFrom(JsonFields& fields)
{
    const JsonView* object = fields.member("compiled_share");
    if (object == nullptr)
        return std::nullopt;
    JsonFields members(*object, fields.pathOf("compiled_share"), fields.issues());
    const CompiledShare share{members.number("flops", 0.0, 0.0, 1.0),
                              members.number("bytes", 0.0, 0.0, 1.0)};
    members.finish();
    return share;
}

// The elements of a required list, each with its path.
template <typename Read>
void readList(JsonFields& fields, const char* name, Read read)
{
    const JsonView* list = fields.requiredMember(name);
    if (list == nullptr)
        return;
    if (!list->isList()) {
        fields.complain(name, std::string("expected a list, found ") + list->typeName());
        return;
    }
    std::size_t place = 0;
    list->forEachItem([&](const JsonView& each) {
        read(each, fields.pathOf(name) + "[" + std::to_string(place++) + "]");
    });
}

// From 1 in files, from 0 here; not before `lowest`.
int firstRound(JsonFields& fields, int lowest)
{
    return static_cast<int>(fields.integer("first", lowest + 1, lowest + 1, kMostRounds)) - 1;
}

// In ascending order and without overlap, as rounds are appended.
void readSpans(JsonFields& fields, std::vector<RoundSpan>& spans, std::vector<JsonIssue>& issues)
{
    readList(fields, "rounds", [&](const JsonView& each, const std::string& path) {
        JsonFields members(each, path, issues);
        RoundSpan span;
        const int before = spans.empty() ? 0 : spans.back().end();
        span.first = firstRound(members, before);
        span.count = static_cast<int>(members.integer("count", 1, 1, kMostRounds));
        members.finish();
        spans.push_back(span);
    });
}

// Those of its model, whichever they are, or the word that it has none.
bool hasSizes(const JsonView& config)
{
    const auto& known = knownSizes();
    return config.member("sizes") ||
           std::any_of(known.begin(), known.end(),
                       [&](const SizeSpec& size) { return config.member(size.name); });
}

// Absent: empty.
std::string hashFrom(JsonFields& fields, std::string_view name)
{
    std::string hash = fields.text(name);
    if (!hash.empty() && !packaged::isHash(hash))
        fields.complain(name, "is no SHA-256");
    return hash;
}

PlannedCell plannedCellFromJson(const JsonView& json, const std::string& path,
                                std::vector<JsonIssue>& issues)
{
    static const Json wholeCell = toJson(PlannedCell{});
    static const Json wholeConfig = [] {
        CellConfig whole;
        whole.sizes = {};
        Json json = toJson(whole);
        json.erase("sizes");
        return json;
    }();
    PlannedCell cell;
    JsonFields fields(json, path, issues);
    requireAll(json, wholeCell, path, issues);
    cell.id = fields.text("id");
    if (const JsonView* config = fields.member("configuration")) {
        const std::string configPath = fields.pathOf("configuration");
        cell.config = cellFromJson(*config, configPath, issues);
        requireAll(*config, wholeConfig, configPath, issues);
        if (!hasSizes(*config))
            issues.push_back({configPath, "has no size of its model"});
    }
    cell.role = requireEnum(fields, "role", kRoles, cell.role);
    cell.rerun = static_cast<int>(fields.integer("rerun", 0, 0, kMostReruns));
    cell.referenceId = fields.text("reference_id");
    for (Note& reason : notesFromJson(fields, "impossible"))
        cell.impossible = std::move(reason);
    cell.notes = notesFromJson(fields, "notes");
    cell.estimatedSeconds = fields.number("estimated_seconds", 0.0, 0.0, kMostSeconds);
    cell.flops = fields.number("flops", 0.0, 0.0, kMostFlops);
    cell.weightBytes = fields.integer("weight_bytes", 0, 0, INT64_MAX);
    if (fields.has("weight_bytes_read"))
        cell.weightBytesRead = fields.integer("weight_bytes_read", 0, 0, INT64_MAX);
    cell.trained = fields.flag("trained", false);
    cell.output = requireEnum(fields, "output", kOutputKinds, cell.output);
    cell.unit = requireEnum(fields, "unit", kWorkUnits, cell.unit);
    static_cast<void>(fields.requiredMember("units_per_pass"));
    cell.stageFlops = stageFlopsFrom(fields);
    cell.quantizedFlops = fields.number("quantized_flops", 0.0, 0.0, kMostFlops);
    cell.attentionShare = fields.number("attention_flops_share", 0.0, 0.0, 1.0);
    cell.compiled = compiledShareFrom(fields);
    cell.amounts = amountsFrom(fields);
    cell.unitsPerPass = fields.integer("units_per_pass", 1, 1, INT64_MAX);
    static_cast<void>(fields.requiredMember("output_values"));
    cell.outputValues = fields.integer("output_values", 0, 0, INT64_MAX);
    cell.calibration = hashFrom(fields, "calibration_sha256");
    cell.program = hashFrom(fields, "program_sha256");
    cell.architecture = fields.text("architecture");
    if (fields.has("rounds"))
        readSpans(fields, cell.rounds, issues);
    fields.finish();
    return cell;
}

Json toJson(const Look& look)
{
    return {
        {"first", look.rounds.first + 1}, {"count", look.rounds.count}, {"cells", look.cellIds}};
}

// Ascending, as they were made.
void readLooks(JsonFields& fields, Plan& plan, std::vector<JsonIssue>& issues)
{
    std::unordered_set<std::string_view> ids;
    for (const PlannedCell& cell : plan.cells)
        ids.insert(cell.id);
    readList(fields, "looks", [&](const JsonView& each, const std::string& path) {
        JsonFields members(each, path, issues);
        requireAll(each, toJson(Look{}), path, issues);
        Look look;
        const int before = plan.looks.empty() ? 0 : plan.looks.back().rounds.end();
        look.rounds.first = firstRound(members, before);
        look.rounds.count = static_cast<int>(members.integer("count", 1, 1, kMostRounds));
        look.cellIds = members.textList("cells");
        members.finish();
        for (const std::string& id : look.cellIds) {
            if (!ids.contains(id))
                issues.push_back({path + ".cells", "\"" + id + "\" is not a cell of this plan"});
        }
        plan.looks.push_back(std::move(look));
    });
}

Preset presetAt(const JsonView& json, const std::string& path, std::vector<JsonIssue>& issues)
{
    std::vector<JsonIssue> inner;
    Preset preset = presetFromJson(json.json(), inner);
    for (JsonIssue& issue : inner)  // its reader knows the document as "$" alone
        issues.push_back({path + issue.path.substr(1), std::move(issue.message)});
    return preset;
}

void readPresets(JsonFields& fields, Plan& plan, std::vector<JsonIssue>& issues)
{
    if (const JsonView* json = fields.requiredMember("preset"))
        plan.preset = presetAt(*json, fields.pathOf("preset"), issues);
    if (!fields.has("appended"))
        return;
    readList(fields, "appended", [&](const JsonView& each, const std::string& path) {
        plan.appended.push_back(presetAt(each, path, issues));
    });
}

// Rows are found by the id of their cell and compared with that of the reference.
void checkIds(const Plan& plan, std::vector<JsonIssue>& issues)
{
    std::unordered_set<std::string> ids;
    for (std::size_t i = 0; i < plan.cells.size(); ++i) {
        const std::string& id = plan.cells[i].id;
        const std::string path = "$.cells[" + std::to_string(i) + "].id";
        if (id.empty())
            issues.push_back({path, "is empty"});
        else if (!ids.insert(id).second)
            issues.push_back({path, "\"" + id + "\" is also the id of an earlier cell"});
    }
    for (std::size_t i = 0; i < plan.cells.size(); ++i) {
        const std::string& id = plan.cells[i].referenceId;
        if (!id.empty() && !ids.contains(id))
            issues.push_back({"$.cells[" + std::to_string(i) + "].reference_id",
                              "\"" + id + "\" is not a cell of this plan"});
    }
}

}  // namespace

Json toJson(const Plan& plan)
{
    Json cells = Json::array();
    for (const PlannedCell& cell : plan.cells)
        cells.push_back(toJson(cell));
    Json devices = Json::array();
    for (const DeviceDescription& device : plan.devices)
        devices.push_back(toJson(device));
    Json json{{"schema_version", kPlanSchemaVersion},
              {"preset", toJson(plan.preset)},
              {"cells", std::move(cells)},
              {"devices", std::move(devices)}};
    for (const Preset& preset : plan.appended)
        json["appended"].push_back(toJson(preset));
    for (const Look& look : plan.looks)
        json["looks"].push_back(toJson(look));
    return json;
}

Result<Plan> planFromJson(const JsonView& json)
{
    QS_RETURN_IF_ERROR(checkSchemaVersion(json, kPlanSchemaVersion));
    Plan plan;
    std::vector<JsonIssue> issues;
    JsonFields fields(json, "$", issues);
    static_cast<void>(fields.has("schema_version"));
    readPresets(fields, plan, issues);
    readList(fields, "cells", [&](const JsonView& each, const std::string& path) {
        plan.cells.push_back(plannedCellFromJson(each, path, issues));
    });
    readList(fields, "devices", [&](const JsonView& each, const std::string& path) {
        auto device = deviceFromJson(each.json());
        if (device.ok())
            plan.devices.push_back(std::move(device).value());
        else
            issues.push_back({path, device.error().message});
    });
    checkIds(plan, issues);
    if (fields.has("looks"))
        readLooks(fields, plan, issues);
    fields.finish();
    if (!issues.empty())
        return Error{ErrorCode::Format, "not a usable plan:\n" + formatIssues(issues)};
    return plan;
}

}  // namespace qs::core
