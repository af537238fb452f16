#pragma once

#include "core/base/files.h"
#include "core/base/result.h"
#include "core/protocol/frame.h"
#include "core/protocol/messages.h"

#include <chrono>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace qs::core {

// One end of the connection between the supervising process and a worker. One thread may send while
// another receives; two senders, or two receivers, need a lock of their own. Closed at the end of
// its life.
class Channel final
{
public:
    // `socket` must be a stream socket; the channel owns it.
    explicit Channel(FileDescriptor socket) : m_socket(std::move(socket)) {}

    // Two connected ends; both are closed on exec.
    [[nodiscard]] static Result<std::pair<Channel, Channel>> createPair();

    // For poll(); -1 after close().
    [[nodiscard]] int descriptor() const { return m_socket.get(); }

    // Sends the whole frame or fails: Timeout if the other side does not read, Io if it has closed.
    // Once part of a frame is under way, a failure is final; a Timeout before that is not.
    [[nodiscard]] Status sendPayload(std::string_view payload, std::chrono::milliseconds timeout);
    [[nodiscard]] Status send(const Message& message, std::chrono::milliseconds timeout);

    // The next payload; nothing if the other side has closed in good order. Timeout if none came in
    // time (the connection stays usable), Format if the stream is damaged or ended inside a frame.
    [[nodiscard]] Result<std::optional<std::string>>
    receivePayload(std::chrono::milliseconds timeout);
    [[nodiscard]] Result<std::optional<Message>> receive(std::chrono::milliseconds timeout);

    void close() { m_socket = FileDescriptor(); }

private:
    [[nodiscard]] Result<bool> readSomeBytes();

    FileDescriptor m_socket;
    bool m_sendFailed = false;  // of the sending thread
    FrameReader m_reader;       // from here on: of the receiving thread
    std::deque<std::string> m_received;
    bool m_ended = false;
};

}  // namespace qs::core
