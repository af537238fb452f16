#include "core/model/packaged/package_archive.h"

#include "core/model/packaged/elf_library.h"
#include "tests/support/test_folder.h"
#include "tests/support/written_package.h"

#include <gmock/gmock.h>

#include <functional>

namespace {

using namespace qs::core;
using namespace qs::tests;
using packaged::readPackage;
using testing::HasSubstr;

TEST(PackageArchive, SaysWhatItIsWithoutBeingLoaded)
{
    const TestFolder folder;
    WrittenPackage written("cuda", "90");
    written.files[inPackage("a.cubin")] = "kernel";
    written.files[inPackage("x.wrapper.cpp")] = "int main() {}";
    written.write(folder / "net.pt2");
    ASSERT_TRUE(packaged::isPackage(folder / "net.pt2"));
    const auto package = readPackage(folder / "net.pt2").value();
    EXPECT_EQ(package.model, "model");
    EXPECT_EQ(packaged::fileNameOf(package.library), "x.wrapper.so");
    EXPECT_EQ(package.library.bytes, libraryBytes().size());
    ASSERT_EQ(package.besides.size(), 1U);
    EXPECT_EQ(packaged::fileNameOf(package.besides.front()), "a.cubin");
    EXPECT_EQ(package.sources, 1U);
    EXPECT_EQ(package.device, ProgramDevice::Cuda);
    EXPECT_EQ(package.capability, "9.0");
    WrittenPackage().write(folder / "cpu.pt2");
    EXPECT_EQ(readPackage(folder / "cpu.pt2").value().device, ProgramDevice::Cpu);
    EXPECT_TRUE(readPackage(folder / "cpu.pt2").value().capability.empty());
}

TEST(PackageArchive, AnExportedProgramIsNoPackageEvenWithOne)
{
    const TestFolder folder;
    WrittenPackage written;
    written.files["m/models/model.json"] = "{}";
    written.write(folder / "both.pt2");
    EXPECT_FALSE(packaged::isPackage(folder / "both.pt2"));
    writeFile(folder / "text", "data/aotinductor/");
    EXPECT_FALSE(packaged::isPackage(folder / "text"));
    EXPECT_FALSE(packaged::isPackage(folder / "nothing"));
    EXPECT_FALSE(packaged::isPackage(folder.path()));
}

struct Damage {
    const char* words;  // of the error
    std::function<void(std::map<std::string, std::string>&)> change;
};

TEST(PackageArchive, RefusesWhatItWouldNotRun)
{
    using Files = std::map<std::string, std::string>;
    const std::string library = inPackage("x.wrapper.so");
    const std::string words = inPackage("x.wrapper_metadata.json");
    const std::vector<Damage> all{
        {"would have to be compiled",
         [&](Files& files) {
             files.erase(library);
             files[inPackage("x.cpp")] = "int main() {}";
         }},
        {"holds no library", [&](Files& files) { files.erase(library); }},
        {"2 libraries", [&](Files& files) { files[inPackage("y.so")] = libraryBytes(); }},
        {"2 models",
         [&](Files& files) { files["m/data/aotinductor/other/x.so"] = libraryBytes(); }},
        {"not in the folder", [&](Files& files) { files[inPackage("a/b.cubin")] = "x"; }},
        {"weights beside", [&](Files& files) { files["m/data/weights/w"] = "1234"; }},
        {"is no library", [&](Files& files) { files[library] = "#!/bin/sh"; }},
        {"does not say which device", [&](Files& files) { files.erase(words); }},
        {"does not say which device", [&](Files& files) { files[words] = "[]"; }},
        {"is for xpu", [&](Files& files) { files[words] = R"({"AOTI_DEVICE_KEY": "xpu"})"; }},
        {"json", [&](Files& files) { files[words] = "{"; }}};
    const TestFolder folder;
    for (const Damage& damage : all) {
        WrittenPackage written;
        damage.change(written.files);
        written.write(folder / "net.pt2");
        EXPECT_TRUE(packaged::isPackage(folder / "net.pt2")) << damage.words;
        const auto package = readPackage(folder / "net.pt2");
        ASSERT_FALSE(package.ok()) << damage.words;
        EXPECT_THAT(package.error().message,
                    testing::AllOf(HasSubstr("net.pt2"), HasSubstr(damage.words)));
    }
}

std::string changed(std::size_t place, char byte)
{
    std::string bytes = libraryBytes();
    bytes[place] = byte;
    return bytes;
}

TEST(ElfLibrary, IsOneForThisMachine)
{
    using packaged::checkLibrary;
    const std::string good = libraryBytes();
    EXPECT_TRUE(checkLibrary(good, good.size()).ok());
    EXPECT_FALSE(checkLibrary(good.substr(0, 63), good.size()).ok());
    constexpr std::size_t kBits = 4;
    constexpr std::size_t kOrder = 5;
    constexpr std::size_t kKind = 16;
    constexpr std::size_t kMachine = 18;
    constexpr std::size_t kSegmentsAt = 39;  // its highest byte
    constexpr std::size_t kSegments = 56;
    constexpr std::size_t kSections = 60;
    for (const std::size_t place : {kBits, kOrder, kKind, kMachine, kSegmentsAt, kSegments})
        EXPECT_FALSE(checkLibrary(changed(place, '\x7e'), good.size()).ok()) << place;
    EXPECT_FALSE(checkLibrary(changed(kSegments, 0), good.size()).ok());
    EXPECT_FALSE(checkLibrary(changed(kSections, 9), good.size()).ok());
    EXPECT_THAT(checkLibrary(changed(kMachine, 21), good.size()).error().message,
                HasSubstr("PowerPC"));
}

}  // namespace
