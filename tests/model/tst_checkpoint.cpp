// Opening trained weights: core/model/vitok/checkpoint.h and core/model/catalogue.h.

#include "core/model/catalogue.h"
#include "core/model/safetensors/safetensors.h"
#include "core/model/vitok/variant.h"
#include "core/model/vitok/vitok.h"
#include "tests/support/safetensors_writer.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace qs::core {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using tests::TensorToWrite;
using tests::TestFolder;

struct Stored {
    std::vector<std::uint64_t> shape;
    StoredType type = StoredType::F32;
    char fill = 1;
};
using Contents = std::map<std::string, Stored>;

// What the stages of a variant need; stage 0 is the encoder, 1 the decoder.
Contents stageOf(const vitok::Variant& variant, std::size_t stage)
{
    Contents contents;
    const auto family = vitok::makeFamily(variant);
    for (const WeightSpec& spec : family->stages()[stage].weights)
        contents[spec.name].shape.assign(spec.shape.begin(), spec.shape.end());
    return contents;
}

Contents wholeOf(const vitok::Variant& variant)
{
    Contents contents = stageOf(variant, 0);
    contents.merge(stageOf(variant, 1));
    return contents;
}

vitok::Variant variantOf(const std::string& text)
{
    return vitok::parseVariant(text).value();
}

const char* const kSmall = "w8_d2_h2-w16_d3_h1/1x2x4";

void write(const fs::path& path, const Contents& contents)
{
    std::vector<std::vector<char>> bytes;
    for (const auto& [name, stored] : contents) {
        std::uint64_t bits = bitsOf(stored.type);
        for (const std::uint64_t extent : stored.shape)
            bits *= extent;
        bytes.emplace_back(bits / 8, stored.fill);
    }
    std::vector<TensorToWrite> tensors;
    for (const auto& [name, stored] : contents)
        tensors.push_back(
            {name, stored.type, stored.shape, std::as_bytes(std::span(bytes[tensors.size()]))});
    const Status written = tests::writeSafetensors(path, tensors);
    ASSERT_TRUE(written.ok()) << written.error().message;
}

void writeSplit(const fs::path& folder, const vitok::Variant& variant)
{
    fs::create_directories(folder);
    write(folder / "encoder.safetensors", stageOf(variant, 0));
    write(folder / "decoder.safetensors", stageOf(variant, 1));
}

OpenedModel open(const fs::path& path)
{
    Result<OpenedModel> opened = openModel(path.string(), {}, 0);
    EXPECT_TRUE(opened.ok()) << opened.error().message;
    return opened.ok() ? std::move(opened).value() : OpenedModel{};
}

std::string refusal(const fs::path& path)
{
    const Result<OpenedModel> opened = openModel(path.string(), {}, 0);
    EXPECT_FALSE(opened.ok()) << path;
    return opened.ok() ? "" : opened.error().message;
}

// The whole small model in one file, changed by `change`; the message of its refusal.
template <typename Change>
std::string refusalOf(const Change& change)
{
    const TestFolder folder;
    Contents contents = wholeOf(variantOf(kSmall));
    change(contents);
    write(folder / "model.safetensors", contents);
    return refusal(folder / "model.safetensors");
}

TEST(Checkpoints, SplitFoldersOpenByFolderOrEitherFile)
{
    const TestFolder folder;
    writeSplit(folder / "mine", variantOf(kSmall));
    std::string id;
    for (const char* reference :
         {"mine", "mine/", "mine/encoder.safetensors", "mine/decoder.safetensors"}) {
        SCOPED_TRACE(reference);
        const OpenedModel opened = open(folder / reference);
        EXPECT_EQ(opened.model.variant, kSmall);
        EXPECT_EQ(opened.model.reference, (folder / reference).string());
        EXPECT_TRUE(opened.model.trained());
        EXPECT_TRUE(opened.report.complete());
        EXPECT_THAT(opened.report.recognised, AllOf(HasSubstr(kSmall), HasSubstr("2 file(s)")));
        EXPECT_EQ(opened.report.storedTypes, "F32");
        EXPECT_THAT(opened.report.unexpected, IsEmpty());
        const auto& stored = std::get<StoredWeights>(opened.model.weights);
        EXPECT_THAT(stored.files, ElementsAre(folder / "mine/encoder.safetensors",
                                              folder / "mine/decoder.safetensors"));
        EXPECT_EQ(stored.places.size(), 2U * 8 + 4 + 3 * 8 + 4);
        EXPECT_EQ(stored.places.at("encoder/to_code.bias").file, 0U);
        EXPECT_EQ(stored.places.at("decoder/to_pixels.bias").file, 1U);
        if (id.empty())
            id = opened.model.contentId;
        EXPECT_EQ(opened.model.contentId, id) << "one checkpoint, one identity";
    }
    EXPECT_EQ(open(folder / "mine/").model.displayName, "ViTok mine");
}

TEST(Checkpoints, LegacyFilesAreRenamed)
{
    const TestFolder folder;
    Contents legacy;
    for (const auto& [name, stored] : wholeOf(variantOf(kSmall))) {
        std::string old = "_orig_mod." + name;
        for (const std::string side : {"encoder", "decoder"}) {
            if (const auto at = old.find(side + "_blocks."); at != std::string::npos)
                old.replace(at, side.size() + 8, side + ".");
        }
        legacy[old] = stored;
    }
    ASSERT_TRUE(legacy.contains("_orig_mod.encoder.1.norm1.weight"));
    write(folder / "model.safetensors", legacy);
    const OpenedModel opened = open(folder.path());
    EXPECT_EQ(opened.model.variant, kSmall);
    EXPECT_EQ(opened.report.renamed.size(), legacy.size());
    EXPECT_THAT(opened.report.text(),
                HasSubstr("_orig_mod.decoder.2.norm1.weight -> decoder_blocks.2.norm1.weight"));
    const auto& stored = std::get<StoredWeights>(opened.model.weights);
    EXPECT_EQ(stored.places.at("decoder/decoder_blocks.2.norm1.weight").name,
              "_orig_mod.decoder.2.norm1.weight");
}

TEST(Checkpoints, AnyNameDoesForASingleFile)
{
    const TestFolder folder;
    write(folder / "epoch 12.safetensors", wholeOf(variantOf(kSmall)));
    const OpenedModel opened = open(folder / "epoch 12.safetensors");
    EXPECT_EQ(opened.model.displayName, "ViTok epoch 12.safetensors");
    EXPECT_THAT(opened.report.renamed, IsEmpty());
    EXPECT_THAT(refusal(folder.path()), HasSubstr("holds neither encoder.safetensors"))
        << "in a folder only the usual names are looked for";
}

class InferredVariants : public testing::TestWithParam<const char*>
{
};

TEST_P(InferredVariants, AreExact)
{
    const TestFolder folder;
    const vitok::Variant variant = variantOf(GetParam());
    writeSplit(folder.path(), variant);
    const OpenedModel opened = open(folder.path());
    EXPECT_EQ(opened.model.variant, vitok::toText(variant));
    EXPECT_EQ(variantOf(opened.model.variant), variant);
    Model expected;
    expected.family = vitok::makeFamily(variant);
    EXPECT_EQ(opened.model.parameterCount(), expected.parameterCount());
}

INSTANTIATE_TEST_SUITE_P(All, InferredVariants,
                         testing::Values(kSmall, "w8_d1_h1/1x1x1", "w24_d1_h6_m3-w32_d1_h1_m3/4x3",
                                         "w48_d11_h4-w8_d12_h2/2x16", "w72_d1_h1_m0.5/32x256",
                                         "w64_d1_h16_m8-w8_d1_h2_m8/16x64"));

TEST(Checkpoints, PublishedShapesAreInferredFromHeadersAlone)
{
    // A 4-bit type keeps the file small, and shows that names and shapes are judged before types.
    const TestFolder folder;
    const vitok::Variant published = variantOf("Ld4-Ld24/1x16x64");
    Contents contents = wholeOf(published);
    std::erase_if(contents, [](const auto& entry) {
        return entry.first.find(".qkv_proj.") != std::string::npos ||
               entry.first.find(".fc1.") != std::string::npos ||
               entry.first.find(".out_proj.") != std::string::npos ||
               (entry.first.find(".fc2.") != std::string::npos &&
                entry.first.find("_blocks.0.") == std::string::npos);
    });
    for (auto& [name, stored] : contents)
        stored.type = StoredType::F4;
    write(folder / "model.safetensors", contents);
    const std::string message = refusal(folder.path());
    EXPECT_THAT(message, HasSubstr("ViTok " + vitok::toText(published) + " from 1 file(s)"));
    EXPECT_THAT(message, HasSubstr("\n  decoder_blocks.23.ffn.fc1.weight [5472, 1024]"));
    EXPECT_THAT(message, HasSubstr("to_code.bias: stored as F4"));
}

TEST(Checkpoints, HiddenWidthsOfNoCommonFactorStayDistinct)
{
    std::vector<std::string> variants;
    std::vector<std::string> ids;
    for (const std::int64_t hidden : {48, 172, 400}) {
        const TestFolder folder;
        vitok::Variant variant = variantOf(kSmall);
        variant.decoderHidden = hidden;
        variant.encoderHidden = 176;
        writeSplit(folder.path(), variant);
        variants.push_back(open(folder.path()).model.variant);
        ids.push_back(open(folder.path()).model.contentId);
    }
    EXPECT_EQ(variants[0], "w8_d2_h2_f176x48-w16_d3_h1_f176x48/1x2x4");
    EXPECT_NE(variants[0], variants[1]);
    EXPECT_NE(variants[1], variants[2]);
    EXPECT_NE(ids[0], ids[1]);
}

TEST(Checkpoints, AFolderWithBothFormsIsAQuestion)
{
    const TestFolder folder;
    writeSplit(folder.path(), variantOf(kSmall));
    write(folder / "model.safetensors", wholeOf(variantOf("w8_d1_h1/1x1x1")));
    EXPECT_THAT(refusal(folder.path()), HasSubstr("both model.safetensors and"));
    EXPECT_EQ(open(folder / "model.safetensors").model.variant, "w8_d1_h1-w8_d1_h1/1x1x1");
    EXPECT_EQ(open(folder / "decoder.safetensors").model.variant, kSmall);
    fs::remove(folder / "decoder.safetensors");
    EXPECT_THAT(refusal(folder.path()), HasSubstr("both model.safetensors and"))
        << "half of a pair is no answer";
}

TEST(Inspections, SayTheSameWithoutReadingWeights)
{
    const TestFolder folder;
    writeSplit(folder / "mine", variantOf(kSmall));
    const OpenedModel opened = open(folder / "mine");
    const ModelInspection seen = inspectModel((folder / "mine").string(), {}, 0);
    ASSERT_TRUE(seen.usable());
    EXPECT_EQ(seen.reference, opened.model.reference);
    EXPECT_EQ(seen.displayName, opened.model.displayName);
    EXPECT_EQ(seen.report.text(), opened.report.text());
    EXPECT_EQ(seen.files, std::get<StoredWeights>(opened.model.weights).files);
    EXPECT_EQ(seen.fileBytes, fs::file_size(folder / "mine/encoder.safetensors") +
                                  fs::file_size(folder / "mine/decoder.safetensors"));
    EXPECT_EQ(seen.family->stages().size(), 2U);
    EXPECT_TRUE(seen.trained);
    EXPECT_THAT(seen.choices, IsEmpty());
}

TEST(Inspections, OfferTheAnswersToAQuestion)
{
    const TestFolder folder;
    writeSplit(folder.path(), variantOf(kSmall));
    write(folder / "model.safetensors", wholeOf(variantOf("w8_d1_h1/1x1x1")));
    const ModelInspection seen = inspectModel(folder.path().string(), {}, 0);
    ASSERT_FALSE(seen.usable());
    EXPECT_EQ(seen.family, nullptr);
    EXPECT_THAT(seen.status.error().message, HasSubstr("both model.safetensors and"));
    EXPECT_THAT(seen.choices,
                ElementsAre(folder / "encoder.safetensors", folder / "model.safetensors"));
    for (const fs::path& choice : seen.choices)
        EXPECT_TRUE(inspectModel(choice.string(), {}, 0).usable()) << choice;
}

TEST(Inspections, ShowWhatIsThereOfABrokenModel)
{
    const TestFolder folder;
    Contents contents = wholeOf(variantOf(kSmall));
    contents.erase("to_code.bias");
    contents["to_pixels.bias"].shape = {5};
    write(folder / "model.safetensors", contents);
    const ModelInspection seen = inspectModel(folder.path().string(), {}, 0);
    ASSERT_FALSE(seen.usable());
    ASSERT_NE(seen.family, nullptr) << "the layers of a broken model can be looked at";
    EXPECT_THAT(seen.report.missing, ElementsAre("to_code.bias [4]"));
    EXPECT_EQ(seen.report.misshaped.size(), 1U);
    EXPECT_EQ(seen.status.error().message, refusal(folder.path()));
    EXPECT_THAT(inspectModel("nowhere", {}, 0).status.error().message,
                AllOf(HasSubstr("nowhere"), HasSubstr("A model is \"demo\"")));
    EXPECT_FALSE(inspectModel("", {}, 0).usable());
    EXPECT_FALSE(inspectModel("vitok:nonsense", {}, 0).usable());
    EXPECT_TRUE(inspectModel("vitok:5B-f32x64", {}, 0).usable());
}

TEST(Checkpoints, AMissingSideIsNamed)
{
    const TestFolder folder;
    writeSplit(folder.path(), variantOf(kSmall));
    fs::remove(folder / "decoder.safetensors");
    const std::string missing = (folder / "decoder.safetensors").string() + " is missing";
    EXPECT_THAT(refusal(folder.path()), HasSubstr(missing));
    EXPECT_THAT(refusal(folder / "encoder.safetensors"), HasSubstr(missing));
    // One side under a free name is a model without the other.
    fs::rename(folder / "encoder.safetensors", folder / "half.safetensors");
    EXPECT_THAT(refusal(folder / "half.safetensors"),
                AllOf(HasSubstr("decoder_embed.weight"), Not(HasSubstr("patch_embed"))));
}

TEST(Checkpoints, EveryProblemIsInOneMessage)
{
    const std::string message = refusalOf([](Contents& contents) {
        contents.erase("to_code.bias");
        contents.erase("decoder_blocks.1.attn.out_proj.weight");
        contents["to_pixels.bias"].shape = {5};
        contents["encoder_blocks.1.ffn.fc2.weight"].shape = {8};
        contents["decoder_blocks.2.ffn.fc1.weight"].type = StoredType::I32;
        contents["optimizer.step"].shape = {};
        contents["quantizer.codebook"].shape = {7, 3};
    });
    EXPECT_THAT(message, HasSubstr("ViTok " + std::string(kSmall)));
    EXPECT_THAT(message, HasSubstr("Missing tensors"));
    EXPECT_THAT(message, HasSubstr("\n  to_code.bias [4]"));
    EXPECT_THAT(message, HasSubstr("\n  decoder_blocks.1.attn.out_proj.weight [16, 16]"));
    EXPECT_THAT(message, HasSubstr("\n  to_pixels.bias: file [5], architecture [12]"));
    EXPECT_THAT(message,
                HasSubstr("\n  encoder_blocks.1.ffn.fc2.weight: file [8], architecture [8, 16]"));
    EXPECT_THAT(message, HasSubstr("\n  decoder_blocks.2.ffn.fc1.weight: stored as I32; only F32"));
    EXPECT_THAT(message, HasSubstr("\n  optimizer.step []"));
    EXPECT_THAT(message, HasSubstr("\n  quantizer.codebook [7, 3]"));
    EXPECT_THAT(message, HasSubstr("stored as F32, I32"));
}

TEST(Checkpoints, UnexpectedTensorsAloneAreOnlyReported)
{
    const TestFolder folder;
    Contents contents = wholeOf(variantOf(kSmall));
    contents["ema.decay"] = {{2}, StoredType::I64};
    contents["to_code.weight"].type = StoredType::BF16;
    contents["to_code.bias"].type = StoredType::F64;
    contents["to_pixels.bias"].type = StoredType::F16;
    write(folder / "model.safetensors", contents);
    const OpenedModel opened = open(folder.path());
    EXPECT_TRUE(opened.report.complete());
    EXPECT_THAT(opened.report.unexpected, ElementsAre("ema.decay [2]"));
    EXPECT_EQ(opened.report.storedTypes, "BF16, F16, F32, F64");
    EXPECT_THAT(opened.report.text(), HasSubstr("Unused tensors:\n  ema.decay [2]"));
}

TEST(Checkpoints, AGapInTheBlocksIsMissingTensors)
{
    const std::string message = refusalOf([](Contents& contents) {
        std::erase_if(contents, [](const auto& entry) {
            return entry.first.starts_with("decoder_blocks.1.");
        });
    });
    EXPECT_THAT(message, AllOf(HasSubstr("w16_d3_h1"), HasSubstr("decoder_blocks.1.norm1.weight")));
}

TEST(Checkpoints, HostileBlockNamesMakeNoBlocks)
{
    const TestFolder folder;
    Contents contents = wholeOf(variantOf(kSmall));
    const std::vector<std::string> names{
        "encoder_blocks.99999999.x",
        "encoder_blocks.99999999999999999999999.x",
        "encoder_blocks.-1.norm1.weight",
        "encoder_blocks.4000.norm1.weight",
        "encoder_blocks..norm1.weight",
        "encoder_blocks.7",
        "encoder_blocks.7norm1.weight",
        "encoder_blocks.0x9.norm1.weight",
        "encoder.8",
        "encoder_blocks.",
        "decoder_blocks. 9.norm1.weight",
    };
    for (const std::string& name : names)
        contents[name].shape = {1};
    write(folder / "model.safetensors", contents);
    const OpenedModel opened = open(folder.path());
    EXPECT_EQ(opened.model.variant, kSmall);
    EXPECT_EQ(opened.report.unexpected.size(), names.size());
}

TEST(Checkpoints, NamesThatMeetAfterRenamingAreRefused)
{
    EXPECT_THAT(refusalOf([](Contents& contents) {
                    contents["_orig_mod.to_code.bias"] = contents.at("to_code.bias");
                }),
                HasSubstr("to_code.bias is stored twice"));
    EXPECT_THAT(
        refusalOf([](Contents& contents) { contents["decoder.1.norm1.weight"].shape = {16}; }),
        AllOf(HasSubstr("decoder_blocks.1.norm1.weight is stored twice"),
              HasSubstr(" decoder.1.norm1.weight")));
    // The same side twice.
    const TestFolder folder;
    writeSplit(folder.path(), variantOf(kSmall));
    fs::copy_file(folder / "encoder.safetensors", folder / "decoder.safetensors",
                  fs::copy_options::overwrite_existing);
    EXPECT_THAT(refusal(folder.path()),
                AllOf(HasSubstr("is stored twice"), HasSubstr("decoder.safetensors")));
}

TEST(Checkpoints, ShapesThatMakeNoModelAreRefused)
{
    // 2 · 2² · 3 values per token: two frames of video.
    EXPECT_THAT(refusalOf([](Contents& c) {
                    c["patch_embed.weight"].shape = {8, 24};
                }),
                AllOf(HasSubstr("a token of 24 values"), HasSubstr("temporal patch")));
    EXPECT_THAT(refusalOf([](Contents& c) {
                    c["patch_embed.weight"].shape = {8, 0};
                }),
                HasSubstr("a token of 0 values"));
    for (const std::uint64_t head : {0U, 3U, 5U, 16U, 2U})
        EXPECT_THAT(refusalOf([&](Contents& c) {
                        c["encoder_blocks.0.attn.norm_q.weight"].shape = {head};
                    }),
                    HasSubstr("width 8 does not split into heads"))
            << head;
    EXPECT_THAT(refusalOf([](Contents& c) {
                    c["to_code.weight"].shape = {0, 8};
                }),
                HasSubstr("is empty"));
    EXPECT_THAT(refusalOf([](Contents& c) {
                    c["decoder_blocks.0.ffn.fc2.weight"].shape = {16, 0};
                }),
                HasSubstr("is empty"));
    EXPECT_THAT(refusalOf([](Contents& c) {
                    c["patch_embed.weight"].shape = {8, 3, 2, 2};
                }),
                HasSubstr("the shapes of patch_embed.weight"));
}

TEST(Checkpoints, ContentIdFollowsContentAndNotThePath)
{
    const TestFolder folder;
    writeSplit(folder / "a", variantOf(kSmall));
    writeSplit(folder / "b", variantOf(kSmall));
    const std::string id = open(folder / "a").model.contentId;
    EXPECT_TRUE(id.starts_with("sha256:"));
    EXPECT_EQ(id.size(), 7U + 64);
    EXPECT_EQ(open(folder / "b").model.contentId, id);
    for (const std::size_t stage : {0U, 1U}) {
        writeSplit(folder / "b", variantOf(kSmall));
        Contents changed = stageOf(variantOf(kSmall), stage);
        changed.begin()->second.fill = 2;
        write(folder / (stage == 0 ? "b/encoder.safetensors" : "b/decoder.safetensors"), changed);
        EXPECT_NE(open(folder / "b").model.contentId, id) << stage;
    }
}

TEST(Checkpoints, BrokenFilesSayWhatTheyAre)
{
    const auto why = [](const std::string& name) {
        return refusal(tests::dataFile("broken/checkpoints/" + name));
    };
    EXPECT_THAT(why("pointer.safetensors"), HasSubstr("not a valid safetensors file"));
    EXPECT_THAT(why("login_page.safetensors"), HasSubstr("not a valid safetensors file"));
    EXPECT_THAT(why("cut.safetensors"), HasSubstr("not a valid safetensors file"));
    EXPECT_THAT(
        why("other_model.safetensors"),
        AllOf(HasSubstr("not a ViTok checkpoint"),
              HasSubstr("the shapes of patch_embed.weight, to_code.weight, encoder_blocks.0")));
    const std::string other = why("other_model.safetensors");
    EXPECT_THAT(other.substr(0, other.find('\n')),
                AllOf(HasSubstr("vitok, "), HasSubstr(".pt2"), Not(HasSubstr("patch_embed"))))
        << "what can be done stands in the first line";
    EXPECT_THAT(why("giant_shapes.safetensors"), HasSubstr("giant_shapes.safetensors: "));
    for (const char* name : {"pointer.safetensors", "cut.safetensors"})
        EXPECT_THAT(why(name), HasSubstr(name));
}

TEST(Catalogue, TheDemoLiesInTheResourceFolder)
{
    const TestFolder folder;
    writeSplit(folder / "demo_model", variantOf(kSmall));
    const auto opened = openModel("demo", folder.path(), 0);
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    EXPECT_EQ(opened.value().model.reference, "demo");
    EXPECT_EQ(opened.value().model.displayName, "Demo ViTok");
    EXPECT_TRUE(opened.value().model.trained());
    EXPECT_EQ(opened.value().model.contentId, open(folder / "demo_model").model.contentId);
    const auto absent = openModel("demo", folder / "elsewhere", 0);
    ASSERT_FALSE(absent.ok());
    EXPECT_EQ(absent.error().code, ErrorCode::NotFound);
    EXPECT_THAT(absent.error().message, HasSubstr((folder / "elsewhere/demo_model").string()));
}

TEST(Catalogue, GeneratedModelsHaveNamesVariantsAndSeeds)
{
    const OpenedModel published = openModel("vitok:350M-f16x64", {}, 42).value();
    EXPECT_EQ(published.model.displayName, "ViTok 350M-f16x64");
    EXPECT_EQ(published.model.parameterCount(), 354548032);
    EXPECT_FALSE(published.model.trained());
    EXPECT_TRUE(published.report.complete());
    EXPECT_THAT(published.report.recognised, HasSubstr("seed 42"));
    const std::string id = published.model.contentId;
    EXPECT_EQ(openModel("vitok:350M-64", {}, 42).value().model.contentId, id) << "the old name";
    EXPECT_EQ(openModel("vitok:Ld4-L/16x64", {}, 42).value().model.contentId, id);
    EXPECT_NE(openModel("vitok:350M-f16x64", {}, 43).value().model.contentId, id);
    EXPECT_NE(openModel("vitok:350M-f16x32", {}, 42).value().model.contentId, id);
    EXPECT_EQ(openModel("vitok:5B-64", {}, 42).value().model.parameterCount(), 5008879680);
}

struct Garbage {
    std::string reference;
    std::string advice;
};

class GarbageReferences : public testing::TestWithParam<Garbage>
{
};

TEST_P(GarbageReferences, AreAnsweredWithAdvice)
{
    const TestFolder folder;
    const auto opened = openModel(GetParam().reference, folder.path(), 0);
    ASSERT_FALSE(opened.ok());
    EXPECT_THAT(opened.error().message, HasSubstr(GetParam().advice));
}

INSTANTIATE_TEST_SUITE_P(
    All, GarbageReferences,
    testing::Values(Garbage{"",
                            "no model given\nA model is \"demo\", \"demo-text\", a name such as"},
                    Garbage{"350M-f16x64", "vitok:350M-f16x64"}, Garbage{"DEMO", "\"demo\""},
                    Garbage{"no/such/folder", "no/such/folder: no such file or folder"},
                    Garbage{std::string(5000, 'x'), "no such file or folder"},
                    Garbage{"/dev/null", "/dev/null"},
                    Garbage{"vitok:", "one of 350M-f16x16, 350M-f16x32"},
                    Garbage{"vitok:350m-f16x64", "\"350m-f16x64\" is no ViTok model"},
                    Garbage{"vitok:L/4x16x64", "a temporal patch of 4 is for video"},
                    Garbage{"vitok:Lh15/16x64", "not a multiple of 15 heads"}));

}  // namespace
}  // namespace qs::core
