#include "core/run/path_trust.h"

#include "core/record/run_folder.h"
#include "tests/run/fake_plan.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

using namespace qs::core;
using namespace qs::tests;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

namespace fs = std::filesystem;

class PathTrustTest : public testing::Test
{
protected:
    PathTrustTest()
    {
        fs::create_directories(m_run);
        fs::create_directories(m_other);
    }
    [[nodiscard]] PathTrust trust() const { return PathTrust(m_file); }

    TestFolder m_folder;
    fs::path m_run = m_folder / "run";
    fs::path m_other = m_folder / "other";
    fs::path m_file = m_folder / "cache/agreed_paths.json";
};

TEST_F(PathTrustTest, OutsideIsWhatIsNeitherShippedNorGenerated)
{
    Plan plan = fakePlan({fakeCell("demo"), fakeCell("vitok:350M-f16x64")});
    EXPECT_THAT(outsidePaths(plan), IsEmpty());
    plan = fakePlan({fakeCell("/m/a.safetensors"), fakeCell("/m/../m/a.safetensors", 2),
                     fakeCell("demo"), fakeCell("weights")});
    plan.preset.pictures.source = "/home/her/pictures";
    EXPECT_THAT(outsidePaths(plan),
                UnorderedElementsAre("/home/her/pictures", "/m/a.safetensors",
                                     (fs::current_path() / "weights").string()));
}

TEST_F(PathTrustTest, EveryFileOfAJoinedModelAndOfItsInputsIsNamed)
{
    Plan plan = fakePlan({fakeCell("/m/encoder.pt2+decoder.pt2")});
    plan.preset.feeding.inputs = {{"x", FileFeed{"/her/x.npy", ""}},
                                  {"tokens", TextFeed{"/her/prompts.txt", "/her/tokenizer.json"}},
                                  {"noise", RandomFeed{}}};
    plan.preset.feeding.labels = "/her/labels.txt";
    plan.preset.calibration.pictures.source = "/her/calibration";
    plan.preset.calibration.inputs = {{"x", FileFeed{"/her/calibration.npy", ""}}};
    EXPECT_THAT(outsidePaths(plan),
                UnorderedElementsAre("/m/encoder.pt2", "/m/decoder.pt2", "/her/x.npy",
                                     "/her/prompts.txt", "/her/tokenizer.json", "/her/labels.txt",
                                     "/her/calibration", "/her/calibration.npy"));
}

TEST_F(PathTrustTest, WhatWasAgreedToIsKnownForThatFolderAlone)
{
    EXPECT_THAT(trust().unknown(m_run, {"/a", "/b"}), ElementsAre("/a", "/b"));
    trust().agree(m_run, {"/a"});
    EXPECT_THAT(trust().unknown(m_run, {"/a", "/b"}), ElementsAre("/b"));
    trust().agree(m_run, {"/b"});
    EXPECT_THAT(trust().unknown(m_run, {"/a", "/b"}), IsEmpty());
    EXPECT_THAT(trust().unknown(m_other, {"/a"}), ElementsAre("/a"));
    fs::create_symlink(m_run, m_folder / "link");
    EXPECT_THAT(trust().unknown(m_folder / "link", {"/a"}), IsEmpty()) << "the same folder";
}

TEST_F(PathTrustTest, RunsThatAreGoneAreForgotten)
{
    trust().agree(m_run, {"/a"});
    fs::remove(m_run);
    trust().agree(m_other, {"/a"});
    EXPECT_THAT(readFile(m_file),
                AllOf(HasSubstr(m_other.string()), testing::Not(HasSubstr(m_run.string() + "\""))));
}

TEST_F(PathTrustTest, TheFileIsOfThisUserAlone)
{
    trust().agree(m_run, {"/a"});
    struct stat status {
    };
    ASSERT_EQ(::stat(m_file.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0600U);
    ::chmod(m_file.c_str(), 0666);
    EXPECT_THAT(trust().unknown(m_run, {"/a"}), ElementsAre("/a"))
        << "anybody could have written it";
}

TEST_F(PathTrustTest, ADamagedFileAgreesToNothing)
{
    for (const char* text : {"", "{", "[]", R"({"schema_version":2,"agreed":[]})",
                             R"({"schema_version":1,"agreed":[7]})"}) {
        fs::create_directories(m_file.parent_path());
        writeFile(m_file, text);
        ::chmod(m_file.c_str(), 0600);
        EXPECT_THAT(trust().unknown(m_run, {"/a"}), ElementsAre("/a")) << text;
    }
    EXPECT_THAT(PathTrust("").unknown(m_run, {"/a"}), ElementsAre("/a"));
    PathTrust("").agree(m_run, {"/a"});
}

// A run that somebody else began: nothing here knows of it.
class SomebodysRun : public testing::Test
{
protected:
    void SetUp() override
    {
        m_plan.preset.pictures.source = "procedural";
        RunOptions options = fakeOptions(m_folder.path());
        options.trust.emplace(m_folder / "her/agreed.json");
        RecordingObserver observer;
        RunSession session(m_plan, options, observer);
        session.wait();
        ASSERT_TRUE(observer.status.ok()) << observer.status.error().message;
    }

    Status resume(const std::vector<std::string>& agreed, const std::string& user)
    {
        RunOptions options = fakeOptions(m_folder.path(), true);
        options.trust.emplace(m_folder / user / "agreed.json");
        options.agreedPaths = agreed;
        RecordingObserver observer;
        RunSession session(Plan(), options, observer);
        session.wait();
        return observer.status;
    }

    TestFolder m_folder;
    Plan m_plan = fakePlan({fakeCell("fake:ok")});
    std::string m_model = (fs::current_path() / "fake:ok").string();
};

TEST_F(SomebodysRun, IsGoneOnWithByWhoeverBeganIt)
{
    EXPECT_TRUE(resume({}, "her").ok());
}

TEST_F(SomebodysRun, IsNotGoneOnWithUnasked)
{
    const std::string journal = readFile(m_folder / "run/journal.jsonl");
    for (const std::vector<std::string>& agreed :
         {std::vector<std::string>{}, {"/somewhere/else"}}) {
        const Status status = resume(agreed, "him");
        ASSERT_FALSE(status.ok());
        EXPECT_EQ(status.error().code, ErrorCode::InvalidArgument);
        EXPECT_THAT(status.error().message, HasSubstr(m_model));
    }
    EXPECT_EQ(readFile(m_folder / "run/journal.jsonl"), journal);
    const auto asked = pathsToAgree(m_folder / "run", PathTrust(m_folder / "him/agreed.json"));
    EXPECT_THAT(asked.value(), ElementsAre(m_model));
}

TEST_F(SomebodysRun, IsGoneOnWithOnceAgreed)
{
    ASSERT_TRUE(resume({m_model}, "him").ok());
    EXPECT_TRUE(resume({}, "him").ok()) << "asked once";
}

}  // namespace
