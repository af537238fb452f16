#include "core/model/packaged/unpack_package.h"

#include "core/base/sha256.h"
#include "tests/support/test_folder.h"
#include "tests/support/written_package.h"

#include <gtest/gtest.h>

#include <fstream>

namespace {

using namespace qs::core;
using namespace qs::tests;
using packaged::unpackPackage;

TEST(UnpackPackage, PutsTheTrustedBytesIntoTheFolder)
{
    const TestFolder folder;
    const TestFolder own;
    WrittenPackage written;
    written.files[inPackage("x.wrapper.so")] += "AOTI_RUNTIME_CHECK_INPUTS";
    written.files[inPackage("a.cubin")] = "kernel";
    written.files[inPackage("w.blob")] = "weights";
    written.files[inPackage("x.cpp")] = "source";
    written.write(folder / "net.pt2");
    const std::string hash = sha256File(folder / "net.pt2").value();
    const auto unpacked = unpackPackage(folder / "net.pt2", hash, own.path());
    ASSERT_TRUE(unpacked.ok()) << unpacked.error().message;
    EXPECT_TRUE(unpacked.value().checksInputs);
    EXPECT_EQ(readFile(unpacked.value().library), written.files[inPackage("x.wrapper.so")]);
    EXPECT_EQ(readFile(own / "a.cubin"), "kernel");
    EXPECT_EQ(readFile(unpacked.value().weights), "weights");
    // Neither the copy nor what is not read stays.
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(own.path()), {}), 3);
}

TEST(UnpackPackage, LoadsNoOtherBytes)
{
    const TestFolder folder;
    const TestFolder own;
    WrittenPackage().write(folder / "net.pt2");
    const std::string hash = sha256File(folder / "net.pt2").value();
    std::ofstream(folder / "net.pt2", std::ios::app) << " ";
    const auto unpacked = unpackPackage(folder / "net.pt2", hash, own.path());
    ASSERT_FALSE(unpacked.ok());
    EXPECT_EQ(unpacked.error().code, ErrorCode::InvalidArgument);
    EXPECT_FALSE(std::filesystem::exists(own / "x.wrapper.so"));
}

TEST(UnpackPackage, TellsLibrariesThatCheckNothing)
{
    const TestFolder folder;
    const TestFolder own;
    WrittenPackage().write(folder / "net.pt2");
    const std::string hash = sha256File(folder / "net.pt2").value();
    EXPECT_FALSE(unpackPackage(folder / "net.pt2", hash, own.path()).value().checksInputs);
}

}  // namespace
