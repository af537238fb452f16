#include "core/record/run_records.h"

#include "core/base/clean_text.h"
#include "core/record/output_places.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace qs::core {

namespace {

constexpr std::size_t kLongestCellId = 200;

Json withType(const char* type, Json members)
{
    members["type"] = type;
    return members;
}

Result<RunEvent> eventFromJson(const Json& json)
{
    std::vector<JsonIssue> issues;
    JsonFields fields(json, "$event", issues);
    RunEvent event;
    event.at = fields.text("at");
    event.kind = fields.text("kind");
    event.text = fields.text("text");
    fields.finish();
    if (!issues.empty())
        return Error{ErrorCode::Format, formatIssues(issues)};
    return event;
}

Error unsafeId(const std::string& id)
{
    return {ErrorCode::Format, "\"" + id + "\" cannot be the id of a cell"};
}

}  // namespace

Json rowRecord(const Measurement& row)
{
    return withType("row", toJson(row));
}

Json qualityRecord(const PictureQuality& quality)
{
    return withType("quality", toJson(quality));
}

Json eventRecord(const RunEvent& event)
{
    return withType("event", {{"at", cleanText(event.at)},
                              {"kind", cleanText(event.kind)},
                              {"text", cleanText(event.text)}});
}

Status RunRecordReader::add(const Json& record)
{
    ++m_records;
    const auto type = record.is_object() ? record.find("type") : record.end();
    if (type == record.end() || !type->is_string()) {
        ++m_unknownTypes[""];
        return {};
    }
    Json members = record;
    members.erase("type");
    const Status status = addKnown(type->get<std::string>(), members);
    if (status.ok())
        return {};
    const Error error = status.error().within("record " + std::to_string(m_records));
    if (m_unreadable == Unreadable::Fail)
        return error;
    note(error.message + "; it is left out");
    return {};
}

Status RunRecordReader::addKnown(const std::string& type, const Json& members)
{
    if (type == "row")
        return addRow(members);
    if (type == "quality") {
        QS_TRY(PictureQuality quality, pictureQualityFromJson(members));
        if (!isSafeCellId(quality.cellId) || !isSafeCellId(quality.referenceId))
            return unsafeId(quality.cellId);
        m_data.qualities.push_back(std::move(quality));
        return {};
    }
    if (type == "event") {
        QS_TRY(RunEvent event, eventFromJson(members));
        m_data.events.push_back(std::move(event));
        return {};
    }
    ++m_unknownTypes[type];
    return {};
}

Status RunRecordReader::addRow(const Json& members)
{
    QS_TRY(Measurement row, measurementFromJson(members));
    if (!isSafeCellId(row.cellId))
        return unsafeId(row.cellId);
    const bool isNew =
        m_rowKeys.emplace(row.cellId, row.environmentId, row.round, row.attempt).second;
    if (isNew)
        m_data.measurements.push_back(std::move(row));
    else
        ++m_repetitions;
    return {};
}

// Before qualities had an environment, only the first one to be ok stored outputs of a cell, and
// whatever was stored was compared: also across environments, which says nothing.
void RunRecordReader::settleEnvironments()
{
    const OutputPlaces places(m_data.measurements);
    const auto storedBy = [&](const std::string& cellId) {
        const std::vector<std::string> all = places.environments(cellId);
        return all.empty() ? std::string() : all.front();
    };
    std::set<std::string> measuredIn;
    for (const Measurement& row : m_data.measurements)
        measuredIn.insert(row.environmentId);
    std::vector<PictureQuality> kept;
    kept.reserve(m_data.qualities.size());
    for (PictureQuality& quality : m_data.qualities) {
        if (quality.environmentId.empty() && measuredIn.size() == 1)
            quality.environmentId = *measuredIn.begin();
        if (quality.environmentId.empty() && measuredIn.size() > 1) {
            quality.environmentId = storedBy(quality.cellId);
            if (quality.environmentId.empty() ||
                (quality.referenceId != kInputId &&
                 storedBy(quality.referenceId) != quality.environmentId))
                continue;
        }
        kept.push_back(std::move(quality));
    }
    if (const std::size_t across = m_data.qualities.size() - kept.size(); across > 0)
        note(std::to_string(across) +
             " comparisons of pictures are not of one environment and are left out");
    m_data.qualities = std::move(kept);
}

void RunRecordReader::finish()
{
    settleEnvironments();
    for (const auto& [type, count] : m_unknownTypes)
        note(std::to_string(count) + " journal records of the unknown type \"" + type +
             "\" are left out");
    if (m_repetitions > 0)
        note(std::to_string(m_repetitions) +
             " rows are in the journal a second time and count once");
}

void RunRecordReader::note(const std::string& text)
{
    m_data.events.push_back({.at = "", .kind = "note", .text = text});
}

bool isSafeCellId(const std::string& id)
{
    const auto allowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '-' || c == '_' || c == '.';
    };
    return !id.empty() && id.front() != '.' && id.size() <= kLongestCellId &&
           std::all_of(id.begin(), id.end(), allowed);
}

}  // namespace qs::core
