#include "core/run/worker_process.h"

#include "core/base/npy.h"
#include "core/measure/cell_request.h"
#include "core/measure/cell_result.h"
#include "core/run/describe_engine.h"
#include "tests/run/fake_plan.h"
#include "tests/support/ended_process.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

namespace {

using namespace qs::core;
using namespace qs::tests;
using std::chrono::milliseconds;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr milliseconds kSoon(10000);

// Sets a variable for the life of the object.
class Variable final
{
public:
    Variable(const char* name, const char* value) : m_name(name) { ::setenv(name, value, 1); }
    ~Variable() { ::unsetenv(m_name); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

private:
    const char* m_name;
};

class WorkerProcessTest : public testing::Test
{
protected:
    WorkerProcessTest()
    {
        EXPECT_TRUE(writeNpy(m_folder / "inputs.npy", {{1, 3, 4, 4}, std::vector<float>(48)}).ok());
    }

    [[nodiscard]] CellRequest request(const std::string& model) const
    {
        CellRequest request;
        request.config = fakeCell(model).config;
        request.runFolder = m_folder.path();
        request.inputFile = "inputs.npy";
        return request;
    }

    // The next message of the given kind.
    template <typename Kind>
    static Kind await(WorkerProcess& worker)
    {
        while (true) {
            auto message = worker.channel().receive(kSoon);
            if (!message.ok() || !message.value()) {
                ADD_FAILURE() << (message.ok() ? "the channel closed" : message.error().message);
                return {};
            }
            if (auto* found = std::get_if<Kind>(&*message.value()))
                return *found;
        }
    }

    [[nodiscard]] std::vector<std::string> notesOf(WorkerProcess& worker) const
    {
        EXPECT_TRUE(worker.channel().send(RunCell{1, toJson(request("fake:ok"))}, kSoon).ok());
        const CellResult result = cellResultFromJson(await<CellFinished>(worker).result).value();
        std::vector<std::string> texts;
        for (const Note& note : result.notes)
            texts.push_back(note.text(0));
        return texts;
    }

    TestFolder m_folder;
};

WorkerProcess spawned()
{
    return std::move(WorkerProcess::spawn(fakeWorker(), {})).value();
}

std::string linkOf(int pid, const std::string& name)
{
    std::error_code error;
    return std::filesystem::read_symlink("/proc/" + std::to_string(pid) + "/" + name, error);
}

TEST_F(WorkerProcessTest, SpeaksOnDescriptorThreeAndEndsInGoodOrder)
{
    WorkerProcess worker = spawned();
    EXPECT_EQ(await<Hello>(worker).pid, worker.pid());
    EXPECT_FALSE(worker.ended().has_value());
    EXPECT_TRUE(worker.channel().send(Shutdown{}, kSoon).ok());
    const auto end = worker.waitForEnd(kSoon);
    ASSERT_TRUE(end.has_value());
    EXPECT_EQ(end->exitCode, 0);
    EXPECT_EQ(end->text(), "exit code 0");
    EXPECT_THAT(childProcesses(), IsEmpty());
}

TEST_F(WorkerProcessTest, EndsWhenItsChannelCloses)
{
    WorkerProcess worker = spawned();
    await<Hello>(worker);
    worker.channel().close();
    EXPECT_EQ(worker.waitForEnd(kSoon)->exitCode, 0);
}

TEST_F(WorkerProcessTest, IsAGroupOfItsOwn)
{
    WorkerProcess worker = spawned();
    EXPECT_THAT(notesOf(worker), Contains("group " + std::to_string(worker.pid())));
}

TEST_F(WorkerProcessTest, ReadsNothingFromTheTerminal)
{
    WorkerProcess worker = spawned();
    await<Hello>(worker);
    EXPECT_EQ(linkOf(worker.pid(), "fd/0"), "/dev/null");
    EXPECT_THAT(notesOf(worker), Contains("stdin /dev/null"));
}

TEST_F(WorkerProcessTest, InheritsNoOtherDescriptors)
{
    WorkerProcess worker = spawned();
    EXPECT_THAT(notesOf(worker), Contains("descriptors 0 1 2 3"));
}

TEST_F(WorkerProcessTest, LeavesOutVariablesThatWouldChangeTheMeasurement)
{
    const Variable preload("LD_PRELOAD", "/nowhere/library.so");
    const Variable allocator("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True");
    const Variable kept("QS_FAKE_KEPT", "yes");
    WorkerProcess worker = spawned();
    const auto notes = notesOf(worker);
    EXPECT_THAT(notes, Contains("LD_PRELOAD=(none)"));
    EXPECT_THAT(notes, Contains("PYTORCH_CUDA_ALLOC_CONF=(none)"));
    EXPECT_THAT(notes, Contains("QS_FAKE_KEPT=yes"));
}

TEST_F(WorkerProcessTest, WhatCompilersLogIsHandedOnUnderANameThatPyTorchDoesNotRead)
{
    const Variable logs("TORCH_LOGS", "output_code");
    WorkerProcess worker = spawned();
    const auto notes = notesOf(worker);
    EXPECT_THAT(notes, Contains("TORCH_LOGS=(none)"));
    EXPECT_THAT(notes, Contains("QUANTSCOPE_TORCH_LOGS=output_code"));
}

TEST_F(WorkerProcessTest, VariablesOfACellWinOverThoseOfTheProgram)
{
    const Variable allocator("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True");
    const Variable kept("QS_FAKE_KEPT", "yes");
    WorkerProcess worker = std::move(WorkerProcess::spawn(fakeWorker(), {},
                                                          {"PYTORCH_CUDA_ALLOC_CONF=backend:native",
                                                           "QS_FAKE_KEPT=no"}))
                               .value();
    const auto notes = notesOf(worker);
    EXPECT_THAT(notes, Contains("PYTORCH_CUDA_ALLOC_CONF=backend:native"));
    EXPECT_THAT(notes, Contains("QS_FAKE_KEPT=no"));
}

TEST_F(WorkerProcessTest, ReportsSignalsAndExitCodes)
{
    for (const auto& [model, text] :
         std::map<std::string, std::string>{{"fake:exit3", "exit code 3"},
                                            {"fake:crash", "killed by signal 6 (Aborted)"},
                                            {"fake:segv", "killed by signal 11 (Segmentation"}}) {
        WorkerProcess worker = spawned();
        EXPECT_TRUE(worker.channel().send(RunCell{1, toJson(request(model))}, kSoon).ok());
        const auto end = worker.waitForEnd(kSoon);
        ASSERT_TRUE(end.has_value()) << model;
        EXPECT_THAT(end->text(), HasSubstr(text));
    }
}

TEST_F(WorkerProcessTest, KeepsWhatWasWrittenBeforeTheEnd)
{
    WorkerProcess worker = spawned();
    EXPECT_TRUE(worker.channel().send(RunCell{1, toJson(request("fake:crash"))}, kSoon).ok());
    EXPECT_TRUE(worker.waitForEnd(kSoon).has_value());
    EXPECT_EQ(worker.takeLog(), "Fatal error: about to abort");
    EXPECT_EQ(worker.takeLog(), "");
    EXPECT_EQ(worker.logDescriptor(), -1) << "a pipe that has ended would wake up poll() for ever";
}

TEST_F(WorkerProcessTest, ReadsAFloodInPieces)
{
    WorkerProcess worker = spawned();
    EXPECT_TRUE(worker.channel().send(RunCell{1, toJson(request("fake:flood-line"))}, kSoon).ok());
    std::size_t bytes = 0;
    while (worker.logDescriptor() >= 0 && bytes < (std::size_t{5} << 20U)) {
        pollfd watched{worker.logDescriptor(), POLLIN, 0};
        ASSERT_EQ(::poll(&watched, 1, 10000), 1);
        const std::string text = worker.takeLog();
        EXPECT_LE(text.size(), std::size_t{300} << 10U);
        bytes += text.size();
    }
    await<CellFinished>(worker);
}

TEST_F(WorkerProcessTest, EndsPolitelyByDefault)
{
    WorkerProcess worker = spawned();
    await<Hello>(worker);
    const auto end = worker.terminate(kSoon);
    ASSERT_TRUE(end.has_value());
    EXPECT_EQ(end->signal, SIGTERM);
    EXPECT_EQ(worker.terminate(kSoon)->signal, SIGTERM) << "twice is once";
}

TEST_F(WorkerProcessTest, KillsAWorkerThatIgnoresTheRequest)
{
    WorkerProcess worker = spawned();
    EXPECT_TRUE(worker.channel().send(RunCell{1, toJson(request("fake:ignore-term"))}, kSoon).ok());
    await<PhaseChanged>(worker);
    await<PhaseChanged>(worker);
    await<Heartbeat>(worker);  // by now the signal is ignored
    const auto end = worker.terminate(milliseconds(200));
    ASSERT_TRUE(end.has_value());
    EXPECT_EQ(end->signal, SIGKILL);
    EXPECT_THAT(childProcesses(), IsEmpty());
}

TEST_F(WorkerProcessTest, EndsWithTheObject)
{
    int pid = 0;
    {
        WorkerProcess worker = spawned();
        WorkerProcess moved = std::move(worker);
        pid = moved.pid();
    }
    EXPECT_TRUE(goneWithin(pid, milliseconds(0)));
    EXPECT_THAT(childProcesses(), IsEmpty());
}

TEST_F(WorkerProcessTest, TakesWhatItStartedWithIt)
{
    const std::string pidFile = m_folder / "child";
    WorkerProcess worker = spawned();
    EXPECT_TRUE(
        worker.channel().send(RunCell{1, toJson(request("fake:child:" + pidFile))}, kSoon).ok());
    EXPECT_EQ(worker.waitForEnd(kSoon)->signal, SIGABRT);
    const int child = std::stoi(readFile(pidFile));
    EXPECT_TRUE(goneWithin(child, kSoon)) << "the child of a crashed worker lives on";
}

TEST(WorkerProcess, SaysWhichProgramCannotBeStarted)
{
    const auto missing = WorkerProcess::spawn("/nowhere/quantscope-worker", {});
    ASSERT_FALSE(missing.ok());
    EXPECT_EQ(missing.error().code, ErrorCode::NotFound);
    EXPECT_THAT(missing.error().message, HasSubstr("/nowhere/quantscope-worker"));
    const TestFolder folder;
    writeFile(folder / "text", "no program");
    const auto noProgram = WorkerProcess::spawn(folder / "text", {});
    ASSERT_FALSE(noProgram.ok());
    EXPECT_EQ(noProgram.error().code, ErrorCode::Io);
}

// A process of its own, made by fork(), starts a worker, tells its id and is killed.
TEST(WorkerProcess, DiesWithTheProcessThatStartedIt)
{
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe(ends.data()), 0);
    const FileDescriptor reading(ends[0]);
    FileDescriptor writing(ends[1]);
    const pid_t supervisor = ::fork();
    ASSERT_GE(supervisor, 0);
    if (supervisor == 0) {
        WorkerProcess worker = spawned();
        const auto hello = worker.channel().receive(kSoon);
        const int pid = hello.ok() ? worker.pid() : -1;
        [[maybe_unused]] const ssize_t written = ::write(writing.get(), &pid, sizeof pid);
        while (true)
            ::pause();
    }
    writing = FileDescriptor();
    int worker = -1;
    ASSERT_EQ(::read(reading.get(), &worker, sizeof worker), ssize_t{sizeof worker});
    ASSERT_GT(worker, 0);
    EXPECT_FALSE(goneWithin(worker, milliseconds(0)));
    ASSERT_EQ(::kill(supervisor, SIGKILL), 0);
    EXPECT_EQ(::waitpid(supervisor, nullptr, 0), supervisor);
    EXPECT_TRUE(goneWithin(worker, milliseconds(5000)));
}

TEST(DescribeEngine, TellsDevicesAndVersions)
{
    const auto engine = describeEngine(fakeWorker(), 20.0);
    ASSERT_TRUE(engine.ok()) << engine.error().message;
    EXPECT_EQ(engine.value().torch, "0.0-fake");
    EXPECT_EQ(engine.value().whyNoGpu, "this worker is a fake");
    ASSERT_EQ(engine.value().devices.size(), 1U);
    EXPECT_EQ(engine.value().devices.front().id, "cpu");
    EXPECT_THAT(childProcesses(), IsEmpty());
}

TEST(DescribeEngine, ReadsWhatATalkativeEngineWrites)
{
    const Variable start("QS_FAKE_START", "talkative");
    const auto engine = describeEngine(fakeWorker(), 20.0);
    EXPECT_TRUE(engine.ok()) << engine.error().message;
}

TEST(DescribeEngine, SaysWhyAnEngineCannotBeUsed)
{
    for (const auto& [start, why] : std::map<std::string, std::string>{
             {"exit", "(exit code 127)\nerror while loading shared libraries"},
             {"silent", "did not answer in"},
             {"garbage", "not usable"}}) {
        const Variable variable("QS_FAKE_START", start.c_str());
        const auto engine = describeEngine(fakeWorker(), start == "silent" ? 0.3 : 20.0);
        ASSERT_FALSE(engine.ok()) << start;
        EXPECT_EQ(engine.error().code, ErrorCode::Unsupported) << start;
        EXPECT_THAT(engine.error().message, HasSubstr(why));
        EXPECT_THAT(childProcesses(), IsEmpty()) << start;
    }
    EXPECT_EQ(describeEngine("/nowhere/worker", 1.0).error().code, ErrorCode::NotFound);
}

}  // namespace
