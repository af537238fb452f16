#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// A frame on the socket between the window's process and a worker: 12 bytes of header and the
// payload.
//
//     4 bytes  "QSF1"
//     4 bytes  length of the payload, little-endian, at most 16 MiB
//     4 bytes  CRC-32 (zlib) of the payload, little-endian
//     …        payload: one message as UTF-8 JSON, see messages.h

inline constexpr std::size_t kFrameHeaderBytes = 12;
inline constexpr std::size_t kMaximumPayloadBytes = std::size_t{16} << 20U;

// InvalidArgument if the payload is larger than the limit.
[[nodiscard]] Result<std::string> encodeFrame(std::string_view payload);

// Takes the bytes of a stream in pieces of any size and hands out whole payloads. Between calls it
// holds at most one unfinished frame, and memory grows with the bytes that came, never with a
// length that was only claimed. After an error the stream is lost: every later call gives the same
// error.
class FrameReader final
{
public:
    // The payloads that these bytes complete, in order. Format errors: wrong magic, length over the
    // limit, wrong checksum. Payloads complete before the bad place are still handed out; the error
    // is then that of the next call.
    [[nodiscard]] Result<std::vector<std::string>> feed(std::span<const std::byte> bytes);
    // To be asked when the stream has ended: a Format error if it ended inside a frame.
    [[nodiscard]] Status finish() const;
    // Why nothing more will come, if so.
    [[nodiscard]] const std::optional<Error>& error() const { return m_error; }
    // Bytes of the unfinished frame held back.
    [[nodiscard]] std::size_t bufferedBytes() const;

private:
    [[nodiscard]] Status take(std::string_view bytes, std::vector<std::string>& payloads);
    [[nodiscard]] Status checkHeader();
    [[nodiscard]] Status checkPayload() const;

    std::string m_header;
    std::string m_payload;
    std::uint32_t m_length = 0;
    std::uint32_t m_checksum = 0;
    std::optional<Error> m_error;
};

}  // namespace qs::core
