#include "core/record/row_reader.h"

#include <algorithm>

namespace qs::core {

namespace {

constexpr std::size_t kLongestCellId = 200;

}  // namespace

std::optional<std::string_view> typeOf(const JournalRecord& record)
{
    const auto type = record.json.root().member("type");
    return type ? type->text() : std::nullopt;
}

Result<Measurement> rowFromRecord(const JournalRecord& record)
{
    QS_TRY(Measurement row, measurementFromJson(record.json.root()));
    if (!isSafeCellId(row.cellId))
        return Error{ErrorCode::Format, "\"" + row.cellId + "\" is not a valid cell id"};
    return row;
}

Measurement outlineOf(Measurement row)
{
    Measurement outline;
    outline.cellId = std::move(row.cellId);
    outline.environmentId = std::move(row.environmentId);
    outline.round = row.round;
    outline.attempt = row.attempt;
    outline.failure = std::move(row.failure);
    outline.startedAt = std::move(row.startedAt);
    outline.durationSeconds = row.durationSeconds;
    outline.result.stages.reserve(row.result.stages.size());
    for (StageSamples& stage : row.result.stages)
        outline.result.stages.push_back({std::move(stage.stage), {}, std::nullopt});
    outline.result.outputs = std::move(row.result.outputs);
    return outline;
}

std::size_t fingerprintOf(const JournalRecord& record)
{
    return std::hash<std::string_view>()(record.text);
}

std::size_t KnownRows::numberOf(const std::string& id)
{
    return m_numbers.try_emplace(id, m_numbers.size()).first->second;
}

std::size_t KnownRows::HashOfKey::operator()(const Key& key) const
{
    std::size_t hash = key.cell;
    for (const auto part : {key.environment, static_cast<std::size_t>(key.round),
                            static_cast<std::size_t>(key.attempt)})
        hash = hash * 0x9E37'79B9'7F4A'7C15 + part;
    return hash;
}

RecordFate KnownRows::add(const Measurement& row, std::size_t fingerprint)
{
    const auto [place, isNew] = m_fingerprints.try_emplace(
        {numberOf(row.cellId), numberOf(row.environmentId), row.round, row.attempt}, fingerprint);
    if (isNew)
        return RecordFate::Taken;
    return place->second == fingerprint ? RecordFate::Repeated : RecordFate::Contradicted;
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
