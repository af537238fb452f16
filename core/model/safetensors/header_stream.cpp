#include "core/model/safetensors/header_stream.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

namespace qs::core {

namespace {

// The longest number that the format allows has 15 digits; true, false and null are shorter.
constexpr std::size_t kLongestBareToken = 64;

bool isWhiteSpace(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

bool isStructural(char byte)
{
    return std::string_view("{}[]:,").find(byte) != std::string_view::npos;
}

}  // namespace

HeaderStream::HeaderStream(const FileDescriptor& file, std::filesystem::path path,
                           std::uint64_t begin, std::uint64_t end, std::size_t textLimit)
    : m_file(file),
      m_path(std::move(path)),
      m_position(begin),
      m_end(end),
      m_textLimit(textLimit),
      m_bufferStart(begin),
      m_bufferEnd(begin)
{
    refill();
}

void HeaderStream::refill()
{
    if (m_position != m_bufferEnd || m_position == m_end)
        return;
    const std::uint64_t count = std::min<std::uint64_t>(m_buffer.size(), m_end - m_position);
    const auto target = std::as_writable_bytes(std::span(m_buffer)).first(count);
    if (const Status status = readExactlyAt(m_file, target, m_position, m_path); !status.ok()) {
        m_readError = status.error();
        m_stopped = true;
        return;
    }
    m_bufferStart = m_position;
    m_bufferEnd = m_position + count;
}

void HeaderStream::step()
{
    ++m_position;
    refill();
}

void HeaderStream::advance()
{
    const char consumed = current();
    watchTokens(consumed);
    if (m_stopped)
        return;
    step();
    if (m_inText || !isWhiteSpace(consumed))
        return;
    while (!atEnd() && isWhiteSpace(current()))
        step();
}

void HeaderStream::watchTokens(char byte)
{
    if (m_inText) {
        if (!m_escaped && byte == '"') {
            m_inText = false;
            m_tokenBytes = 0;
            return;
        }
        m_escaped = !m_escaped && byte == '\\';
    } else if (byte == '"') {
        m_inText = true;
        m_escaped = false;
        m_tokenBytes = 0;
        return;
    } else if (isStructural(byte) || isWhiteSpace(byte)) {
        m_tokenBytes = 0;
        return;
    }
    const std::size_t limit = m_inText ? m_textLimit : kLongestBareToken;
    if (++m_tokenBytes > limit) {
        m_complaint = std::string(m_inText ? "a text" : "a number or word") + " is longer than " +
                      std::to_string(limit) + " bytes";
        m_stopped = true;
    }
}

std::optional<std::uint64_t> HeaderStream::firstNonSpace()
{
    while (!atEnd() && current() == ' ')
        step();
    if (atEnd())
        return std::nullopt;
    return m_position;
}

}  // namespace qs::core
