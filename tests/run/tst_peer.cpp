#include "core/base/npy.h"
#include "core/record/reference_results.h"
#include "core/record/run_folder.h"
#include "core/run/peer/measure_peer.h"
#include "tests/support/reference_file.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <filesystem>

namespace qs::core {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using tests::TestFolder;

constexpr const char* kSmallViTok = "vitok:w64_d1_h2-w64_d2_h2/1x16x16";

// A run of a model with generated weights that has not begun, with three images.
class PeerRun : public testing::Test
{
protected:
    void plan(const std::string& model, const Sizes& sizes = {})
    {
        Preset preset;
        preset.name = "peer";
        preset.defaults.model = model;
        for (const NamedSize& size : sizes)
            preset.defaults.sizes.set(size.name, size.value);
        preset.defaults.precision = {"bf16"};
        preset.noiseFloor = false;
        preset.axes = {{"batch", {"2", "8"}}};
        const auto made = makePlan(preset, {{describeCpu()}, "", false});
        ASSERT_TRUE(made.ok()) << made.error().message;
        ASSERT_TRUE(RunFolder::create(m_run, made.value(), Environment()).ok());
        FloatArray pictures{{3, 3, 256, 256}, {}};
        pictures.values.assign(std::size_t{3} * 3 * 256 * 256, 0.25F);
        ASSERT_TRUE(writeNpy(inputArray(m_run, 256), pictures).ok());
    }
    [[nodiscard]] Result<PeerRequest> request(const PeerWishes& wishes = {}) const
    {
        return peerRequest(m_run, wishes, m_folder.path());
    }

    TestFolder m_folder;
    fs::path m_run = m_folder / "run";
};

TEST_F(PeerRun, IsDescribedForPython)
{
    plan(kSmallViTok);
    PeerWishes wishes;
    wishes.precisions = {"none", "int8dq"};
    wishes.modes = {"eager", "max-autotune"};
    const auto made = request(wishes);
    ASSERT_TRUE(made.ok()) << made.error().message;
    ASSERT_THAT(made.value().batches, SizeIs(2));
    const fs::path folder = m_folder / "request";
    ASSERT_TRUE(createFolders(folder).ok());
    ASSERT_TRUE(writePeerRequest(made.value(), folder).ok());
    EXPECT_THAT(tests::readFile(folder / "measure_peer.py"), HasSubstr("def main()"));
    const Json json = Json::parse(tests::readFile(folder / "request.json"));
    EXPECT_THAT(json.at("precisions").get<std::vector<std::string>>(),
                ElementsAre("bf16", "int8dq"));
    EXPECT_EQ(json.at("unit"), "image");
    EXPECT_EQ(json.at("model_content"), made.value().model.contentId);
    EXPECT_THAT(json.at("layers").at("bf16"), IsEmpty());
    EXPECT_THAT(json.at("layers").at("int8dq"), Not(IsEmpty()));
    const Json& batch = json.at("batches")[1];
    EXPECT_EQ(batch.at("batch"), 8);
    EXPECT_EQ(batch.at("stages")[0].at("archive"),
              "batch_8/" + batch.at("stages")[0].at("name").get<std::string>() + ".pt2");
    // Of the three images that there are: they repeat.
    const Json& input = batch.at("inputs")[0];
    EXPECT_EQ(input.at("shape")[0], 3);
    EXPECT_TRUE(input.at("repeats").get<bool>());
    for (const Json& each : batch.at("inputs")) {
        std::size_t bytes = each.at("dtype") == "float32" ? 4 : 8;
        for (const auto& extent : each.at("shape"))
            bytes *= extent.get<std::size_t>();
        EXPECT_EQ(fs::file_size(folder / each.at("file").get<std::string>()), bytes);
    }
}

TEST_F(PeerRun, UnitsAreThoseOfTheRun)
{
    plan("te-llama:tiny");
    const auto made = request();
    ASSERT_TRUE(made.ok()) << made.error().message;
    const fs::path folder = m_folder / "request";
    ASSERT_TRUE(createFolders(folder).ok());
    ASSERT_TRUE(writePeerRequest(made.value(), folder).ok());
    const Json json = Json::parse(tests::readFile(folder / "request.json"));
    const Plan plan = readRunFolder(m_run).value().plan;
    EXPECT_EQ(json.at("unit"), "token");
    EXPECT_EQ(json.at("batches")[0].at("units_per_pass"), plan.cells.front().unitsPerPass);
    EXPECT_GT(plan.cells.front().unitsPerPass, 2);
}

// Its decode never runs, and gives nothing to judge.
TEST_F(PeerRun, AModelThatReadsIsJudgedByWhatItGives)
{
    plan("llama:tiny", {{"prompt_tokens", 16}, {"new_tokens", 0}});
    const auto made = request();
    ASSERT_TRUE(made.ok()) << made.error().message;
    const fs::path folder = m_folder / "request";
    ASSERT_TRUE(createFolders(folder).ok());
    ASSERT_TRUE(writePeerRequest(made.value(), folder).ok());
    const Json batch = Json::parse(tests::readFile(folder / "request.json")).at("batches")[0];
    EXPECT_THAT(batch.at("stages")[0].at("outputs").get<std::vector<std::string>>(),
                ElementsAre(batch.at("judged").get<std::string>()));
}

TEST_F(PeerRun, WhatPythonCannotRunAsWeDoIsRefused)
{
    plan("llama:tiny");
    const auto made = request();
    ASSERT_FALSE(made.ok());
    EXPECT_EQ(made.error().code, ErrorCode::Unsupported);
}

TEST(PeerWishes, AreUsuallyThoseOfTheRun)
{
    Plan plan;
    for (const char* precision : {"int8dq", "int8sq", "int8dq", "bf16", "int4wo-64"})
        plan.cells.emplace_back().config.precision = {precision};
    EXPECT_THAT(usualWishes(plan).precisions, ElementsAre("bf16", "int8dq", "int4wo-64"));
    EXPECT_THAT(usualWishes(plan).modes, ElementsAre("eager", "default"));
    plan.cells.front().config.device = "cuda:0";
    EXPECT_THAT(usualWishes(plan).modes, ElementsAre("eager", "default", "reduce-overhead"));
}

TEST_F(PeerRun, WishesAreChecked)
{
    plan(kSmallViTok);
    PeerWishes wishes;
    wishes.modes = {"fastest"};
    EXPECT_THAT(request(wishes).error().message, HasSubstr("reduce-overhead"));
    wishes = {};
    wishes.precisions = {"int3"};
    EXPECT_EQ(request(wishes).error().code, ErrorCode::InvalidArgument);
    wishes.precisions = {};
    EXPECT_EQ(request(wishes).error().code, ErrorCode::InvalidArgument);
    EXPECT_EQ(peerRequest(m_folder / "none", {}, "").error().code, ErrorCode::NotFound);
    fs::remove(inputArray(m_run, 256).path());
    EXPECT_EQ(request().error().code, ErrorCode::NotFound) << "examples have no images";
}

// Programs in the place of Python.
class PeerScript : public testing::Test
{
protected:
    [[nodiscard]] Result<fs::path> run(const std::string& script)
    {
        const fs::path python = m_folder / "python";
        tests::writeFile(python, "#!/bin/sh\n" + script);
        fs::permissions(python, fs::perms::owner_all);
        return runPeer(
            python, m_folder.path(), [&](const std::string& line) { m_said.push_back(line); },
            [&] { return m_goesOn; });
    }

    TestFolder m_folder;
    std::vector<std::string> m_said;
    bool m_goesOn = true;
};

TEST_F(PeerScript, GivesResultsAndTellsWhatItSays)
{
    tests::writeFile(m_folder / "made.json", jsonText(tests::referenceJson()));
    const auto results =
        run("echo first\necho second\ncp '" + (m_folder / "made.json").string() + "' \"$3\"\n");
    ASSERT_TRUE(results.ok()) << results.error().message;
    EXPECT_THAT(m_said, ElementsAre("first", "second"));
    EXPECT_TRUE(readReferenceResults(results.value()).ok());
}

TEST_F(PeerScript, SaysHowItFailed)
{
    EXPECT_THAT(run("echo no such thing\nexit 3\n").error().message,
                testing::AllOf(HasSubstr("exit code 3"), HasSubstr("no such thing")));
    EXPECT_EQ(run("exit 0\n").error().code, ErrorCode::NotFound) << "no results";
    EXPECT_EQ(run("echo '{}' > \"$3\"\n").error().code, ErrorCode::Unsupported);
    m_goesOn = false;
    EXPECT_EQ(run("sleep 60\n").error().code, ErrorCode::Cancelled);
}

}  // namespace
}  // namespace qs::core
