#include "tests/support/written_package.h"

#include "core/base/checks.h"
#include "core/base/sha256.h"
#include "core/base/zip_writer.h"
#include "core/model/packaged/package_facts.h"

namespace qs::tests {

namespace {

using namespace qs::core;

void put(std::string& bytes, std::size_t place, std::size_t width, std::uint64_t number)
{
    for (std::size_t i = 0; i < width; ++i)
        bytes[place + i] = static_cast<char>(number >> (8 * i));
}

std::vector<DeclaredInput> parsed(const std::vector<std::string>& texts)
{
    std::vector<DeclaredInput> tensors;
    for (const std::string& text : texts)
        tensors.push_back(parseDeclaredInput(text).value());
    return tensors;
}

}  // namespace

std::string libraryBytes()
{
#if defined(__aarch64__)
    constexpr std::uint64_t kMachine = 183;
#else
    constexpr std::uint64_t kMachine = 62;
#endif
    std::string bytes(200, '\0');
    bytes.replace(0, 6,
                  "\x7f"
                  "ELF\x02\x01");
    put(bytes, 16, 2, 3);  // a shared object
    put(bytes, 18, 2, kMachine);
    put(bytes, 32, 8, 64);  // its one segment
    put(bytes, 54, 2, 56);
    put(bytes, 56, 2, 1);
    return bytes;
}

std::string inPackage(const std::string& name)
{
    return "m/data/aotinductor/model/" + name;
}

WrittenPackage::WrittenPackage(const std::string& device, const std::string& capability)
    : files{{"m/archive_format", "pt2"},
            {inPackage("x.wrapper.so"), libraryBytes()},
            {inPackage("x.wrapper_metadata.json"), R"({"AOTI_DEVICE_KEY": ")" + device +
                                                       R"(", "AOTI_COMPUTE_CAPABILITY": ")" +
                                                       capability + R"("})"}}
{
}

void WrittenPackage::write(const std::filesystem::path& file) const
{
    ZipWriter writer = ZipWriter::create(file).value();
    for (const auto& [name, content] : files)
        QS_ASSERT(writer.add(name, content).ok());
    QS_ASSERT(writer.commit().ok());
}

void WrittenPackage::writeTried(const std::filesystem::path& file,
                                const std::vector<std::string>& inputs,
                                const std::vector<std::string>& outputs, int lowestBatch) const
{
    write(file);
    const packaged::PackageFacts facts{sha256File(file).value(), parsed(inputs), parsed(outputs),
                                       lowestBatch};
    QS_ASSERT(packaged::writeFacts(facts, packaged::factsFileOf(file)).ok());
}

}  // namespace qs::tests
