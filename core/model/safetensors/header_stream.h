#pragma once

#include "core/base/files.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>

namespace qs::core {

// Hands the header to the JSON parser byte by byte, so that a header of 100 MB is never in memory
// as a whole. The parser keeps the text of the token at hand, so the stream also bounds tokens: it
// ends early, with a complaint, at a text or number that is too long, and shortens runs of white
// space to one character.
class HeaderStream final
{
public:
    // Bytes [begin, end) of the file. `file` must outlive the stream.
    HeaderStream(const FileDescriptor& file, std::filesystem::path path, std::uint64_t begin,
                 std::uint64_t end, std::size_t textLimit);

    [[nodiscard]] bool atEnd() const { return m_stopped || m_position == m_end; }
    [[nodiscard]] char current() const { return m_buffer[m_position - m_bufferStart]; }
    void advance();

    // File offset of the next byte.
    [[nodiscard]] std::uint64_t position() const { return m_position; }
    // Why the stream ended before its end, if it did.
    [[nodiscard]] const std::optional<Error>& readError() const { return m_readError; }
    [[nodiscard]] const std::string& complaint() const { return m_complaint; }

    // File offset of the first byte from here on that is not a space; nothing if all are.
    [[nodiscard]] std::optional<std::uint64_t> firstNonSpace();

private:
    void step();
    void refill();
    void watchTokens(char byte);

    const FileDescriptor& m_file;
    std::filesystem::path m_path;
    std::uint64_t m_position;
    std::uint64_t m_end;
    std::size_t m_textLimit;
    std::array<char, std::size_t{1} << 16U> m_buffer;
    std::uint64_t m_bufferStart = 0;
    std::uint64_t m_bufferEnd = 0;
    bool m_stopped = false;
    bool m_inText = false;
    bool m_escaped = false;
    std::size_t m_tokenBytes = 0;
    std::optional<Error> m_readError;
    std::string m_complaint;
};

// The stream as the pair of iterators that the JSON parser wants; null is the end.
class HeaderIterator final
{
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = char;

    HeaderIterator() = default;
    explicit HeaderIterator(HeaderStream& stream) : m_stream(&stream) {}

    char operator*() const { return m_stream->current(); }
    HeaderIterator& operator++()
    {
        m_stream->advance();
        return *this;
    }
    bool operator==(const HeaderIterator& other) const { return ended() == other.ended(); }

private:
    [[nodiscard]] bool ended() const { return m_stream == nullptr || m_stream->atEnd(); }
    HeaderStream* m_stream = nullptr;
};

}  // namespace qs::core
