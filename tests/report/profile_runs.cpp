#include "tests/report/profile_runs.h"

#include "core/report/profiles/profile_registry.h"
#include "tests/analysis/analysis_data.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace qs::tests {

using namespace core;

ProfileContent contentOf(const std::string& id, const RunData& data)
{
    return findExportProfile(id).value()->content(data, analyse(data, "bf16-eager")).value();
}

const ProfileValue& valueOf(const ProfileRecord& record, const std::string& field)
{
    const auto found = std::find_if(record.values().begin(), record.values().end(),
                                    [&](const ProfileValue& each) { return each.field == field; });
    EXPECT_NE(found, record.values().end()) << field;
    return *found;
}

const ProfileRecord& fileOf(const ProfileContent& content, const std::string& name)
{
    const auto found =
        std::find_if(content.tables.begin(), content.tables.end(),
                     [&](const ProfileTable& table) { return table.file.ends_with(name); });
    EXPECT_NE(found, content.tables.end()) << name;
    return found->records.front();
}

RunData gptqRun()
{
    RunData data = runOf({{.id = "straight", .precision = "gptq-int4-128:by=straight"},
                          {.id = "improved", .precision = "gptq-int4-128"},
                          {.id = "passes", .precision = "gptq-int4-128"}},
                         1);
    for (PlannedCell& cell : data.plan.cells)
        cell.config.workload = cell.id == "passes" ? "pass" : "quantize";
    for (PlannedCell& cell : data.plan.cells)
        cell.config.model = "llama:qwen2.5-3b";
    CellResult& straight = addRow(data, "straight", 0, {873.3770228539997, 885.256329754}).result;
    straight.calibration.resize(1);
    straight.calibration[0].layers = {
        {.module = "model.layers.0.self_attn.q_proj", .loss = 2.0, .seconds = 1.5},
        {.module = "model.layers.1.self_attn.q_proj", .loss = 4.0, .seconds = 2.5}};
    straight.memory.selfTest = {.result = SelfTestResult::Passed,
                                .bytes = kSelfTestBytes,
                                .attempts = 1,
                                .allocatorCounters = true,
                                .rise = kSelfTestBytes,
                                .leftOver = 0};
    constexpr std::int64_t kStored = (3 << 20) - 2 * 16;  // two layers, without their shapes
    straight.storage = {.weights = 1, .logicalBytes = kStored, .storageBytes = kStored};
    straight.storage.tensors = {{"decode/a:codes", 2 << 20, 2 << 20}};
    const auto selfTest = straight.memory.selfTest;  // the next row moves this one
    CellResult& improved =
        addRow(data, "improved", 0, {477.9758402569996, 477.2128747119996}).result;
    improved.firstSampleSeconds = 512.532402752;
    improved.warmupPasses = 1;
    improved.memory.selfTest = selfTest;
    improved.calibration.resize(1);
    improved.calibration[0].layers = {
        {.module = "model.layers.0.self_attn.q_proj", .loss = 2.0, .seconds = 0.5}};
    addRow(data, "passes", 0, {1.0});
    return data;
}

}  // namespace qs::tests
