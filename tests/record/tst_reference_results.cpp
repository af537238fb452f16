#include "core/record/reference_results.h"

#include "core/record/run_folder.h"
#include "core/record/run_removal.h"
#include "tests/support/reference_file.h"
#include "tests/support/sample_run.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace qs::core {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using tests::referenceJson;
using tests::TestFolder;

class ReferenceFile : public testing::Test
{
protected:
    [[nodiscard]] Result<ReferenceResults> read(const Json& json)
    {
        tests::writeFile(m_file, jsonText(json));
        return readReferenceResults(m_file);
    }
    // The message of a document that differs from a good one by this.
    [[nodiscard]] std::string complaint(const std::string& pointer, const Json& value)
    {
        Json json = referenceJson();
        json[Json::json_pointer(pointer)] = value;
        const auto results = read(json);
        EXPECT_FALSE(results.ok()) << pointer;
        return results.ok() ? std::string() : results.error().message;
    }

    TestFolder m_folder;
    fs::path m_file = m_folder / "torch.json";
};

// What only reads generates nothing.
TEST_F(ReferenceFile, ASizeThatCanBeNothingIsRead)
{
    Json json = referenceJson();
    json["sizes"] = {{"prompt_tokens", 16}, {"new_tokens", 0}};
    const auto read = this->read(json);
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(read.value().sizes.find("new_tokens"), 0);
}

TEST_F(ReferenceFile, IsReadWhole)
{
    const auto read = this->read(referenceJson());
    ASSERT_TRUE(read.ok()) << read.error().message;
    const ReferenceResults& results = read.value();
    EXPECT_EQ(results.program, "torch.compile");
    EXPECT_EQ(results.environment.at("device"), "NVIDIA H200");
    EXPECT_EQ(results.unit, WorkUnit::Image);
    EXPECT_EQ(results.sizes.at("image_size"), 256);
    ASSERT_THAT(results.rows, SizeIs(3));
    EXPECT_EQ(results.rows[0].rounds.size(), 2U);
    EXPECT_FALSE(results.rows[0].counters);
    ASSERT_TRUE(results.rows[1].counters);
    EXPECT_EQ(results.rows[1].counters->uniqueGraphs, 3);
    EXPECT_EQ(results.rows[1].counters->breaks(), 2);
    EXPECT_EQ(results.rows[2].status, ReferenceStatus::Unavailable);
}

TEST_F(ReferenceFile, SaysWhereItIsWrong)
{
    EXPECT_THAT(complaint("/rows/1/batch", 0), HasSubstr("$.rows[1].batch"));
    EXPECT_THAT(complaint("/rows/0/mode", ""), HasSubstr("$.rows[0].mode"));
    EXPECT_THAT(complaint("/rows/0/status", "fast"), HasSubstr("$.rows[0].status"));
    EXPECT_THAT(complaint("/rows/0/rounds", Json::array()), HasSubstr("$.rows[0].rounds"));
    EXPECT_THAT(complaint("/rows/0/rounds/1", Json::array()), HasSubstr("$.rows[0].rounds[1]"));
    EXPECT_THAT(complaint("/rows/0/rounds/1/0", 0.0), HasSubstr("$.rows[0].rounds[1]"));
    EXPECT_THAT(complaint("/rows/0/rounds/1/0", "1"), HasSubstr("$.rows[0].rounds[1]"));
    EXPECT_THAT(complaint("/rows/0/rounds/1", 1.0), HasSubstr("$.rows[0].rounds[1]"));
    EXPECT_THAT(complaint("/rows/2/reason", ""), HasSubstr("$.rows[2].reason"));
    EXPECT_THAT(complaint("/rows/1/counters/frames", -1), HasSubstr("$.rows[1].counters.frames"));
    EXPECT_THAT(complaint("/rows/1/counters/graph_breaks/0/count", 0), HasSubstr("graph_breaks"));
    EXPECT_THAT(complaint("/rows/0/output_distance", -1.0), HasSubstr("output_distance"));
    EXPECT_THAT(complaint("/rows/0/speed", 1.0), HasSubstr("$.rows[0].speed"));
    EXPECT_THAT(complaint("/sizes/image_size", 0), HasSubstr("$.sizes.image_size"));
    EXPECT_THAT(complaint("/sizes/new_tokens", -1), HasSubstr("$.sizes.new_tokens"));
    EXPECT_THAT(complaint("/environment/device", 1), HasSubstr("$.environment.device"));
    EXPECT_THAT(complaint("/unit", "frame"), HasSubstr("$.unit"));
    EXPECT_THAT(complaint("/program", ""), HasSubstr("$.program"));
    EXPECT_THAT(complaint("/rows", "none"), HasSubstr("$.rows"));
    EXPECT_THAT(complaint("/schema_version", 2), HasSubstr("torch.json"));
}

TEST_F(ReferenceFile, HasBounds)
{
    Json json = referenceJson();
    const Json row = json["rows"][0];
    for (int i = 0; i < 1100; ++i)
        json["rows"].push_back(row);
    EXPECT_FALSE(read(json).ok());
    tests::writeFile(m_file, std::string(std::size_t{9} << 20U, ' '));
    EXPECT_FALSE(readReferenceResults(m_file).ok());
    tests::writeFile(m_file, std::string(5000, '['));
    EXPECT_FALSE(readReferenceResults(m_file).ok());
    tests::writeFile(m_file, jsonText(referenceJson()).substr(0, 300));
    EXPECT_FALSE(readReferenceResults(m_file).ok());
    EXPECT_EQ(readReferenceResults(m_folder / "absent.json").error().code, ErrorCode::NotFound);
}

class RunWithReferences : public ReferenceFile
{
protected:
    void SetUp() override
    {
        const RunData data = tests::sampleRun({.rounds = 1});
        ASSERT_TRUE(RunFolder::create(m_run, data.plan, data.environments.front()).ok());
        tests::writeFile(m_file, jsonText(referenceJson()));
    }
    [[nodiscard]] std::vector<std::string> files() const
    {
        std::vector<std::string> names;
        for (const RunReference& each : referencesOf(m_run))
            names.push_back(each.file);
        return names;
    }

    fs::path m_run = m_folder / "run";
};

TEST_F(RunWithReferences, AreAttachedBesideEachOther)
{
    EXPECT_THAT(files(), SizeIs(0));
    EXPECT_EQ(attachReference(m_run, m_file).value(), "peers/torch.json");
    EXPECT_EQ(attachReference(m_run, m_file).value(), "peers/torch_2.json");
    fs::rename(m_file, m_folder / "a b\n.json");
    EXPECT_EQ(attachReference(m_run, m_folder / "a b\n.json").value(), "peers/a_b_.json");
    EXPECT_THAT(files(), ElementsAre("peers/a_b_.json", "peers/torch.json", "peers/torch_2.json"));
    for (const RunReference& each : referencesOf(m_run))
        EXPECT_EQ(each.results.value(), readReferenceResults(m_folder / "a b\n.json").value());
    EXPECT_TRUE(RemovableRun::of(m_run, {}).ok()) << "they belong to the run";
}

TEST_F(RunWithReferences, WhatIsNoneIsNotAttached)
{
    tests::writeFile(m_file, "{}");
    EXPECT_FALSE(attachReference(m_run, m_file).ok());
    EXPECT_FALSE(fs::exists(m_run / "peers"));
    EXPECT_EQ(attachReference(m_folder / "no run", m_file).error().code, ErrorCode::NotFound);
}

TEST_F(RunWithReferences, OneThatCannotBeReadIsNamed)
{
    ASSERT_TRUE(attachReference(m_run, m_file).ok());
    tests::writeFile(m_run / "peers" / "other.json", "[]");
    fs::create_symlink(m_file, m_run / "peers" / "link.json");
    const std::vector<RunReference> references = referencesOf(m_run);
    ASSERT_THAT(references, SizeIs(3));
    EXPECT_FALSE(references[0].results) << "no link is followed";
    EXPECT_THAT(references[1].error, HasSubstr("other.json"));
    EXPECT_TRUE(references[2].results);
}

TEST_F(RunWithReferences, AFolderThatIsALinkIsNone)
{
    fs::create_directories(m_folder / "elsewhere");
    fs::rename(m_file, m_folder / "elsewhere" / "torch.json");
    fs::create_directory_symlink(m_folder / "elsewhere", m_run / "peers");
    EXPECT_THAT(files(), SizeIs(0));
    EXPECT_FALSE(attachReference(m_run, m_folder / "elsewhere" / "torch.json").ok());
    EXPECT_FALSE(fs::exists(m_folder / "elsewhere" / "torch_2.json"));
}

}  // namespace
}  // namespace qs::core
