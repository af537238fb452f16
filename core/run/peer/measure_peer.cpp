#include "core/run/peer/measure_peer.h"

#include "core/base/child_process.h"
#include "core/base/clean_text.h"
#include "core/base/files.h"
#include "core/record/reference_results.h"
#include "core/report/words/failure_text.h"

#include <algorithm>
#include <utility>

namespace qs::core {

namespace fs = std::filesystem;

namespace {

constexpr const char* kPeerResults = "torch_compile.json";
constexpr std::uint64_t kLargestPeerLog = std::uint64_t{16} << 20U;
constexpr std::size_t kPeerLogTail = 2000;

// Tells the lines of a log that grows.
class GrowingLog final
{
public:
    GrowingLog(fs::path file, const std::function<void(const std::string&)>& told)
        : m_file(std::move(file)), m_told(told)
    {
    }

    void look()
    {
        const auto text = readTextFile(m_file, kLargestPeerLog);
        if (!text.ok())
            return;
        const std::string& all = text.value();
        for (std::size_t end = all.find('\n', m_begin); end != std::string::npos;
             end = all.find('\n', m_begin)) {
            m_told(cleanLine(all.substr(m_begin, end - m_begin)));
            m_begin = end + 1;
        }
    }
    [[nodiscard]] std::string tail() const
    {
        const auto text = readTextFile(m_file, kLargestPeerLog);
        const std::string all = text.ok() ? text.value() : std::string();
        return cleanText(all.substr(all.size() - std::min(all.size(), kPeerLogTail)));
    }

private:
    fs::path m_file;
    const std::function<void(const std::string&)>& m_told;
    std::size_t m_begin = 0;  // of the next line
};

CellRequest archiveRequest(const PeerRequest& request, const PeerBatch& batch,
                           const fs::path& folder, const PeerPlaces& places)
{
    CellRequest cell;
    cell.config = batch.config;
    // Written for the CPU, whatever it is to run on: no GPU is needed, and the script moves it.
    cell.config.device = "cpu";
    cell.checkpoint = CheckpointFormat::ExportedProgram;
    cell.resourceFolder = places.resources.string();
    cell.cacheFolder = places.cache.string();
    cell.feeding = request.feeding;
    cell.runFolder = folder.string();
    cell.outputFolder = peerBatchFolder(batch);
    return cell;
}

}  // namespace

Status preparePeer(const PeerRequest& request, const fs::path& folder, const PeerPlaces& places,
                   SupervisorSwitch& control, const SupervisorHooks& hooks)
{
    std::error_code error;
    const fs::path absolute = fs::absolute(folder, error);
    QS_RETURN_IF_ERROR(writePeerRequest(request, absolute));
    CellSupervisor supervisor(places.worker, control, hooks);
    for (const PeerBatch& batch : request.batches) {
        QS_TRY(const CellOutcome outcome,
               supervisor.run(archiveRequest(request, batch, absolute, places), true));
        if (!outcome.ok())
            return Error{ErrorCode::Unsupported, failureText(*outcome.failure)};
    }
    supervisor.endWorker();
    return {};
}

Result<fs::path> runPeer(const fs::path& python, const fs::path& folder,
                         const std::function<void(const std::string& line)>& told,
                         const std::function<bool()>& goesOn)
{
    const fs::path results = folder / kPeerResults;
    const ChildCommand command{
        .program = python,
        .arguments = {(folder / "measure_peer.py").string(), (folder / "request.json").string(),
                      results.string()},
        // Libraries that came with this program are none of Python's.
        .variables = {{"LD_LIBRARY_PATH", ""}, {"MEASURE_PEER_ENDS_WITH_PARENT", "1"}},
        .log = folder / "log.txt"};
    GrowingLog log(command.log, told);
    QS_TRY(const ChildEnd end, runChild(command, [&] {
               log.look();
               return goesOn();
           }));
    log.look();
    if (!end.succeeded())
        return Error{ErrorCode::Internal,
                     "the measurement in Python failed (" +
                         (end.signal != 0 ? "killed by signal " + std::to_string(end.signal)
                                          : "exit code " + std::to_string(end.exitCode)) +
                         "): " + log.tail()};
    QS_RETURN_IF_ERROR(readReferenceResults(results));
    return results;
}

}  // namespace qs::core
