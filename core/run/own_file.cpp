#include "core/run/own_file.h"

#include "core/base/files.h"

#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>
#include <vector>

namespace qs::core {

namespace {

constexpr int kListVersion = 1;

bool isOwn(const std::filesystem::path& file)
{
    const auto opened = openForReading(file);
    struct stat status {
    };
    return opened.ok() && ::fstat(opened.value().get(), &status) == 0 &&
           status.st_uid == ::geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

}  // namespace

std::optional<Json> readOwnList(const std::filesystem::path& file, const std::string& name)
{
    if (file.empty() || !isOwn(file))
        return std::nullopt;
    const auto json = readJsonFile(file);
    if (!json.ok())
        return std::nullopt;
    std::vector<JsonIssue> issues;
    JsonFields fields(json.value(), "$", issues);
    const std::int64_t version = fields.integer("schema_version", 0, 0, INT32_MAX);
    const Json* list = fields.find(name);
    if (version != kListVersion || list == nullptr || !list->is_array() || !issues.empty())
        return std::nullopt;
    return *list;
}

Status writeOwnList(const std::filesystem::path& file, const std::string& name, Json list)
{
    const Json json{{"schema_version", kListVersion}, {name, std::move(list)}};
    QS_RETURN_IF_ERROR(createFolders(file.parent_path()));
    return writeFileAtomically(file, jsonText(json, 1) + "\n", 0600);
}

}  // namespace qs::core
