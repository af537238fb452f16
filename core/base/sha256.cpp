#include "core/base/sha256.h"

#include "core/base/files.h"
#include "core/base/stop.h"

#include <openssl/evp.h>

#include <array>
#include <vector>

namespace qs::core {

struct Sha256::Context {
    std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> digest{EVP_MD_CTX_new(),
                                                                   &EVP_MD_CTX_free};
};

Sha256::Sha256() : m_context(std::make_unique<Context>())
{
    QS_ASSERT(EVP_DigestInit_ex(m_context->digest.get(), EVP_sha256(), nullptr) == 1);
}

Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::update(std::span<const std::byte> bytes)
{
    QS_ASSERT(EVP_DigestUpdate(m_context->digest.get(), bytes.data(), bytes.size()) == 1);
}

void Sha256::update(std::string_view text)
{
    update(std::as_bytes(std::span(text.data(), text.size())));
}

std::string Sha256::hex()
{
    std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
    unsigned int length = 0;
    QS_ASSERT(EVP_DigestFinal_ex(m_context->digest.get(), bytes.data(), &length) == 1);
    static constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    text.reserve(2 * length);
    for (unsigned int i = 0; i < length; ++i) {
        text += kDigits[bytes[i] >> 4U];
        text += kDigits[bytes[i] & 15U];
    }
    return text;
}

std::string sha256Hex(std::string_view text)
{
    Sha256 hash;
    hash.update(text);
    return hash.hex();
}

Result<std::string> sha256File(const std::filesystem::path& path, const std::stop_token& stop)
{
    QS_TRY(const FileDescriptor file, openForReading(path));
    Sha256 hash;
    std::vector<std::byte> chunk(std::size_t{1} << 20U);
    while (true) {
        QS_TRY(const std::size_t count, readSome(file, chunk, path));
        if (count == 0)
            return hash.hex();
        hash.update(std::span(chunk).first(count));
        QS_RETURN_IF_ERROR(checkNotStopped(stop));
    }
}

}  // namespace qs::core
