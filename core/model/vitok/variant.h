#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core::vitok {

// One side (encoder or decoder) of a ViTok autoencoder.
struct Side {
    std::int64_t width = 0;
    std::int64_t depth = 0;
    std::int64_t heads = 0;

    bool operator==(const Side&) const = default;
    [[nodiscard]] std::int64_t headWidth() const { return width / heads; }
};

// The architecture of one ViTok model.
struct Variant {
    Side encoder;
    Side decoder;
    std::int64_t patch = 16;         // pixels per side of a token
    std::int64_t channels = 64;      // values per token of the code
    std::int64_t encoderHidden = 0;  // width of the SwiGLU
    std::int64_t decoderHidden = 0;

    bool operator==(const Variant&) const = default;
    [[nodiscard]] std::int64_t pixelsPerToken() const { return 3 * patch * patch; }
};

// SwiGLU width: int(factor · width) rounded to a multiple of 16, halves up.
[[nodiscard]] std::int64_t swigluHidden(std::int64_t width, double factor);

// "{encoder}-{decoder}/{temporal}x{patch}x{channels}", "{side}/…" for both sides,
// "…/{patch}x{channels}". A side is a base letter B L G T E with overrides ("Ld4"), or
// "w256_d2_h4[_m2.67]". Sides that cannot be built (width not a multiple of the heads, head width
// not a multiple of 4) are refused with the reason, as is a temporal patch above 1.
[[nodiscard]] Result<Variant> parseVariant(std::string_view text);

// The same in canonical form: "w1024_d4_h16-w1024_d24_h16/1x16x64".
[[nodiscard]] std::string toText(const Variant& variant);

struct PublishedModel {
    std::string_view name;     // "350M-f16x64"
    std::string_view variant;  // "Ld4-Ld24/1x16x64"
    std::string_view oldName;  // name before the patch size became part of it; empty if none
};
[[nodiscard]] const std::vector<PublishedModel>& publishedModels();
// Null if it is none; knows old names too.
[[nodiscard]] const PublishedModel* findPublished(std::string_view name);

}  // namespace qs::core::vitok
