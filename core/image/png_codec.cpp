#include "core/image/png_codec.h"

#include "core/base/stop.h"

#include <png.h>

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <vector>

// Note [setjmp]: libpng and libjpeg leave a failed call by longjmp. Jumping over a destructor is
// undefined, so the functions that call setjmp have no local with one; whatever they fill belongs
// to their caller.

namespace qs::core {

namespace {

constexpr std::array<std::uint8_t, 8> kSignature{0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
// A chunk of text or of a colour profile may unpack to this much and no more.
constexpr png_alloc_size_t kMaxChunkBytes = png_alloc_size_t{4} << 20U;
constexpr png_uint_32 kMaxChunks = 64;
// Deflate cannot pack more than 1032 bytes into one.
constexpr std::uint64_t kMaxDeflateRatio = 1032;
constexpr float kMidGrey = 0.5F;
constexpr std::size_t kCompressTextFrom = 1024;

struct ErrorText {
    std::array<char, 200> text{};
};

[[noreturn]] void onError(png_structp png, png_const_charp message)
{
    auto* error = static_cast<ErrorText*>(png_get_error_ptr(png));
    std::snprintf(error->text.data(), error->text.size(), "%s", message);
    png_longjmp(png, 1);
}

// Warnings are about parts that do not change the pixels, such as a damaged colour profile.
void onWarning(png_structp, png_const_charp) {}

class Reader final
{
public:
    explicit Reader(std::span<const std::byte> bytes)
        : m_rest(bytes),
          m_png(png_create_read_struct(PNG_LIBPNG_VER_STRING, &m_error, onError, onWarning)),
          m_info(m_png != nullptr ? png_create_info_struct(m_png) : nullptr)
    {
        if (m_info != nullptr)
            png_set_read_fn(m_png, this, &Reader::read);
    }
    ~Reader() { png_destroy_read_struct(&m_png, &m_info, nullptr); }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

    [[nodiscard]] bool valid() const { return m_info != nullptr; }
    [[nodiscard]] png_structp png() const { return m_png; }
    [[nodiscard]] png_infop info() const { return m_info; }
    [[nodiscard]] Error error() const
    {
        return {ErrorCode::Format, "a damaged PNG (" + std::string(m_error.text.data()) +
                                       "); save it again or choose another image"};
    }

private:
    static void read(png_structp png, png_bytep target, std::size_t count)
    {
        auto* self = static_cast<Reader*>(png_get_io_ptr(png));
        if (count > self->m_rest.size())
            png_error(png, "the file is truncated");
        std::memcpy(target, self->m_rest.data(), count);
        self->m_rest = self->m_rest.subspan(count);
    }

    std::span<const std::byte> m_rest;
    ErrorText m_error;
    png_structp m_png;
    png_infop m_info;
};

// Everything before the pixels.
bool readHeader(const Reader& reader)
{
    if (setjmp(png_jmpbuf(reader.png())) != 0)
        return false;
    // The size is checked by us, with a message that says what to do.
    png_set_user_limits(reader.png(), PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_chunk_malloc_max(reader.png(), kMaxChunkBytes);
    png_set_chunk_cache_max(reader.png(), kMaxChunks);
    png_read_info(reader.png(), reader.info());
    return true;
}

Status checkHeader(const Reader& reader, std::size_t fileBytes)
{
    const std::uint64_t width = png_get_image_width(reader.png(), reader.info());
    const std::uint64_t height = png_get_image_height(reader.png(), reader.info());
    QS_RETURN_IF_ERROR(
        checkPictureSize(static_cast<std::int64_t>(width), static_cast<std::int64_t>(height)));
    const std::uint64_t unpacked = height * png_get_rowbytes(reader.png(), reader.info());
    if (unpacked / kMaxDeflateRatio > fileBytes)
        return Error{ErrorCode::Format, "a damaged PNG: its header gives " + std::to_string(width) +
                                            " x " + std::to_string(height) + " pixels, but " +
                                            std::to_string(fileBytes) + " bytes cannot hold them"};
    return {};
}

// Any colour type becomes RGBA of 8 or 16 bits. `passes` is 7 for interlaced pictures, else 1.
bool prepareRgba(const Reader& reader, int& passes)
{
    if (setjmp(png_jmpbuf(reader.png())) != 0)
        return false;
    png_set_expand(reader.png());  // palette, grey below 8 bits, transparent colour
    png_set_gray_to_rgb(reader.png());
    png_set_add_alpha(reader.png(), 0xFFFF, PNG_FILLER_AFTER);
    passes = png_set_interlace_handling(reader.png());
    png_read_update_info(reader.png(), reader.info());
    return true;
}

template <std::size_t kSampleBytes>
void appendRgb(const std::uint8_t* row, std::size_t width, std::vector<float>& values)
{
    constexpr float kLargest = kSampleBytes == 2 ? 65535.0F : 255.0F;
    for (std::size_t x = 0; x < width; ++x, row += 4 * kSampleBytes) {
        std::array<float, 4> rgba{};
        for (std::size_t c = 0; c < 4; ++c) {
            std::uint32_t sample = row[c * kSampleBytes];
            if constexpr (kSampleBytes == 2)
                sample = (sample << 8U) | row[c * kSampleBytes + 1];
            rgba[c] = static_cast<float>(sample) / kLargest;
        }
        for (std::size_t c = 0; c < 3; ++c)
            values.push_back(rgba[3] == 1.0F ? rgba[c]
                                             : rgba[c] * rgba[3] + kMidGrey * (1.0F - rgba[3]));
    }
}

void appendRow(const std::uint8_t* row, std::size_t width, int bits, std::vector<float>& values)
{
    if (bits == 16)
        appendRgb<2>(row, width, values);
    else
        appendRgb<1>(row, width, values);
}

// `rows` holds one row, or all of them if the picture is interlaced.
bool readPixels(const Reader& reader, int passes, int bits, std::vector<std::uint8_t>& rows,
                Picture& picture, const std::stop_token& stop)
{
    if (setjmp(png_jmpbuf(reader.png())) != 0)
        return false;
    const std::size_t rowBytes = png_get_rowbytes(reader.png(), reader.info());
    const auto width = static_cast<std::size_t>(picture.width);
    const auto height = static_cast<std::size_t>(picture.height);
    const std::size_t stride = passes > 1 ? rowBytes : 0;
    for (int pass = 0; pass < passes; ++pass) {
        for (std::size_t y = 0; y < height; ++y) {
            if (stop.stop_requested())
                return false;
            png_read_row(reader.png(), rows.data() + y * stride, nullptr);
            if (pass == passes - 1)
                appendRow(rows.data() + y * stride, width, bits, picture.values);
        }
    }
    png_read_end(reader.png(), nullptr);
    return true;
}

struct Writer {
    ErrorText error;
    std::string bytes;
    png_structp png = nullptr;
    png_infop info = nullptr;

    Writer() = default;
    ~Writer() { png_destroy_write_struct(&png, &info); }
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
};

void appendBytes(png_structp png, png_bytep bytes, std::size_t count)
{
    bool stored = true;
    try {
        static_cast<Writer*>(png_get_io_ptr(png))
            ->bytes.append(reinterpret_cast<const char*>(bytes), count);
    } catch (const std::bad_alloc&) {
        stored = false;  // no exception may cross libpng
    }
    if (!stored)
        png_error(png, "not enough memory");
}

void addText(const Writer& writer, const std::string& keyword, const std::string& text)
{
    png_text entry{};
    entry.compression =
        text.size() >= kCompressTextFrom ? PNG_ITXT_COMPRESSION_zTXt : PNG_ITXT_COMPRESSION_NONE;
    entry.key = const_cast<char*>(keyword.c_str());
    entry.text = const_cast<char*>(text.c_str());
    entry.itxt_length = text.size();
    png_set_text(writer.png, writer.info, &entry, 1);
}

bool writeAll(Writer& writer, const Picture& picture, const PngTexts& texts,
              const std::vector<std::uint8_t>& pixels, const std::stop_token& stop)
{
    if (setjmp(png_jmpbuf(writer.png)) != 0)
        return false;
    png_set_write_fn(writer.png, &writer, appendBytes, nullptr);
    png_set_IHDR(writer.png, writer.info, static_cast<png_uint_32>(picture.width),
                 static_cast<png_uint_32>(picture.height), 8,
                 picture.channels == 3 ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_GRAY,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(writer.png, writer.info, PNG_sRGB_INTENT_PERCEPTUAL);
    for (const auto& [keyword, text] : texts)
        addText(writer, keyword, text);
    png_write_info(writer.png, writer.info);
    const std::size_t rowBytes = pixels.size() / static_cast<std::size_t>(picture.height);
    for (std::size_t start = 0; start < pixels.size(); start += rowBytes) {
        if (stop.stop_requested())
            return false;
        png_write_row(writer.png, pixels.data() + start);
    }
    png_write_end(writer.png, nullptr);
    return true;
}

Status checkText(const std::string& keyword, const std::string& text)
{
    const bool printable =
        std::all_of(keyword.begin(), keyword.end(), [](char c) { return c >= ' ' && c <= '~'; });
    if (keyword.empty() || keyword.size() > 79 || !printable || keyword.front() == ' ' ||
        keyword.back() == ' ' || keyword.find("  ") != std::string::npos)
        return Error{ErrorCode::InvalidArgument,
                     "\"" + keyword + "\" is not a valid keyword for a PNG text"};
    if (text.find('\0') != std::string::npos || text.size() > kMaxChunkBytes)
        return Error{ErrorCode::InvalidArgument,
                     "the PNG text \"" + keyword + "\" contains NUL or is longer than 4 MiB"};
    return {};
}

}  // namespace

bool isPng(std::span<const std::byte> bytes)
{
    return bytes.size() >= kSignature.size() &&
           std::memcmp(bytes.data(), kSignature.data(), kSignature.size()) == 0;
}

Result<Picture> decodePng(std::span<const std::byte> bytes, const std::stop_token& stop)
{
    const Reader reader(bytes);
    if (!reader.valid())
        return Error{ErrorCode::OutOfMemory, "not enough memory to read a PNG"};
    if (!readHeader(reader))
        return reader.error();
    QS_RETURN_IF_ERROR(checkHeader(reader, bytes.size()));
    int passes = 1;
    if (!prepareRgba(reader, passes))
        return reader.error();
    Picture picture;
    picture.width = static_cast<int>(png_get_image_width(reader.png(), reader.info()));
    picture.height = static_cast<int>(png_get_image_height(reader.png(), reader.info()));
    const int bits = png_get_bit_depth(reader.png(), reader.info());
    const std::size_t rowBytes = png_get_rowbytes(reader.png(), reader.info());
    std::vector<std::uint8_t> rows(passes > 1 ? rowBytes * static_cast<std::size_t>(picture.height)
                                              : rowBytes);
    // Reserved, not filled: a file that ends early costs no memory for the rows that it does not
    // have.
    picture.values.reserve(static_cast<std::size_t>(picture.width) *
                           static_cast<std::size_t>(picture.height) * 3);
    const bool whole = readPixels(reader, passes, bits, rows, picture, stop);
    QS_RETURN_IF_ERROR(checkNotStopped(stop));
    if (!whole)
        return reader.error();
    return picture;
}

Result<PngTexts> decodePngTexts(std::span<const std::byte> bytes)
{
    const Reader reader(bytes);
    if (!reader.valid())
        return Error{ErrorCode::OutOfMemory, "not enough memory to read a PNG"};
    if (!readHeader(reader))
        return reader.error();
    png_textp entries = nullptr;
    int count = 0;
    png_get_text(reader.png(), reader.info(), &entries, &count);
    PngTexts texts;
    for (int i = 0; i < count; ++i)
        texts[entries[i].key] = entries[i].text;
    return texts;
}

Result<std::string> encodePng(const Picture& picture, const PngTexts& texts,
                              const std::stop_token& stop)
{
    QS_RETURN_IF_ERROR(checkPicture(picture));
    for (const auto& [keyword, text] : texts)
        QS_RETURN_IF_ERROR(checkText(keyword, text));
    Writer writer;
    writer.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &writer.error, onError, onWarning);
    writer.info = writer.png != nullptr ? png_create_info_struct(writer.png) : nullptr;
    if (writer.info == nullptr)
        return Error{ErrorCode::OutOfMemory, "not enough memory to write a PNG"};
    const bool whole = writeAll(writer, picture, texts, toBytes(picture), stop);
    QS_RETURN_IF_ERROR(checkNotStopped(stop));
    if (!whole)
        return Error{ErrorCode::Internal, "libpng: " + std::string(writer.error.text.data())};
    return std::move(writer.bytes);
}

}  // namespace qs::core
