#include "core/model/foreign_file.h"

#include "core/base/zip_writer.h"
#include "core/model/catalogue.h"
#include "core/model/torchscript_file.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>

namespace {

using namespace qs::core;
using namespace qs::tests;
using namespace std::string_literals;
using testing::AllOf;
using testing::HasSubstr;

// A zip file as far as anybody looks: its first entry.
std::string zipOf(const std::string& entry)
{
    return "PK\x03\x04"s + std::string(22, '\0') + std::string(1, static_cast<char>(entry.size())) +
           std::string(3, '\0') + entry + std::string(400, '\1');
}

struct Example {
    std::string bytes;
    std::string words;
};

const std::vector<Example>& examples()
{
    static const std::vector<Example> all{
        {zipOf("archive/data.pkl"), "is a PyTorch archive"},
        {zipOf("model/code/__torch__.py"), "is a PyTorch archive"},
        {zipOf("model/archive_format"), "is a PyTorch export (.pt2"},
        {zipOf("weights.npy"), "is an .npz archive"},
        {zipOf("holiday.jpg"), "is a zip file"},
        {"\x93NUMPY\x01\x00"s + std::string(200, ' '), "is a NumPy array (.npy)"},
        {"GGUF\x03\0\0\0"s + std::string(200, '\0'), "is a GGUF file"},
        {"\x80\x02\x8a\x0al\xfc\x9c"
         "F"s +
             std::string(200, '\1'),
         "is a Python pickle"},
        {"\x08\x07\x12\x07pytorch"s + std::string(200, '\1'), "looks like an ONNX model"},
        {"\x89HDF\r\n\x1a\n"s + std::string(200, '\0'), "is an HDF5 file"},
        {"\x7f"
         "ELF\x02"s +
             std::string(200, '\0'),
         "is a program or library"},
        {"\x1f\x8b\x08"s + std::string(200, '\0'), "is compressed with gzip"},
        {"{\"architectures\": []}"s, "perhaps a configuration"}};
    return all;
}

TEST(ForeignFile, IsSaidWhenItIsOpenedAsAModel)
{
    const TestFolder folder;
    const std::string file = folder / "model.bin";
    for (const Example& example : examples()) {
        writeFile(file, example.bytes);
        const auto format = foreignFormat(file);
        ASSERT_TRUE(format);
        EXPECT_THAT(format->text, HasSubstr(example.words));
        const auto opened = openModel(file, folder.path(), 1);
        ASSERT_FALSE(opened.ok());
        EXPECT_EQ(opened.error().code, ErrorCode::Format);
        EXPECT_THAT(opened.error().message, AllOf(HasSubstr(file), HasSubstr(example.words)));
        EXPECT_THAT(inspectModel(file, folder.path(), 1).status.error().message,
                    HasSubstr(example.words));
    }
}

TEST(ForeignFile, TorchScriptIsToldOfAndNotRun)
{
    const TestFolder folder;
    const std::string file = folder / "net.pt";
    const std::vector<std::pair<std::string, std::string>> entries{
        // PyTorch writes what the tensors hold first.
        {"net/data/0", std::string(64, '\1')},
        {"net/data.pkl", "cos\nsystem\n(S'touch ran'\ntR."},
        {"net/code/__torch__/net.py",
         "class Block(Module):\n  __parameters__ = [\"weight\", \"bias\", ]\n"
         "  __buffers__ = [\"mean\", ]\n  weight : Tensor\nclass Net(Module):\n"
         "  __parameters__ = []\n"},
        {"net/constants.pkl", "."}};
    ZipWriter writer = ZipWriter::create(file).value();
    for (const auto& [name, content] : entries)
        ASSERT_TRUE(writer.add(name, content).ok());
    ASSERT_TRUE(writer.commit().ok());
    const auto summary = torchScriptSummary(ZipArchive::open(file).value());
    ASSERT_TRUE(summary);
    ASSERT_EQ(summary->modules.size(), 2U);
    EXPECT_EQ(summary->modules[0].name, "__torch__.net.Block");
    EXPECT_EQ(summary->modules[0].parameters, (std::vector<std::string>{"weight", "bias"}));
    EXPECT_EQ(summary->modules[0].buffers, std::vector<std::string>{"mean"});
    EXPECT_EQ(summary->tensors, 1U);
    EXPECT_EQ(summary->tensorBytes, 64U);
    const auto opened = openModel(file, folder.path(), 1);
    ASSERT_FALSE(opened.ok());
    EXPECT_THAT(opened.error().message, AllOf(HasSubstr("TorchScript"), HasSubstr("net.Block"),
                                              HasSubstr("quantscope-cli convert")));
    EXPECT_EQ(inspectModel(file, folder.path(), 1).program.value().kind, ProgramKind::TorchScript);
    EXPECT_FALSE(std::filesystem::exists("ran"));
}

TEST(ForeignFile, DamagedSafetensorsKeepTheirOwnWords)
{
    const TestFolder folder;
    const std::string file = folder / "model.safetensors";
    // The first byte of the length is that of a pickle.
    writeFile(file, "\x80\x02\0\0\0\0\0\0{\"damaged"s);
    EXPECT_FALSE(foreignFormat(file));
    EXPECT_THAT(openModel(file, folder.path(), 1).error().message, HasSubstr("header"));
    writeFile(file, "");
    EXPECT_FALSE(foreignFormat(file));
    EXPECT_FALSE(foreignFormat(folder.path()));
    EXPECT_FALSE(foreignFormat(folder / "nothing"));
}

TEST(ForeignFile, LongNamesAreNotRepeated)
{
    const auto opened = openModel("vitok:" + std::string(100'000, 'x'), "/nowhere", 1);
    ASSERT_FALSE(opened.ok());
    EXPECT_LT(opened.error().message.size(), 1000U);
}

TEST(PickleInFolder, IsNamedWithTheLineThatConvertsIt)
{
    const TestFolder folder;
    EXPECT_EQ(pickleInFolder(folder.path()), std::nullopt);
    EXPECT_EQ(pickleInFolder(folder / "nowhere"), std::nullopt);
    writeFile(folder / "weights.pth", zipOf("archive/data.pkl"));
    writeFile(folder / "config.json", R"({"model_type": "llama"})");
    const auto text = pickleInFolder(folder.path());
    ASSERT_TRUE(text.has_value());
    EXPECT_THAT(*text, HasSubstr("torch.load(\"weights.pth\""));
    for (const std::filesystem::path& path : {folder.path(), folder / "weights.pth"}) {
        const auto opened = openModel(path.string(), "", 0);
        ASSERT_FALSE(opened.ok());
        EXPECT_EQ(opened.error().code, ErrorCode::Format);
        EXPECT_THAT(opened.error().message, HasSubstr("save_file"));
        EXPECT_EQ(inspectModel(path.string(), "", 0).status.error().message,
                  opened.error().message);
    }
    writeFile(folder / "model.safetensors", "{}");
    EXPECT_EQ(pickleInFolder(folder.path()), std::nullopt);
}

}  // namespace
