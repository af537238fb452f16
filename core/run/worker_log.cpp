#include "core/run/worker_log.h"

#include "core/base/format.h"

#include <utility>

namespace qs::core {

namespace {

constexpr std::size_t kTailBytes = 8192;

}  // namespace

WorkerLog::WorkerLog(std::function<void(const std::string& line)> emit, std::size_t mostBytes)
    : m_emit(std::move(emit)), m_mostBytes(mostBytes)
{
}

void WorkerLog::begin()
{
    m_unfinishedLine.clear();
    m_tail.clear();
    m_bytes = 0;
    m_droppedBytes = 0;
}

void WorkerLog::add(const std::string& text)
{
    m_unfinishedLine += text;
    std::size_t begin = 0;
    for (auto end = m_unfinishedLine.find('\n'); end != std::string::npos;
         end = m_unfinishedLine.find('\n', begin)) {
        addLine(m_unfinishedLine.substr(begin, end - begin));
        begin = end + 1;
    }
    m_unfinishedLine.erase(0, begin);
    // A line without an end is cut, so that a flood stays bounded.
    if (m_unfinishedLine.size() > kTailBytes)
        addLine(std::exchange(m_unfinishedLine, {}));
}

void WorkerLog::addLine(const std::string& line)
{
    m_tail += line + "\n";
    // Trimmed now and then: at every line it would cost more than the output itself.
    if (m_tail.size() > 4 * kTailBytes)
        m_tail.erase(0, m_tail.size() - kTailBytes);
    m_bytes += line.size() + 1;
    if (m_bytes <= m_mostBytes)
        m_emit(line);
    else
        m_droppedBytes += line.size() + 1;
}

void WorkerLog::end()
{
    if (!m_unfinishedLine.empty())
        addLine(std::exchange(m_unfinishedLine, {}));
    if (m_droppedBytes > 0)
        m_emit("(" + formatBytes(static_cast<double>(m_droppedBytes)) + " of output were omitted)");
    m_droppedBytes = 0;
    if (m_tail.size() > kTailBytes)
        m_tail.erase(0, m_tail.size() - kTailBytes);
}

}  // namespace qs::core
