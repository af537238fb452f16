#pragma once

#include <cstddef>
#include <cstdint>

// Numbers of the zip format (APPNOTE.TXT of PKWARE, 6.3.10) that its writer and its reader share.
namespace qs::core::zip {

inline constexpr std::uint32_t kLocalHeader = 0x04034b50;
inline constexpr std::uint32_t kDirectoryEntry = 0x02014b50;
inline constexpr std::uint32_t kEnd = 0x06054b50;
inline constexpr std::uint32_t kEnd64 = 0x06064b50;
inline constexpr std::uint32_t kEnd64Locator = 0x07064b50;

// Without their variable parts.
inline constexpr std::size_t kLocalHeaderBytes = 30;
inline constexpr std::size_t kDirectoryEntryBytes = 46;
inline constexpr std::size_t kEndBytes = 22;
inline constexpr std::size_t kEnd64Bytes = 56;
inline constexpr std::size_t kEnd64LocatorBytes = 20;

// Stands for a number that is in the ZIP64 field.
inline constexpr std::uint32_t kIn64 = 0xffffffff;
inline constexpr std::uint16_t kIn64Short = 0xffff;
inline constexpr std::uint16_t kExtra64 = 0x0001;

inline constexpr std::uint16_t kStored = 0;
inline constexpr std::uint16_t kDeflated = 8;
inline constexpr std::uint16_t kFlagEncrypted = 0x0001;
inline constexpr std::uint16_t kFlagSizesBehind = 0x0008;
inline constexpr std::uint16_t kFlagUtf8 = 0x0800;

}  // namespace qs::core::zip
