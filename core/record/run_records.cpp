#include "core/record/run_records.h"

#include "core/base/clean_text.h"
#include "core/base/json_enum.h"
#include "core/base/stop.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <variant>

namespace qs::core {

namespace {

Json withType(const char* type, Json members)
{
    members["type"] = type;
    return members;
}

Result<RunEvent> eventFromJson(const JsonView& json)
{
    std::vector<JsonIssue> issues;
    JsonFields fields(json, "$event", issues);
    static_cast<void>(fields.has("type"));
    RunEvent event;
    event.at = fields.text("at");
    event.kind = requireEnum(fields, "kind", kEventKinds, EventKind::Note);
    event.notes = notesFromJson(fields, "notes");
    fields.finish();
    if (!issues.empty())
        return Error{ErrorCode::Format, formatIssues(issues)};
    return event;
}

// Parts of a key in one text; none but the last can hold a NUL.
std::string keyOf(std::initializer_list<std::string_view> parts)
{
    std::string key;
    for (const std::string_view part : parts)
        key.append(part).append(1, '\0');
    return key;
}

Error unsafeId(const std::string& id)
{
    return {ErrorCode::Format, "\"" + id + "\" is not a valid cell id"};
}

Result<std::vector<OutputQuality>> qualitiesFromJson(const JsonView& json)
{
    QS_TRY(std::vector<OutputQuality> qualities, outputQualitiesFromJson(json));
    const OutputQuality& first = qualities.front();
    if (!isSafeCellId(first.cellId) || !isSafeCellId(first.referenceId))
        return unsafeId(first.cellId);
    return qualities;
}

}  // namespace

Json rowRecord(const Measurement& row)
{
    return withType("row", toJson(row));
}

Json qualityRecord(std::span<const OutputQuality> qualities)
{
    return withType("quality", toJson(qualities));
}

Json eventRecord(const RunEvent& event)
{
    const RunEvent clean = cleaned(event);
    return withType(
        "event",
        {{"at", clean.at}, {"kind", kEventKinds.of(clean.kind)}, {"notes", toJson(clean.notes)}});
}

RunEvent cleaned(RunEvent event)
{
    event.at = cleanText(event.at);
    for (Note& note : event.notes) {
        for (NoteArgument& argument : note.arguments) {
            if (auto* text = std::get_if<std::string>(&argument))
                *text = cleanText(*text);
        }
    }
    return event;
}

struct RunRecordReader::Parsed {
    std::string type;
    // A record of another type is nothing.
    std::variant<std::monostate, Measurement, std::vector<OutputQuality>, RunEvent, Error> content;
    std::size_t fingerprint = 0;  // of a row
    RowTaker taker;               // of a row that is shown
};

RunRecordReader::Parsed RunRecordReader::parse(const JournalRecord& record) const
{
    Parsed parsed;
    const JsonView json = record.json.root();
    parsed.type = typeOf(record).value_or(std::string_view());
    const auto keep = [&](auto value) {
        if (value.ok())
            parsed.content = std::move(value).value();
        else
            parsed.content = value.error();
    };
    if (parsed.type == "row") {
        parsed.fingerprint = fingerprintOf(record);
        keep(rowFromRecord(record));
        auto* row = std::get_if<Measurement>(&parsed.content);
        if (row != nullptr && m_showRow)
            parsed.taker = m_showRow(*row);
        if (row != nullptr && !m_keepsRows)
            *row = outlineOf(std::move(*row));
    } else if (parsed.type == "quality")
        keep(qualitiesFromJson(json));
    else if (parsed.type == "event")
        keep(eventFromJson(json));
    return parsed;
}

RecordParser RunRecordReader::parser(std::function<void(RecordFate)> told, std::stop_token stop)
{
    return [this, told = std::move(told),
            stop = std::move(stop)](const JournalRecord& record) -> RecordTaker {
        return [this, &told, &stop, parsed = parse(record)]() mutable -> Status {
            QS_RETURN_IF_ERROR(checkNotStopped(stop));
            QS_TRY(const RecordFate fate, take(std::move(parsed)));
            if (told)
                told(fate);
            return {};
        };
    };
}

Result<RecordFate> RunRecordReader::take(Parsed parsed)
{
    ++m_records;
    if (const Error* problem = std::get_if<Error>(&parsed.content)) {
        const Error error = problem->within("record " + std::to_string(m_records));
        if (m_unreadable == Unreadable::Fail)
            return error;
        if (++m_data.leftOut.notUnderstood == 1)
            m_data.leftOut.firstNotUnderstood = error.message;
        return RecordFate::NotUnderstood;
    }
    RecordFate fate = RecordFate::UnknownType;
    if (auto* row = std::get_if<Measurement>(&parsed.content)) {
        QS_TRY(fate, takeRow(std::move(*row), parsed));
    } else if (auto* qualities = std::get_if<std::vector<OutputQuality>>(&parsed.content))
        fate = takeQualities(std::move(*qualities));
    else if (auto* event = std::get_if<RunEvent>(&parsed.content))
        fate = takeEvent(std::move(*event));
    count(fate, parsed.type);
    return fate;
}

void RunRecordReader::count(RecordFate fate, const std::string& type)
{
    switch (fate) {
    case RecordFate::Taken:
    case RecordFate::NotUnderstood:
        break;
    case RecordFate::UnknownType:
        ++m_data.leftOut.unknownTypes[type];
        break;
    case RecordFate::Repeated:
        ++m_data.leftOut.repetitions;
        break;
    case RecordFate::Contradicted:
        ++m_data.leftOut.contradictions;
        break;
    }
}

Result<RecordFate> RunRecordReader::takeRow(Measurement row, const Parsed& parsed)
{
    const RecordFate fate = m_rows.add(row, parsed.fingerprint);
    if (fate != RecordFate::Taken)
        return fate;
    if (parsed.taker)
        QS_RETURN_IF_ERROR(parsed.taker(row));
    if (m_keepsRows)
        m_data.measurements.push_back(std::move(row));
    else
        ++m_data.rowsInJournal;
    return fate;
}

// A record of which something is new is taken: it is kept where a journal is repaired.
RecordFate RunRecordReader::takeQualities(std::vector<OutputQuality> qualities)
{
    bool isNew = false;
    RecordFate known = RecordFate::Taken;
    for (OutputQuality& quality : qualities) {
        const RecordFate fate = takeQuality(std::move(quality));
        isNew |= fate == RecordFate::Taken;
        if (fate != RecordFate::Taken && known != RecordFate::Contradicted)
            known = fate;
    }
    if (!isNew)
        return known;
    count(known, "quality");
    return RecordFate::Taken;
}

RecordFate RunRecordReader::takeQuality(OutputQuality quality)
{
    const auto [place, isNew] =
        m_qualities.try_emplace(keyOf({quality.cellId, quality.referenceId,
                                       std::to_string(quality.sample), quality.environmentId}),
                                m_data.qualities.size());
    if (!isNew)
        return m_data.qualities[place->second] == quality ? RecordFate::Repeated
                                                          : RecordFate::Contradicted;
    m_data.qualities.push_back(std::move(quality));
    return RecordFate::Taken;
}

RecordFate RunRecordReader::takeEvent(RunEvent event)
{
    m_data.events.push_back(std::move(event));
    return RecordFate::Taken;
}

void RunRecordReader::finish(const JournalDamage& damage, std::uint64_t tornBytes)
{
    m_data.leftOut.journal = damage;
    m_data.leftOut.tornBytes = tornBytes;
}

void RunRecordReader::note(Note note)
{
    m_data.events.push_back({.at = "", .kind = EventKind::Note, .notes = {std::move(note)}});
}

}  // namespace qs::core
