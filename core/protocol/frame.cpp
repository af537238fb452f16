#include "core/protocol/frame.h"

#include <zlib.h>

#include <algorithm>

namespace qs::core {

namespace {

constexpr std::string_view kMagic = "QSF1";
constexpr std::size_t kLengthOffset = 4;
constexpr std::size_t kChecksumOffset = 8;

std::uint32_t checksumOf(std::string_view payload)
{
    return static_cast<std::uint32_t>(
        crc32_z(0, reinterpret_cast<const Bytef*>(payload.data()), payload.size()));
}

void putNumber(std::string& bytes, std::uint32_t value)
{
    for (unsigned shift = 0; shift < 32; shift += 8)
        bytes += static_cast<char>((value >> shift) & 255U);
}

std::uint32_t numberAt(std::string_view bytes, std::size_t offset)
{
    std::uint32_t value = 0;
    for (std::size_t i = 4; i-- > 0;)
        value = (value << 8U) | static_cast<unsigned char>(bytes[offset + i]);
    return value;
}

Error badStream(const std::string& why)
{
    return {ErrorCode::Format, "not a stream of QuantScope messages: " + why};
}

// Moves the first bytes of `from` to `to`, until `to` has `wanted` bytes. True if it has.
bool fillUp(std::string& to, std::size_t wanted, std::string_view& from)
{
    const std::size_t count = std::min(wanted - to.size(), from.size());
    to.append(from.substr(0, count));
    from.remove_prefix(count);
    return to.size() == wanted;
}

}  // namespace

Result<std::string> encodeFrame(std::string_view payload)
{
    if (payload.size() > kMaximumPayloadBytes)
        return Error{ErrorCode::InvalidArgument, "a message of " + std::to_string(payload.size()) +
                                                     " bytes is larger than the limit of " +
                                                     std::to_string(kMaximumPayloadBytes)};
    std::string frame(kMagic);
    frame.reserve(kFrameHeaderBytes + payload.size());
    putNumber(frame, static_cast<std::uint32_t>(payload.size()));
    putNumber(frame, checksumOf(payload));
    frame += payload;
    return frame;
}

Result<std::vector<std::string>> FrameReader::feed(std::span<const std::byte> bytes)
{
    if (m_error)
        return *m_error;
    std::vector<std::string> payloads;
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (const Status status = take(text, payloads); !status.ok()) {
        m_error = status.error();
        if (payloads.empty())
            return *m_error;
    }
    return payloads;
}

Status FrameReader::take(std::string_view bytes, std::vector<std::string>& payloads)
{
    while (!bytes.empty()) {
        if (m_header.size() < kFrameHeaderBytes) {
            fillUp(m_header, kFrameHeaderBytes, bytes);
            QS_RETURN_IF_ERROR(checkHeader());
        }
        if (m_header.size() < kFrameHeaderBytes || !fillUp(m_payload, m_length, bytes))
            break;
        QS_RETURN_IF_ERROR(checkPayload());
        payloads.push_back(std::move(m_payload));
        m_payload = {};
        m_header.clear();
    }
    return {};
}

Status FrameReader::checkHeader()
{
    const std::size_t seen = std::min(m_header.size(), kMagic.size());
    if (m_header.compare(0, seen, kMagic.substr(0, seen)) != 0)
        return badStream("wrong magic");
    if (m_header.size() < kFrameHeaderBytes)
        return {};
    m_length = numberAt(m_header, kLengthOffset);
    m_checksum = numberAt(m_header, kChecksumOffset);
    if (m_length > kMaximumPayloadBytes)
        return badStream("a message header gives " + std::to_string(m_length) +
                         " bytes, more than the limit of " + std::to_string(kMaximumPayloadBytes));
    return {};
}

Status FrameReader::checkPayload() const
{
    if (checksumOf(m_payload) == m_checksum)
        return {};
    return badStream("the checksum of a message of " + std::to_string(m_length) +
                     " bytes does not match");
}

Status FrameReader::finish() const
{
    if (m_error)
        return *m_error;
    if (bufferedBytes() == 0)
        return {};
    return badStream("it ended inside a message, after " + std::to_string(bufferedBytes()) +
                     " bytes of it");
}

std::size_t FrameReader::bufferedBytes() const
{
    return m_header.size() + m_payload.size();
}

}  // namespace qs::core
