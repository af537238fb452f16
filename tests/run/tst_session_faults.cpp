// Whatever is wrong with names, folders or memory, a session ends with a sentence.

#include "core/record/run_folder.h"
#include "core/run/input_set.h"
#include "tests/run/fake_plan.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <new>

namespace {

using namespace qs::core;
using namespace qs::tests;
using testing::Contains;
using testing::HasSubstr;

namespace fs = std::filesystem;

class SessionFaults : public testing::Test
{
protected:
    Status run(const Plan& plan, RunOptions options)
    {
        RunSession session(plan, std::move(options), m_observer);
        session.wait();
        EXPECT_EQ(m_observer.finishedCalls, 1);
        return m_observer.status;
    }
    Status run(const Plan& plan) { return run(plan, fakeOptions(m_folder.path())); }

    TestFolder m_folder;
    RecordingObserver m_observer;
};

Plan planWithPictures(const std::string& source)
{
    Plan plan = fakePlan({fakeCell("fake:ok")});
    plan.preset.pictures.source = source;
    return plan;
}

TEST_F(SessionFaults, APictureWhoseNameIsNotUtf8IsUsedUnderACleanedName)
{
    const fs::path pictures = m_folder / "pictures";
    fs::create_directory(pictures);
    fs::copy_file(dataFile("golden/image/colour420.jpg"), pictures / "p\xFF.png");
    fs::copy_file(dataFile("golden/image/colour420.jpg"), pictures / "x\ntouch PWNED\n#.png");
    writeFile(pictures / "broken\n\x1b[2J.png", "no usable image");
    ASSERT_TRUE(run(planWithPictures(pictures)).ok()) << m_observer.status.error().message;
    EXPECT_THAT(readRunFolder(m_folder / "run").value().pictureNames,
                testing::ElementsAre("p�.png", "x touch PWNED #.png"));
    EXPECT_THAT(m_observer.lines, Contains(HasSubstr("broken �[2J.png")));
    EXPECT_THAT(readFile(m_folder / "run/log.txt"), testing::Not(HasSubstr("\ntouch PWNED")));
}

TEST_F(SessionFaults, ASourceWithATooLongNameIsAnError)
{
    for (const std::string& source : {"/" + std::string(300, 'n'), "/tmp/" + std::string(5000, 'x'),
                                      std::string("/dev/null/x"), std::string("/dev/zero")}) {
        const PictureSettings settings = planWithPictures(source).preset.pictures;
        auto inputs = InputSequence::open(settings, 32, InputCache(fs::path()));
        const Error error = inputs.ok() ? inputs.value().next().error() : inputs.error();
        EXPECT_EQ(error.code, ErrorCode::InvalidArgument);
    }
    EXPECT_FALSE(run(planWithPictures("/" + std::string(300, 'n'))).ok());
}

TEST_F(SessionFaults, AFolderThatCannotBeMadeIsAnError)
{
    for (const fs::path& place : {m_folder / std::string(300, 'n'), m_folder / "p\xFF",
                                  fs::path("/dev/null"), fs::path("/" + std::string(5000, 'n'))}) {
        RecordingObserver observer;
        RunSession session(fakePlan({fakeCell("fake:ok")}), fakeOptions(place), observer);
        session.wait();
        ASSERT_FALSE(observer.status.ok()) << place;
        EXPECT_EQ(observer.status.error().code, ErrorCode::InvalidArgument) << place;
    }
}

TEST_F(SessionFaults, OutputsOfALinkedFolderAreRefused)
{
    ASSERT_TRUE(run(fakePlan({fakeCell("fake:oom")})).ok());
    const fs::path cells = m_folder / "run/cells";
    fs::remove_all(cells);
    fs::create_directory(m_folder / "home");
    fs::create_symlink(m_folder / "home", cells);
    RunOptions options = fakeOptions(m_folder.path(), true);
    options.retryFailed = true;
    RecordingObserver observer;
    RunSession session(Plan(), options, observer);
    session.wait();
    ASSERT_FALSE(observer.status.ok());
    EXPECT_THAT(observer.status.error().message, HasSubstr("cells is a link"));
    EXPECT_TRUE(fs::is_empty(m_folder / "home"));
}

// Memory that runs out is thrown wherever it was asked for.
class PoorObserver final : public RunObserver
{
public:
    void planned(const RunData&) override { throw std::bad_alloc(); }
    void planGrew(const Plan&) override {}
    void progressed(const RunProgress&) override {}
    void measured(const Measurement&) override {}
    void qualityKnown(const OutputQuality&) override {}
    void happened(const RunEvent&) override {}
    void logged(const std::string&) override {}
    void finished(const Status& status, RunData) override
    {
        end = status;
        throw std::bad_alloc();
    }
    Status end;
};

TEST_F(SessionFaults, TooLittleMemoryEndsTheRunAndNotTheProgram)
{
    PoorObserver observer;
    RunSession session(fakePlan({fakeCell("fake:ok")}), fakeOptions(m_folder.path()), observer);
    session.wait();
    ASSERT_FALSE(observer.end.ok());
    EXPECT_EQ(observer.end.error().code, ErrorCode::OutOfMemory);
    EXPECT_TRUE(readRunFolder(m_folder / "run").ok()) << "can be resumed";
}

}  // namespace
