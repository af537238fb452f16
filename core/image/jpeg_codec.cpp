#include "core/image/jpeg_codec.h"

#include "core/base/stop.h"
#include "core/image/exif.h"

#include <array>
#include <csetjmp>
#include <cstdio>
#include <string>
#include <vector>

#include <jpeglib.h>  // needs size_t and FILE declared before it

#include <jerror.h>

// See Note [setjmp] in png_codec.cpp.

namespace qs::core {

namespace {

// Progressive files written by real programs have about ten; each costs a pass over all
// coefficients.
constexpr int kMaxScans = 100;
// A block of the first scan takes at least one bit, and a bit stands for at most 32 x 32 pixels.
constexpr std::int64_t kMaxPixelsPerByte = 8 * 32 * 32;

struct Decoder {
    // First member: libjpeg hands out the address of the error manager, from which we find the
    // rest.
    jpeg_error_mgr errors{};
    std::jmp_buf jump{};
    std::array<char, JMSG_LENGTH_MAX> message{};
    jpeg_progress_mgr progress{};
    jpeg_decompress_struct info{};
    std::stop_token stop;
    bool created = false;

    Decoder() = default;
    ~Decoder()
    {
        if (created)
            jpeg_destroy_decompress(&info);
    }
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;

    [[nodiscard]] Error error() const
    {
        return {ErrorCode::Format, "a damaged JPEG (" + std::string(message.data()) +
                                       "); save it again or choose another image"};
    }
};

Decoder& decoderOf(j_common_ptr info)
{
    return *static_cast<Decoder*>(info->client_data);
}

[[noreturn]] void onError(j_common_ptr info)
{
    Decoder& decoder = decoderOf(info);
    info->err->format_message(info, decoder.message.data());
    std::longjmp(decoder.jump, 1);
}

// Level -1 is a warning: the data are damaged and the library would go on with invented pixels.
// Bytes between segments and unknown version numbers change no pixel.
void onMessage(j_common_ptr info, int level)
{
    const int code = info->err->msg_code;
    const bool harmless =
        code == JWRN_EXTRANEOUS_DATA || code == JWRN_JFIF_MAJOR || code == JWRN_ADOBE_XFORM;
    if (level < 0 && !harmless)
        onError(info);
}

void onProgress(j_common_ptr info)
{
    Decoder& decoder = decoderOf(info);
    // All scans of a progressive file are read before its first row.
    if (decoder.stop.stop_requested())
        std::longjmp(decoder.jump, 1);
    if (decoder.info.input_scan_number <= kMaxScans)
        return;
    std::snprintf(decoder.message.data(), decoder.message.size(), "more than %d scans", kMaxScans);
    std::longjmp(decoder.jump, 1);
}

bool readHeader(Decoder& decoder, std::span<const std::byte> bytes)
{
    decoder.info.err = jpeg_std_error(&decoder.errors);
    decoder.errors.error_exit = onError;
    decoder.errors.emit_message = onMessage;
    decoder.info.client_data = &decoder;
    if (setjmp(decoder.jump) != 0)
        return false;
    jpeg_create_decompress(&decoder.info);
    decoder.created = true;
    decoder.progress.progress_monitor = onProgress;
    decoder.info.progress = &decoder.progress;
    jpeg_mem_src(&decoder.info, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
    jpeg_save_markers(&decoder.info, JPEG_APP0 + 1, 0xFFFF);
    jpeg_read_header(&decoder.info, TRUE);
    return true;
}

Status checkHeader(const jpeg_decompress_struct& info, std::size_t fileBytes)
{
    const auto width = static_cast<std::int64_t>(info.image_width);
    const auto height = static_cast<std::int64_t>(info.image_height);
    QS_RETURN_IF_ERROR(checkPictureSize(width, height));
    if (info.arith_code != FALSE)
        return Error{ErrorCode::Unsupported,
                     "a JPEG with arithmetic coding; save it as a baseline JPEG or as PNG"};
    if (info.jpeg_color_space != JCS_GRAYSCALE && info.jpeg_color_space != JCS_YCbCr &&
        info.jpeg_color_space != JCS_RGB)
        return Error{ErrorCode::Unsupported,
                     "a JPEG that is neither grey nor RGB (CMYK?); convert it to sRGB first"};
    if (width * height / kMaxPixelsPerByte > static_cast<std::int64_t>(fileBytes))
        return Error{ErrorCode::Format, "a damaged JPEG: its header gives " +
                                            std::to_string(width) + " x " + std::to_string(height) +
                                            " pixels, but " + std::to_string(fileBytes) +
                                            " bytes cannot hold them"};
    return {};
}

int orientationOf(const jpeg_decompress_struct& info)
{
    for (const jpeg_marker_struct* marker = info.marker_list; marker != nullptr;
         marker = marker->next) {
        const int orientation =
            exifOrientation(std::as_bytes(std::span(marker->data, marker->data_length)));
        if (orientation != 1)
            return orientation;
    }
    return 1;
}

void appendRow(const std::vector<JSAMPLE>& row, std::vector<float>& values)
{
    for (const JSAMPLE sample : row)
        values.push_back(static_cast<float>(sample) / 255.0F);
}

bool readPixels(Decoder& decoder, std::vector<JSAMPLE>& row, Picture& picture)
{
    if (setjmp(decoder.jump) != 0)
        return false;
    decoder.info.out_color_space = JCS_RGB;
    decoder.info.dct_method = JDCT_ISLOW;  // the exact one: every machine gives the same pixels
    jpeg_start_decompress(&decoder.info);
    while (decoder.info.output_scanline < decoder.info.output_height) {
        JSAMPROW target = row.data();
        jpeg_read_scanlines(&decoder.info, &target, 1);
        appendRow(row, picture.values);
    }
    jpeg_finish_decompress(&decoder.info);
    return true;
}

}  // namespace

bool isJpeg(std::span<const std::byte> bytes)
{
    return bytes.size() >= 3 && bytes[0] == std::byte{0xFF} && bytes[1] == std::byte{0xD8} &&
           bytes[2] == std::byte{0xFF};
}

Result<Picture> decodeJpeg(std::span<const std::byte> bytes, const std::stop_token& stop)
{
    Decoder decoder;
    decoder.stop = stop;
    if (!readHeader(decoder, bytes))
        return decoder.error();
    QS_RETURN_IF_ERROR(checkHeader(decoder.info, bytes.size()));
    const int orientation = orientationOf(decoder.info);  // the markers go with the last row
    Picture picture;
    picture.width = static_cast<int>(decoder.info.image_width);
    picture.height = static_cast<int>(decoder.info.image_height);
    std::vector<JSAMPLE> row(static_cast<std::size_t>(picture.width) * 3);
    picture.values.reserve(row.size() * static_cast<std::size_t>(picture.height));
    const bool whole = readPixels(decoder, row, picture);
    QS_RETURN_IF_ERROR(checkNotStopped(stop));
    if (!whole)
        return decoder.error();
    return applyOrientation(std::move(picture), orientation);
}

}  // namespace qs::core
