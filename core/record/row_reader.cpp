#include "core/record/row_reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace qs::core {

namespace {

constexpr std::size_t kLongestCellId = 200;

}  // namespace

Result<Measurement> rowFromRecord(const Json& record)
{
    QS_TRY(Measurement row, measurementFromJson(record));
    if (!isSafeCellId(row.cellId))
        return Error{ErrorCode::Format, "\"" + row.cellId + "\" is not a valid cell id"};
    return row;
}

std::size_t fingerprintOf(const Json& record)
{
    return std::hash<Json>()(record);
}

std::size_t KnownRows::numberOf(const std::string& id)
{
    return m_numbers.try_emplace(id, m_numbers.size()).first->second;
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
