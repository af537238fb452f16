#include "core/report/ustar.h"

#include <filesystem>

namespace qs::core {

namespace {

// POSIX pax(1), "ustar Interchange Format": offsets and widths of the header.
constexpr std::size_t kBlock = 512;
constexpr std::size_t kNameBytes = 100;
constexpr std::uint64_t kMostFileBytes = std::uint64_t{1} << 33U;  // 11 octal digits

void put(std::string& header, std::size_t offset, std::string_view text)
{
    header.replace(offset, text.size(), text);
}

std::string octal(std::uint64_t value, std::size_t digits)
{
    std::string text(digits, '0');
    for (std::size_t i = digits; i-- > 0; value >>= 3U)
        text[i] = static_cast<char>('0' + (value & 7U));
    return text;
}

std::string headerOf(std::string_view name, std::uint64_t bytes)
{
    std::string header(kBlock, '\0');
    put(header, 0, name);
    put(header, 100, octal(0644, 7));
    put(header, 108, octal(0, 7));  // user
    put(header, 116, octal(0, 7));  // group
    put(header, 124, octal(bytes, 11));
    put(header, 136, octal(0, 11));  // time
    put(header, 148, "        ");    // the checksum counts itself as spaces
    put(header, 156, "0");           // a regular file
    put(header, 257,
        std::string_view("ustar\0"
                         "00",
                         8));
    std::uint64_t sum = 0;
    for (const char c : header)
        sum += static_cast<unsigned char>(c);
    put(header, 148, octal(sum, 6) + std::string(1, '\0') + " ");
    return header;
}

bool isSafeName(const std::string& name)
{
    const std::filesystem::path path(name);
    if (name.empty() || path.is_absolute() || name.find('\0') != std::string::npos)
        return false;
    for (const auto& part : path) {
        if (part == "..")
            return false;
    }
    return true;
}

}  // namespace

// The size is known at the end.
Status UstarWriter::begin(const std::string& name)
{
    if (!isSafeName(name) || name.size() > kNameBytes)
        return Error{ErrorCode::InvalidArgument, "\"" + name + "\" cannot be a name in an archive"};
    m_name = name;
    m_header = m_file.size();
    return m_file.write(std::string(kBlock, '\0'));
}

Status UstarWriter::end()
{
    const std::uint64_t bytes = m_file.size() - m_header - kBlock;
    if (bytes >= kMostFileBytes)
        return Error{ErrorCode::InvalidArgument, m_name + " is too large for an archive"};
    QS_RETURN_IF_ERROR(m_file.write(std::string((kBlock - bytes % kBlock) % kBlock, '\0')));
    return m_file.rewrite(m_header, headerOf(m_name, bytes));
}

Status UstarWriter::finish()
{
    return m_file.write(std::string(2 * kBlock, '\0'));
}

}  // namespace qs::core
