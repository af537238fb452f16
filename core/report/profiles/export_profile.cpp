#include "core/report/profiles/export_profile.h"

#include "core/base/files.h"
#include "core/record/environment_file.h"
#include "core/report/csv_table.h"
#include "core/report/report_folder.h"

#include <algorithm>
#include <cmath>

namespace qs::core {

namespace {

Json objectOf(const ProfileRecord& record)
{
    Json object = Json::object();
    for (const ProfileValue& value : record.values())
        object[value.field] = value.value;
    return object;
}

void addValue(CsvTable& table, const ProfileValue& value)
{
    if (value.value.is_null())
        table.empty(value.field);
    else if (value.value.is_string())
        table.text(value.field, value.value.get<std::string>());
    else if (value.value.is_number_integer())
        table.integer(value.field, value.value.get<std::int64_t>());
    else if (value.value.is_boolean())
        table.text(value.field, value.value.get<bool>() ? "True" : "False");  // as pandas has it
    else
        table.number(value.field, value.value.get<double>());
}

std::string csvOf(const ProfileTable& table)
{
    CsvTable csv(/*formulaSafe=*/true);
    for (const ProfileRecord& record : table.records) {
        for (const ProfileValue& value : record.values())
            addValue(csv, value);
        csv.endLine();
    }
    if (table.records.empty()) {
        for (const std::string& field : table.fields)
            csv.empty(field);
        csv.dropLine();
    }
    return csv.content();
}

std::string textOf(const ProfileTable& table)
{
    if (table.format == ProfileFormat::Csv)
        return csvOf(table);
    if (table.format == ProfileFormat::JsonObject)
        return jsonText(objectOf(table.records.front()), 2) + "\n";
    Json list = Json::array();
    for (const ProfileRecord& record : table.records)
        list.push_back(objectOf(record));
    return jsonText(list, 2) + "\n";
}

// {"file": [{"record": …, "missing": {field: why}, "remarks": {field: what}}, …]}
std::string reasonsOf(const ExportProfile& profile, const ProfileContent& content)
{
    Json files = Json::object();
    for (const ProfileTable& table : content.tables) {
        Json records = Json::array();
        for (const ProfileRecord& record : table.records) {
            Json missing = Json::object();
            Json remarks = Json::object();
            for (const ProfileValue& value : record.values()) {
                if (!value.reason.empty())
                    (value.value.is_null() ? missing : remarks)[value.field] = value.reason;
            }
            records.push_back({{"record", record.name()},
                               {"missing", std::move(missing)},
                               {"remarks", std::move(remarks)}});
        }
        files[table.file] = std::move(records);
    }
    return jsonText(Json{{"profile", profile.id}, {"about", profile.about}, {"files", files}}, 2) +
           "\n";
}

}  // namespace

void ProfileRecord::number(std::string_view field, const std::optional<double>& value,
                           std::string_view reason)
{
    set(field, value && std::isfinite(*value) ? Json(*value) : Json(), reason);
}

void ProfileRecord::set(std::string_view field, Json value, std::string_view reason)
{
    m_values.push_back({std::string(field), std::move(value), std::string(reason)});
}

void ProfileRecord::missing(std::string_view field, std::string_view reason)
{
    set(field, Json(), reason);
}

Result<std::vector<std::string>> writeProfile(const ExportProfile& profile, const RunData& data,
                                              const Analysis& analysis,
                                              const std::filesystem::path& folder)
{
    QS_TRY(const ProfileContent content, profile.content(data, analysis));
    std::vector<ProfileText> texts = content.texts;
    for (const ProfileTable& table : content.tables)
        texts.push_back({table.file, textOf(table)});
    texts.push_back({kReasonsFile, reasonsOf(profile, content)});
    std::vector<std::string> names;
    for (const ProfileText& each : texts)
        names.push_back(each.file);
    QS_RETURN_IF_ERROR(checkReportFolder(folder, data.folder, names));
    for (const ProfileText& each : texts) {
        const std::filesystem::path file = folder / each.file;
        QS_RETURN_IF_ERROR(createFolders(file.parent_path()));
        QS_RETURN_IF_ERROR(writeFileAtomically(file, each.text));
    }
    if (!isSameFolder(folder, data.folder)) {
        QS_RETURN_IF_ERROR(writeEnvironments(folder / "environment.json", data.environments));
    }
    return names;
}

}  // namespace qs::core
