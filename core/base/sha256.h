#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

namespace qs::core {

// SHA-256 of bytes that arrive in pieces. One use: update …, then hex() once.
class Sha256 final
{
public:
    Sha256();
    ~Sha256();
    Sha256(Sha256&&) noexcept;
    Sha256& operator=(Sha256&&) noexcept;

    void update(std::span<const std::byte> bytes);
    void update(std::string_view text);

    // 64 lower-case hexadecimal digits.
    [[nodiscard]] std::string hex();

private:
    struct Context;
    std::unique_ptr<Context> m_context;
};

[[nodiscard]] std::string sha256Hex(std::string_view text);
// Cancelled when stopped.
[[nodiscard]] Result<std::string> sha256File(const std::filesystem::path& path,
                                             const std::stop_token& stop = {});

}  // namespace qs::core
