#include "core/model/safetensors/header.h"

#include "core/model/safetensors/header_stream.h"
#include "core/model/safetensors/tensor_name.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace qs::core {

namespace {

using Json = nlohmann::json;

// The shortest text of one tensor: an empty name, a two-letter type, a scalar, one-digit offsets, a
// comma.
constexpr std::uint64_t kShortestTensorText = 49;
constexpr std::array<const char*, 3> kMembers{"dtype", "shape", "data_offsets"};
constexpr std::size_t kOffsetCount = 2;

// Follows the three levels of the format: header, tensor (or metadata), list of numbers. Whatever
// does not belong is refused where it starts, so nesting cannot go deeper than that.
class HeaderHandler final : public nlohmann::json_sax<Json>
{
public:
    HeaderHandler(const HeaderStream& stream, std::uint64_t headerBytes,
                  const SafetensorsLimits& limits)
        : m_stream(stream), m_limits(limits)
    {
        m_header.tensors.reserve(
            std::min<std::uint64_t>(limits.tensors, headerBytes / kShortestTensorText));
    }

    [[nodiscard]] const std::string& complaint() const { return m_complaint; }
    [[nodiscard]] SafetensorsHeader take() { return std::move(m_header); }

    bool null() override { return unexpected("null"); }
    bool boolean(bool) override { return unexpected("true or false"); }
    bool binary(binary_t&) override { return unexpected("binary data"); }
    bool number_integer(number_integer_t value) override
    {
        return inList() ? refuse(listName() + " has the negative number " + std::to_string(value))
                        : unexpected("a number");
    }
    bool number_float(number_float_t, const string_t& text) override
    {
        return inList() ? refuse(listName() + " has " + text + ", not a whole number up to 2^48-1")
                        : unexpected("a number");
    }
    bool number_unsigned(number_unsigned_t value) override;
    bool string(string_t& value) override;
    bool start_object(std::size_t) override;
    bool key(string_t& name) override;
    bool end_object() override;
    bool start_array(std::size_t) override;
    bool end_array() override;
    bool parse_error(std::size_t, const std::string&,
                     const nlohmann::detail::exception& error) override;

private:
    enum class Place { Start, Header, Metadata, Tensor, Shape, Offsets };

    [[nodiscard]] bool inList() const
    {
        return m_place == Place::Shape || m_place == Place::Offsets;
    }
    [[nodiscard]] std::string listName() const
    {
        return m_place == Place::Shape ? "the shape" : "data_offsets";
    }
    [[nodiscard]] std::string expected() const;
    bool unexpected(const std::string& found);
    bool refuse(const std::string& why);
    bool tensorKey(const std::string& name);
    bool metadataKey(const std::string& name);
    bool memberKey(const std::string& name);
    bool endTensor();

    const HeaderStream& m_stream;
    SafetensorsLimits m_limits;
    SafetensorsHeader m_header;
    Place m_place = Place::Start;
    bool m_metadataSeen = false;
    bool m_metadataNext = false;  // the last key of the header was __metadata__
    bool m_named = false;         // a tensor is being read, so complaints name it
    std::string m_metadataName;
    TensorEntry m_tensor;
    std::size_t m_member = 0;            // index in kMembers
    std::array<bool, 3> m_memberSeen{};  // of the tensor being read
    std::vector<std::uint64_t> m_offsets;
    std::string m_complaint;
};

std::string HeaderHandler::expected() const
{
    switch (m_place) {
    case Place::Start:
        return "the header must be an object";
    case Place::Header:
        return m_metadataNext ? "__metadata__ must be an object of texts"
                              : "a tensor must be an object with dtype, shape and data_offsets";
    case Place::Metadata:
        return "the metadata " + quotedName(m_metadataName) + " must be a text";
    case Place::Tensor:
        return std::string(kMembers[m_member]) +
               (m_member == 0 ? " must be a text" : " must be a list of whole numbers");
    case Place::Shape:
    case Place::Offsets:
        break;
    }
    return listName() + " must hold whole numbers";
}

bool HeaderHandler::unexpected(const std::string& found)
{
    return refuse(expected() + ", found " + found);
}

bool HeaderHandler::refuse(const std::string& why)
{
    m_complaint = (m_named ? "tensor " + quotedName(m_tensor.name) + ": " : std::string()) + why +
                  " (before byte " + std::to_string(m_stream.position()) + ")";
    return false;
}

bool HeaderHandler::number_unsigned(number_unsigned_t value)
{
    if (!inList())
        return unexpected("a number");
    if (value > kSafetensorsLargestInteger)
        return refuse(listName() + " has " + std::to_string(value) +
                      ", more than the largest allowed number 2^48-1");
    if (m_place == Place::Shape) {
        if (m_tensor.shape.size() >= m_limits.rank)
            return refuse("the shape has more than " + std::to_string(m_limits.rank) +
                          " dimensions");
        m_tensor.shape.push_back(value);
        return true;
    }
    if (m_offsets.size() >= kOffsetCount)
        return refuse("data_offsets has more than two numbers");
    m_offsets.push_back(value);
    return true;
}

bool HeaderHandler::string(string_t& value)
{
    if (m_place == Place::Metadata) {
        m_header.metadata.emplace(std::move(m_metadataName), std::move(value));
        return true;
    }
    if (m_place != Place::Tensor || m_member != 0)
        return unexpected("a text");
    const auto type = storedTypeFromText(value);
    if (!type)
        return refuse("unknown dtype " + quotedName(value));
    m_tensor.dtype = *type;
    return true;
}

bool HeaderHandler::start_object(std::size_t)
{
    if (m_place == Place::Start) {
        m_place = Place::Header;
        return true;
    }
    if (m_place != Place::Header)
        return unexpected("an object");
    m_place = m_metadataNext ? Place::Metadata : Place::Tensor;
    return true;
}

bool HeaderHandler::key(string_t& name)
{
    switch (m_place) {
    case Place::Header:
        return tensorKey(name);
    case Place::Metadata:
        return metadataKey(name);
    case Place::Start:
    case Place::Tensor:
    case Place::Shape:
    case Place::Offsets:
        break;
    }
    return memberKey(name);
}

bool HeaderHandler::tensorKey(const std::string& name)
{
    m_metadataNext = name == kSafetensorsMetadataKey;
    m_named = !m_metadataNext;
    if (m_metadataNext) {
        if (std::exchange(m_metadataSeen, true))
            return refuse("__metadata__ appears twice");
        return true;
    }
    m_tensor = TensorEntry{};
    m_tensor.name = name;
    m_memberSeen = {};
    m_offsets.clear();
    if (const std::string why = nameComplaint(name, m_limits.nameBytes); !why.empty())
        return refuse(why);
    if (m_header.tensors.size() >= m_limits.tensors)
        return refuse("the file has more than " + std::to_string(m_limits.tensors) + " tensors");
    return true;
}

bool HeaderHandler::metadataKey(const std::string& name)
{
    if (m_header.metadata.contains(name))
        return refuse("the metadata " + quotedName(name) + " appears twice");
    if (m_header.metadata.size() >= m_limits.metadataEntries)
        return refuse("there are more than " + std::to_string(m_limits.metadataEntries) +
                      " metadata entries");
    m_metadataName = name;
    return true;
}

bool HeaderHandler::memberKey(const std::string& name)
{
    const auto* found = std::find(kMembers.begin(), kMembers.end(), name);
    if (found == kMembers.end())
        return refuse("unknown member " + quotedName(name));
    m_member = static_cast<std::size_t>(found - kMembers.begin());
    if (std::exchange(m_memberSeen[m_member], true))
        return refuse(name + " appears twice");
    return true;
}

bool HeaderHandler::start_array(std::size_t)
{
    if (m_place != Place::Tensor || m_member == 0)
        return unexpected("a list");
    m_place = m_member == 1 ? Place::Shape : Place::Offsets;
    return true;
}

bool HeaderHandler::end_array()
{
    if (m_place == Place::Offsets && m_offsets.size() != kOffsetCount)
        return refuse("data_offsets must have two numbers, found " +
                      std::to_string(m_offsets.size()));
    m_place = Place::Tensor;
    return true;
}

bool HeaderHandler::end_object()
{
    if (m_place == Place::Tensor && !endTensor())
        return false;
    m_named = false;
    m_place = Place::Header;
    return true;
}

bool HeaderHandler::endTensor()
{
    for (std::size_t i = 0; i < kMembers.size(); ++i) {
        if (!m_memberSeen[i])
            return refuse(std::string(kMembers[i]) + " is missing");
    }
    m_tensor.begin = m_offsets[0];
    m_tensor.end = m_offsets[1];
    if (m_tensor.end < m_tensor.begin)
        return refuse("data_offsets end at " + std::to_string(m_tensor.end) +
                      ", before they begin at " + std::to_string(m_tensor.begin));
    m_tensor.shape.shrink_to_fit();
    m_header.tensors.push_back(std::move(m_tensor));
    return true;
}

bool HeaderHandler::parse_error(std::size_t, const std::string&,
                                const nlohmann::detail::exception& error)
{
    if (!m_complaint.empty())
        return false;
    // "[json.exception…] parse error at line 1, column 9: what; last read: '…'": the place is ours
    // to say, and the bytes last read are the stranger's.
    std::string what = error.what();
    if (const auto colon = what.find(": "); colon != std::string::npos)
        what.erase(0, colon + 2);
    what.resize(std::min(what.find("; last read"), what.size()));
    m_named = false;
    return refuse("the header is not valid JSON: " + what);
}

}  // namespace

Error safetensorsError(const std::filesystem::path& path, const std::string& why)
{
    return {ErrorCode::Format, path.string() + ": not a valid safetensors file: " + why};
}

Result<SafetensorsHeader> parseSafetensorsHeader(const FileDescriptor& file,
                                                 const std::filesystem::path& path,
                                                 std::uint64_t headerBytes,
                                                 const SafetensorsLimits& limits)
{
    const std::uint64_t end = kSafetensorsPrefixBytes + headerBytes;
    HeaderStream stream(file, path, kSafetensorsPrefixBytes, end, limits.textBytes);
    if (stream.readError())
        return *stream.readError();
    if (stream.atEnd() || stream.current() != '{')
        return safetensorsError(path, "the header does not begin with \"{\" (byte 8)");
    HeaderHandler handler(stream, headerBytes, limits);
    // Not strict: the parser stops after the object, and what follows it is judged here. (A strict
    // parser would take a zero byte for the end of the text.)
    const bool parsed = Json::sax_parse(HeaderIterator(stream), HeaderIterator(), &handler,
                                        Json::input_format_t::json, false);
    if (stream.readError())
        return *stream.readError();
    if (!stream.complaint().empty())
        return safetensorsError(path, stream.complaint() + " (byte " +
                                          std::to_string(stream.position()) + ")");
    if (!parsed)
        return safetensorsError(path, handler.complaint());
    if (const auto place = stream.firstNonSpace())
        return safetensorsError(path,
                                "the header is followed by something other than spaces (byte " +
                                    std::to_string(*place) + ")");
    if (stream.readError())
        return *stream.readError();
    return handler.take();
}

TensorSize tensorSize(StoredType type, const std::vector<std::uint64_t>& shape)
{
    std::uint64_t bits = 1;
    for (const std::uint64_t extent : shape) {
        if (__builtin_mul_overflow(bits, extent, &bits))
            return {0, "the number of elements overflows 64 bits"};
    }
    if (__builtin_mul_overflow(bits, bitsOf(type), &bits))
        return {0, "the size in bits overflows 64 bits"};
    if (bits % 8 != 0)
        return {0, std::to_string(bits) + " bits do not fill whole bytes"};
    return {bits / 8, {}};
}

}  // namespace qs::core
