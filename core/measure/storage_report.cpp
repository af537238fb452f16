#include "core/measure/storage_report.h"

#include "core/base/json_enum.h"
#include "core/base/json_list.h"
#include "core/measure/record_limits.h"

#include <nlohmann/json.hpp>

namespace qs::core {

void StorageReport::add(const StorageOffender& offender)
{
    ++offenderCount;
    if (offenders.size() < kMostOffenders)
        offenders.push_back(offender);
}

Json toJson(const StorageReport& report)
{
    Json offenders = Json::array();
    for (const StorageOffender& each : report.offenders)
        offenders.push_back({{"weight", each.weight},
                             {"logical_bytes", each.logicalBytes},
                             {"storage_bytes", each.storageBytes},
                             {"fault", kStorageFaults.of(each.fault)},
                             {"other", each.other},
                             {"own_bytes", each.ownBytes}});
    Json json{{"weights", report.weights},
              {"logical_bytes", report.logicalBytes},
              {"storage_bytes", report.storageBytes},
              {"file_bytes", report.fileBytes},
              {"offender_count", report.offenderCount},
              {"offenders", std::move(offenders)}};
    for (const LargeTensor& each : report.tensors)
        json["tensors"].push_back({{"name", each.name},
                                   {"logical_bytes", each.logicalBytes},
                                   {"storage_bytes", each.storageBytes}});
    return json;
}

Result<StorageReport> storageReportFromJson(const JsonView& json)
{
    std::vector<JsonIssue> issues;
    JsonFields fields(json, "$storage", issues);
    StorageReport report;
    report.weights = fields.integer("weights", 0, 0, kLargestCount);
    report.logicalBytes = fields.integer("logical_bytes", 0, 0, kLargestCount);
    report.storageBytes = fields.integer("storage_bytes", 0, 0, kLargestCount);
    report.fileBytes = fields.integer("file_bytes", 0, 0, kLargestCount);
    report.offenderCount = fields.integer("offender_count", 0, 0, kLargestCount);
    if (const JsonView* list = fields.member("offenders");
        list != nullptr && list->size() > StorageReport::kMostOffenders)
        fields.complain("offenders", "expected a list of at most " +
                                         std::to_string(StorageReport::kMostOffenders));
    else
        forEachObject(fields, "offenders", issues, report.offenders, [&](JsonFields& each) {
            report.offenders.push_back(
                {each.text("weight"), each.integer("logical_bytes", 0, 0, kLargestCount),
                 each.integer("storage_bytes", 0, 0, kLargestCount),
                 requireEnum(each, "fault", kStorageFaults, StorageFault::WrongSize),
                 each.text("other"), each.integer("own_bytes", 0, 0, kLargestCount)});
        });
    if (const JsonView* list = fields.member("tensors");
        list != nullptr && list->size() > StorageReport::kMostTensors)
        fields.complain("tensors", "expected a list of at most " +
                                       std::to_string(StorageReport::kMostTensors));
    else
        forEachObject(fields, "tensors", issues, report.tensors, [&](JsonFields& each) {
            report.tensors.push_back({each.text("name"),
                                      each.integer("logical_bytes", 0, 0, kLargestCount),
                                      each.integer("storage_bytes", 0, 0, kLargestCount)});
        });
    fields.finish();
    if (!issues.empty())
        return Error{ErrorCode::Format, formatIssues(issues)};
    return report;
}

}  // namespace qs::core
