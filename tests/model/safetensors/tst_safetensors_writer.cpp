#include "core/model/safetensors/safetensors_writer.h"

#include "core/model/safetensors/safetensors.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace qs::core {
namespace {

using testing::HasSubstr;

TensorToWrite tensor(const std::string& name, StoredType type, std::vector<std::uint64_t> shape,
                     const std::string& bytes)
{
    return {name, type, std::move(shape), [bytes](const TextSink& sink) { return sink(bytes); }};
}

std::string read(const SafetensorsFile& file, const std::string& name)
{
    const TensorEntry* entry = file.find(name);
    if (entry == nullptr)
        return "none";
    std::string bytes(entry->bytes(), '\0');
    EXPECT_TRUE(file.read(*entry, std::as_writable_bytes(std::span(bytes))).ok());
    return bytes;
}

TEST(SafetensorsWriter, WhatItWritesIsReadAndAligned)
{
    const tests::TestFolder folder;
    const auto size = writeSafetensors(folder / "a.safetensors",
                                       {tensor("m.codes", StoredType::I8, {3}, "abc"),
                                        tensor("m.scale", StoredType::F32, {1}, "wxyz"),
                                        tensor("m.e4m3", StoredType::F8_E4M3, {2}, "de"),
                                        tensor("m.shape", StoredType::I64, {2}, "0123456789abcdef"),
                                        tensor("m.index", StoredType::I32, {}, "ijkl"),
                                        tensor("m.none", StoredType::BF16, {0}, "")},
                                       {{"format", "test"}});
    ASSERT_TRUE(size.ok()) << size.error().message;
    EXPECT_EQ(size.value().tensorBytes, 29U);
    const auto file = openSafetensors(folder / "a.safetensors");
    ASSERT_TRUE(file.ok()) << file.error().message;
    EXPECT_EQ(file.value().fileBytes(), size.value().fileBytes);
    EXPECT_EQ(file.value().metadata().at("format"), "test");
    EXPECT_EQ(file.value().dataStart() % 8, 0U);
    EXPECT_EQ(read(file.value(), "m.codes"), "abc");
    EXPECT_EQ(read(file.value(), "m.e4m3"), "de");
    EXPECT_EQ(read(file.value(), "m.shape"), "0123456789abcdef");
    EXPECT_EQ(read(file.value(), "m.index"), "ijkl");
    EXPECT_EQ(read(file.value(), "m.none"), "");
    for (const TensorEntry& entry : file.value().tensors())
        EXPECT_EQ(entry.begin % (bitsOf(entry.dtype) / 8), 0U) << entry.name;
}

TEST(SafetensorsWriter, NothingIsLeftOfWhatFails)
{
    const tests::TestFolder folder;
    const auto failure = [&](std::vector<TensorToWrite> tensors) {
        const auto size = writeSafetensors(folder / "b.safetensors", std::move(tensors), {});
        return size.ok() ? "written" : size.error().message;
    };
    EXPECT_THAT(failure({tensor("a", StoredType::I8, {3}, "ab")}), HasSubstr("\"a\""));
    EXPECT_THAT(failure({tensor("a", StoredType::I8, {1}, "ab")}), HasSubstr("\"a\""));
    EXPECT_THAT(
        failure({tensor("a", StoredType::I8, {1}, "a"), tensor("a", StoredType::I8, {1}, "a")}),
        HasSubstr("twice"));
    EXPECT_THAT(failure({tensor("a\nb", StoredType::I8, {1}, "a")}), HasSubstr("a"));
    EXPECT_THAT(failure({{"a",
                          StoredType::I8,
                          {1},
                          [](const TextSink&) -> Status {
                              return Error{ErrorCode::Io, "the disk is gone"};
                          }}}),
                HasSubstr("the disk is gone"));
    EXPECT_FALSE(std::filesystem::exists(folder / "b.safetensors"));
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace qs::core
