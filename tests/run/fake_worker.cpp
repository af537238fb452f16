// A worker without an engine: it behaves well or badly as the model of the request says, for tests
// of whoever supervises workers. "fake:NAME" or "fake:NAME:ARGUMENT"; any other model behaves.
// QS_FAKE_START chooses how it behaves before any request, QS_FAKE_CELL_MILLISECONDS how long every
// cell takes.

#include "core/base/npy.h"
#include "core/base/sha256.h"
#include "core/device/description.h"
#include "core/measure/cell_request.h"
#include "core/measure/cell_result.h"
#include "core/measure/script_conversion.h"
#include "core/protocol/channel.h"

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string_view>

namespace {

using namespace qs::core;
using std::chrono::milliseconds;

constexpr int kChannelDescriptor = 3;
constexpr std::string_view kFakeModel = "fake:";
constexpr milliseconds kSendTimeout(10000);
constexpr int kHeartbeatMilliseconds = 20;

class FakeWorker final
{
public:
    FakeWorker() : m_channel(FileDescriptor(kChannelDescriptor)) {}

    int serve();

private:
    void send(const Message& message)
    {
        if (!m_channel.send(message, kSendTimeout).ok())
            ::_exit(1);
    }
    void sendRaw(const std::string& bytes) const
    {
        [[maybe_unused]] const ssize_t written =
            ::write(m_channel.descriptor(), bytes.data(), bytes.size());
    }
    void enter(Phase phase) { send(PhaseChanged{phase}); }
    void describe();
    void convert(const ConvertProgram& convert);
    void runCell(const RunCell& run);
    bool misbehave(const std::string& name, const std::string& argument);
    void finish(const std::string& name, const std::string& argument);
    void fail(FailureKind kind, const std::string& why)
    {
        send(CellFailed{m_requestId, {.kind = kind, .phase = Phase::Measure, .detail = why}});
    }
    // Heartbeats until `milliseconds` have passed (for ever if negative) or the channel closes.
    void beat(int duration, bool progress);
    [[noreturn]] static void stayForEver()
    {
        while (true)
            ::pause();
    }

    Channel m_channel;
    CellRequest m_request;
    std::int64_t m_requestId = 0;
    std::int64_t m_counter = 0;
};

void FakeWorker::beat(int duration, bool progress)
{
    for (int spent = 0; duration < 0 || spent < duration; spent += kHeartbeatMilliseconds) {
        pollfd closed{m_channel.descriptor(), POLLIN, 0};
        if (::poll(&closed, 1, kHeartbeatMilliseconds) > 0)
            ::_exit(0);
        m_counter += progress ? 1 : 0;
        send(Heartbeat{m_counter, Phase::Measure, 0.5, {0.25, 0.5}});
    }
}

void flood(std::size_t bytes, bool lines)
{
    std::string line(4095, 'x');
    line += lines ? '\n' : 'x';
    for (std::size_t sent = 0; sent < bytes; sent += line.size())
        std::fputs(line.c_str(), stdout);
    std::fputs("\nlast words\n", stdout);
    std::fflush(stdout);
}

void startChild(const std::string& pidFile)
{
    const pid_t child = ::fork();
    if (child == 0) {
        while (true)
            ::pause();
    }
    std::ofstream(pidFile) << child;
}

// Everything that does not end with a result. False if `name` is none of these.
bool FakeWorker::misbehave(const std::string& name, const std::string& argument)
{
    if (name == "crash") {
        std::fputs("Fatal error: about to abort", stderr);
        std::abort();
    } else if (name == "segv") {
        ::signal(SIGSEGV, SIG_DFL);  // a sanitizer would turn it into an exit code
        ::raise(SIGSEGV);
    } else if (name == "exit3") {
        std::fputs("cannot go on\n", stderr);
        ::_exit(3);
    } else if (name == "hang") {
        beat(-1, false);
    } else if (name == "silent") {
        stayForEver();
    } else if (name == "ignore-term") {
        ::signal(SIGTERM, SIG_IGN);
        beat(-1, false);
    } else if (name == "garbage") {
        sendRaw("this is not a frame at all, and it is long enough to tell\n");
        stayForEver();
    } else if (name == "oversized") {
        sendRaw(std::string("QSF1\xff\xff\xff\x7f\0\0\0\0", 12));
        stayForEver();
    } else if (name == "half-frame") {
        sendRaw(std::string("QSF1\x40\0\0\0", 8));
        ::_exit(4);
    } else if (name == "closes") {
        m_channel.close();
        stayForEver();
    } else if (name == "wrong-version") {
        // A well-behaved sender refuses to write this.
        const Json hello{{"type", "hello"},   {"protocol_version", 99}, {"worker_version", "9"},
                         {"pid", ::getpid()}, {"torch_version", "9.9"}, {"cuda_version", ""}};
        QS_ASSERT(m_channel.sendPayload(hello.dump(), kSendTimeout).ok());
        stayForEver();
    } else if (name == "bad-result") {
        send(CellFinished{m_requestId, Json{{"nonsense", 1}}});
    } else if (name == "oom") {
        fail(FailureKind::OutOfMemory, "out of memory while measuring");
    } else if (name == "oom-from" && m_request.config.batch >= std::stoi(argument)) {
        fail(FailureKind::OutOfMemory,
             "out of memory at " + std::to_string(m_request.config.batch));
    } else if (name == "host-oom") {
        // As the kernel does: it counts, and then it kills.
        std::string key;
        int count = 0;
        std::ifstream(argument) >> key >> count;
        std::ofstream(argument) << "oom_kill " << count + 1 << "\n";
        ::raise(SIGKILL);
    } else if (name == "unsupported") {
        fail(FailureKind::Unsupported, "this cannot be done here");
    } else if (name == "io") {
        fail(FailureKind::Io, "cannot write outputs: no space left on device");
    } else if (name == "device") {
        fail(FailureKind::Device, "CUDA error: an illegal memory access was encountered");
    } else if (name == "child") {
        startChild(argument);
        std::abort();
    } else if (name == "once" && !std::filesystem::exists(argument)) {
        std::ofstream(argument) << "was here";
        std::abort();
    } else {
        return false;
    }
    return true;
}

// What the process sees of its surroundings, for tests of the way it is started.
std::vector<Note> surroundings()
{
    const auto variable = [](const char* name) {
        const char* value = std::getenv(name);
        return std::string(name) + "=" + (value != nullptr ? value : "(none)");
    };
    std::error_code ignored;
    std::vector<std::string> texts{
        "pid " + std::to_string(::getpid()),
        "group " + std::to_string(::getpgrp()),
        "stdin " + std::filesystem::read_symlink("/proc/self/fd/0", ignored).string(),
        variable("LD_PRELOAD"),
        variable("PYTORCH_CUDA_ALLOC_CONF"),
        variable("TORCH_LOGS"),
        variable("QUANTSCOPE_TORCH_LOGS"),
        variable("QS_FAKE_KEPT")};
    std::string descriptors = "descriptors";
    for (int descriptor = 0; descriptor < 256; ++descriptor) {
        if (::fcntl(descriptor, F_GETFD) >= 0)
            descriptors += " " + std::to_string(descriptor);
    }
    texts.push_back(descriptors);
    std::vector<Note> notes;
    for (const std::string& text : texts)
        notes.push_back({NoteCode::Remark, {text}});
    return notes;
}

// The inputs, a little darker the lower the precision, as outputs of a model.
void FakeWorker::finish(const std::string& name, const std::string& argument)
{
    CellResult result;
    result.phases = {{Phase::Load, 0.001}, {Phase::Measure, 0.002}};
    result.hostSeconds = {0.001, 0.0011, 0.0009};
    result.notes = surroundings();
    result.outputsFinite = name != "nan";
    if (name == "weights")
        result.modelContent = m_request.config.model;
    if (name == "weights" && std::filesystem::exists(argument))
        result.modelContent += ", changed";
    if (m_request.checkpoint) {
        send(CellFinished{m_requestId, toJson(result)});
        return;
    }
    const FloatArray inputs = readNpy(m_request.inputs()).value();
    const auto size = static_cast<std::size_t>(inputs.shape[1] * inputs.shape[2] * inputs.shape[3]);
    const float scale = m_request.config.precision.front() == "bf16" ? 1.0F : 0.75F;
    for (int i = 0; i < static_cast<int>(inputs.shape[0]); ++i) {
        FloatArray output{{inputs.shape[1], inputs.shape[2], inputs.shape[3]}, {}};
        const auto begin = inputs.values.begin() + static_cast<std::ptrdiff_t>(size) * i;
        for (auto value = begin; value != begin + static_cast<std::ptrdiff_t>(size); ++value)
            output.values.push_back(*value * scale);
        const bool kept = i < m_request.keptOutputs;
        const std::string file = "output_" + std::to_string(i) + ".npy";
        if (kept && name != "lost-output")
            QS_ASSERT(writeNpy(m_request.output(file), output).ok());
        result.outputs.push_back({i, kept ? file : "", sha256Hex(encodeNpy(output))});
    }
    send(CellFinished{m_requestId, toJson(result)});
}

void FakeWorker::runCell(const RunCell& run)
{
    m_request = cellRequestFromJson(run.cell).value();
    m_requestId = run.requestId;
    const std::string& model = m_request.config.model;
    // Whoever asks for another model wants the usual: no name.
    const bool asksForFake = model.starts_with(kFakeModel);
    const std::string wish = asksForFake ? model.substr(kFakeModel.size()) : std::string();
    const std::size_t colon = wish.find(':');
    const std::string name = wish.substr(0, colon);
    const std::string argument = colon == std::string::npos ? "" : wish.substr(colon + 1);
    enter(Phase::Load);
    if (name == "mute") {
        ::close(STDOUT_FILENO);
        ::close(STDERR_FILENO);
    }
    enter(Phase::Measure);
    if (misbehave(name, argument))
        return;
    if (name == "slow" || name == "mute")
        beat(std::stoi(argument), true);
    if (name == "flood")
        flood(std::size_t{50} << 20U, true);
    if (name == "flood-line")
        flood(std::size_t{5} << 20U, false);
    if (const char* pause = std::getenv("QS_FAKE_CELL_MILLISECONDS"); pause != nullptr)
        beat(std::stoi(pause), true);
    if (name == "wrong-id")
        send(CellFailed{m_requestId + 1, {.detail = "the answer to another request"}});
    finish(name, argument);
    if (name == "dies-after-result")
        ::_exit(7);
}

void FakeWorker::describe()
{
    DeviceDescription device;
    device.id = "cpu";
    device.name = "Fake processor";
    device.processors = 1;
    const char* python = std::getenv("QUANTSCOPE_PYTHON");
    send(DeviceList{{{"torch", "0.0-fake"},
                     {"cuda", ""},
                     {"python", python == nullptr ? "" : python},
                     {"why_no_gpu", "this worker is a fake"},
                     {"devices", Json::array({toJson(device)})}}});
}

// The first input chooses: "fixed" leaves the batch fixed, "broken" converts nothing, "slow" does
// not end, "unshut" was kept from nothing.
void FakeWorker::convert(const ConvertProgram& convert)
{
    const ConversionRequest request = conversionRequestFromJson(convert.request).value();
    const std::string how = request.inputs.front().name;
    while (how == "slow")
        ::pause();
    if (how == "broken") {
        fail(FailureKind::Unsupported, "aten::nonzero in head");
        return;
    }
    std::ofstream(request.archive) << "converted from " << request.sha256;
    ConversionResult result;
    result.operations = 7;
    if (how == "fixed")
        result.fixedBatch = "view in head";
    result.filesShut = result.networkShut = how != "unshut";
    send(ProgramConverted{toJson(result)});
}

int FakeWorker::serve()
{
    const char* variable = std::getenv("QS_FAKE_START");
    const std::string start = variable != nullptr ? variable : "";
    if (start == "exit") {
        std::fputs("error while loading shared libraries\n", stderr);
        return 127;
    }
    if (start == "silent")
        stayForEver();
    if (start == "talkative")
        flood(std::size_t{1} << 20U, true);
    if (start == "garbage")
        sendRaw("not a frame, but long enough to be told from one");
    send(Hello{kProtocolVersion, "fake", ::getpid(), "0.0-fake", ""});
    while (true) {
        const auto message = m_channel.receive(milliseconds(kHeartbeatMilliseconds));
        if (!message.ok() && message.error().code == ErrorCode::Timeout) {
            send(Heartbeat{m_counter, Phase::Idle, std::nullopt});
            continue;
        }
        if (!message.ok() || !message.value() || std::holds_alternative<Shutdown>(*message.value()))
            return 0;
        if (const auto* run = std::get_if<RunCell>(&*message.value()))
            runCell(*run);
        else if (const auto* program = std::get_if<ConvertProgram>(&*message.value()))
            convert(*program);
        else if (std::holds_alternative<Describe>(*message.value()))
            describe();
    }
}

}  // namespace

int main()
{
    // As the real worker: it dies with the thread that started it, and leaves no core file.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const rlimit noCore{0, 0};
    ::setrlimit(RLIMIT_CORE, &noCore);
    return FakeWorker().serve();
}
