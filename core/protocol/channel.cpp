#include "core/protocol/channel.h"

#include "core/protocol/message_codec.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace qs::core {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kReadBytes = std::size_t{64} << 10U;

Error channelError(std::string_view action, int errorNumber)
{
    if (errorNumber == EPIPE || errorNumber == ECONNRESET)
        return {ErrorCode::Io,
                "cannot " + std::string(action) + ": connection closed by the other process"};
    return {ErrorCode::Io, "cannot " + std::string(action) + ": " + systemMessage(errorNumber)};
}

bool wouldWait(int errorNumber)
{
    return errorNumber == EAGAIN || errorNumber == EWOULDBLOCK || errorNumber == EINTR;
}

// Waits until the socket is ready for `events` (or has failed, which the next call on it will
// tell).
Status waitFor(int descriptor, short events, Clock::time_point deadline, std::string_view action)
{
    while (true) {
        // Rounded up: a wait of zero would poll busily during the last millisecond.
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
        pollfd entry{descriptor, events, 0};
        const auto milliseconds = std::clamp<std::int64_t>(left.count(), 0, 1'000'000'000);
        const int count = ::poll(&entry, 1, static_cast<int>(milliseconds));
        if (count > 0)
            return {};
        if (count < 0 && errno != EINTR)
            return channelError(action, errno);
        if (Clock::now() >= deadline)
            return Error{ErrorCode::Timeout, "no answer in time: cannot " + std::string(action)};
    }
}

}  // namespace

Result<std::pair<Channel, Channel>> Channel::createPair()
{
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return channelError("create a connection", errno);
    return std::pair(Channel(FileDescriptor(ends[0])), Channel(FileDescriptor(ends[1])));
}

Status Channel::sendPayload(std::string_view payload, std::chrono::milliseconds timeout)
{
    constexpr std::string_view kAction = "send a message";
    if (m_sendFailed || !m_socket.valid())
        return Error{ErrorCode::Io, "cannot send a message: the connection is closed or broken"};
    QS_TRY(const std::string frame, encodeFrame(payload));
    const Clock::time_point deadline = Clock::now() + timeout;
    std::string_view rest = frame;
    while (!rest.empty()) {
        const ssize_t count =
            ::send(m_socket.get(), rest.data(), rest.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count >= 0) {
            rest.remove_prefix(static_cast<std::size_t>(count));
            continue;
        }
        Status status = wouldWait(errno) ? waitFor(m_socket.get(), POLLOUT, deadline, kAction)
                                         : Status(channelError(kAction, errno));
        if (!status.ok()) {
            // A frame that has not begun may be tried again; half a frame may not be followed by
            // another.
            m_sendFailed = status.error().code != ErrorCode::Timeout || rest.size() < frame.size();
            return status;
        }
    }
    return {};
}

Status Channel::send(const Message& message, std::chrono::milliseconds timeout)
{
    QS_TRY(const std::string payload, encodeMessage(message));
    return sendPayload(payload, timeout);
}

// False if nothing is there yet.
Result<bool> Channel::readSomeBytes()
{
    std::array<std::byte, kReadBytes> buffer;
    const ssize_t count = ::recv(m_socket.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    // A peer that died with unread bytes of ours resets the connection: for us that is its end.
    if (count < 0 && errno != ECONNRESET) {
        if (wouldWait(errno))
            return false;
        return channelError("receive a message", errno);
    }
    if (count <= 0) {
        m_ended = true;
        return true;
    }
    QS_TRY(auto payloads, m_reader.feed(std::span(buffer).first(static_cast<std::size_t>(count))));
    std::move(payloads.begin(), payloads.end(), std::back_inserter(m_received));
    return true;
}

Result<std::optional<std::string>> Channel::receivePayload(std::chrono::milliseconds timeout)
{
    const Clock::time_point deadline = Clock::now() + timeout;
    while (m_received.empty()) {
        if (m_reader.error())
            return *m_reader.error();
        if (m_ended) {
            QS_RETURN_IF_ERROR(m_reader.finish());
            return std::optional<std::string>();
        }
        if (!m_socket.valid())
            return Error{ErrorCode::Io, "cannot receive a message: the connection is closed"};
        QS_TRY(const bool arrived, readSomeBytes());
        if (!arrived)
            QS_RETURN_IF_ERROR(waitFor(m_socket.get(), POLLIN, deadline, "receive a message"));
    }
    std::string payload = std::move(m_received.front());
    m_received.pop_front();
    return std::optional(std::move(payload));
}

Result<std::optional<Message>> Channel::receive(std::chrono::milliseconds timeout)
{
    QS_TRY(const std::optional<std::string> payload, receivePayload(timeout));
    if (!payload)
        return std::optional<Message>();
    QS_TRY(Message message, decodeMessage(*payload));
    return std::optional(std::move(message));
}

}  // namespace qs::core
