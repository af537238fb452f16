#include "core/model/vitok/vitok.h"
#include "core/quant/layer_filter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qs::core {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// The linear layers of a decoder of three blocks that the filter hits, in order.
std::vector<std::string> hits(const char* text)
{
    const auto family = vitok::makeFamily(vitok::parseVariant("w64_d3_h4/1x8x16").value());
    const auto filter = LayerFilter::parse(text);
    if (!filter.ok())
        return {filter.error().message};
    std::vector<std::string> found;
    for (const WeightSpec& weight : family->stages()[1].weights) {
        if (weight.shape.size() != 2)
            continue;
        const std::string module = weight.name.substr(0, weight.name.size() - 7);
        if (!filter.value().reasonToSkip(module, family->layerPlace(1, module)))
            found.push_back(module.starts_with("decoder_blocks.") ? module.substr(15) : module);
    }
    return found;
}

TEST(LayerFilters, AllMeansTheBlocks)
{
    EXPECT_THAT(hits("all"),
                ElementsAre("0.attn.qkv_proj", "0.attn.out_proj", "0.ffn.fc1", "0.ffn.fc2",
                            "1.attn.qkv_proj", "1.attn.out_proj", "1.ffn.fc1", "1.ffn.fc2",
                            "2.attn.qkv_proj", "2.attn.out_proj", "2.ffn.fc1", "2.ffn.fc2"));
}

TEST(LayerFilters, EveryTakesEmbeddingsAndHeadsToo)
{
    const auto found = hits("every");
    ASSERT_EQ(found.size(), 14U);
    EXPECT_EQ(found.front(), "decoder_embed");
    EXPECT_EQ(found.back(), "to_pixels");
}

TEST(LayerFilters, ScopesTakeOneKindOfLayer)
{
    EXPECT_THAT(hits("mlp"), ElementsAre("0.ffn.fc1", "0.ffn.fc2", "1.ffn.fc1", "1.ffn.fc2",
                                         "2.ffn.fc1", "2.ffn.fc2"));
    EXPECT_THAT(hits("attention"),
                ElementsAre("0.attn.qkv_proj", "0.attn.out_proj", "1.attn.qkv_proj",
                            "1.attn.out_proj", "2.attn.qkv_proj", "2.attn.out_proj"));
}

TEST(LayerFilters, BlocksAreLeftOutAtBothEnds)
{
    EXPECT_THAT(hits("mlp -first1"),
                ElementsAre("1.ffn.fc1", "1.ffn.fc2", "2.ffn.fc1", "2.ffn.fc2"));
    EXPECT_THAT(hits("mlp -last2"), ElementsAre("0.ffn.fc1", "0.ffn.fc2"));
    EXPECT_THAT(hits("  mlp   -last1 -first1 "), ElementsAre("1.ffn.fc1", "1.ffn.fc2"));
    EXPECT_EQ(hits("all -first0 -last0"), hits("all"));
    EXPECT_THAT(hits("all -first3"), IsEmpty());
    EXPECT_THAT(hits("all -first2 -last2"), IsEmpty());
    EXPECT_THAT(hits("every -last10000"), ElementsAre("decoder_embed", "to_pixels"))
        << "layers outside the blocks have no place in the count";
}

TEST(LayerFilters, ExpressionsSearchThePathIgnoringCase)
{
    EXPECT_THAT(hits("regex:FC1$"), ElementsAre("0.ffn.fc1", "1.ffn.fc1", "2.ffn.fc1"));
    EXPECT_THAT(
        hits("regex:blocks\\.(0|2)\\.attn"),
        ElementsAre("0.attn.qkv_proj", "0.attn.out_proj", "2.attn.qkv_proj", "2.attn.out_proj"));
    EXPECT_THAT(hits("regex:fc2 -first1 -last1"), ElementsAre("1.ffn.fc2"));
    EXPECT_THAT(hits("regex:^to_"), ElementsAre("to_pixels")) << "not confined to the blocks";
    EXPECT_THAT(hits("regex:nothing"), IsEmpty());
}

// The name filter of another system does not travel: of its expressions only one meets a ViTok
// name.
TEST(LayerFilters, TheExpressionsOfOlmoEarthMeetOutProjAlone)
{
    for (const char* expression : {"\\bq(_proj)?\\b", "\\bk(_proj)?\\b", "\\bv(_proj)?\\b",
                                   "\\bqkv\\b", "\\bmlp\\.(fc1|fc2)\\b", "\\b(att_in|att_out)\\b",
                                   "\\bw_(1|2|3)\\b", "\\b(q|k|v)_norm\\b"})
        EXPECT_THAT(hits(("regex:" + std::string(expression)).c_str()), IsEmpty()) << expression;
    for (const char* expression : {"\\bout(_proj)?\\b", "\\b(attn\\.)?(q|k|v|out)_proj\\b"})
        EXPECT_THAT(hits(("regex:" + std::string(expression)).c_str()),
                    ElementsAre("0.attn.out_proj", "1.attn.out_proj", "2.attn.out_proj"))
            << expression;
}

// The same expressions on the names they were written for, and on those of Llama.
TEST(LayerFilters, TheExpressionsOfOlmoEarthHaveTheirTruthTable)
{
    const auto filter = LayerFilter::parse("regex:\\bq(_proj)?\\b|\\bk(_proj)?\\b|\\bv(_proj)?\\b|"
                                           "\\bout(_proj)?\\b|\\bqkv\\b|\\bmlp\\.(fc1|fc2)\\b|"
                                           "\\b(attn\\.)?(q|k|v|out)_proj\\b")
                            .value();
    const std::pair<const char*, bool> table[] = {
        {"blocks.0.attn.q", true},           {"blocks.0.attn.k", true},
        {"blocks.0.attn.v", true},           {"blocks.0.attn.proj", false},
        {"blocks.0.mlp.fc1", true},          {"blocks.0.mlp.fc2", true},
        {"project_and_aggregate.0", false},  {"layers.0.self_attn.q_proj", true},
        {"layers.0.self_attn.v_proj", true}, {"layers.0.self_attn.o_proj", false},
        {"layers.0.mlp.gate_proj", false},   {"layers.0.mlp.up_proj", false},
        {"layers.0.mlp.down_proj", false},
    };
    for (const auto& [module, hit] : table)
        EXPECT_EQ(!filter.reasonToSkip(module, {LayerRole::Mlp, 0, 1}).has_value(), hit) << module;
}

TEST(LayerFilters, SayWhyALayerIsLeftOut)
{
    const auto reason = [](const char* text, LayerPlace place) {
        return LayerFilter::parse(text).value().reasonToSkip("blocks.1.x", place).value_or("hit");
    };
    using enum LayerRole;
    EXPECT_EQ(reason("all", {Embedding, -1, 4}), "embedding, outside the blocks");
    EXPECT_EQ(reason("all", {Head, -1, 4}), "head, outside the blocks");
    EXPECT_EQ(reason("mlp", {Head, -1, 4}), "head, outside the blocks");
    EXPECT_EQ(reason("mlp", {Attention, 1, 4}), "not part of an MLP");
    EXPECT_EQ(reason("attention", {Mlp, 1, 4}), "not part of attention");
    EXPECT_EQ(reason("all -first2", {Mlp, 1, 4}), "in the first 2 blocks");
    EXPECT_EQ(reason("all -last3", {Mlp, 1, 4}), "in the last 3 blocks");
    EXPECT_EQ(reason("regex:fc1", {Mlp, 1, 4}), "does not match regex:fc1");
    EXPECT_EQ(reason("all -first1 -last2", {Mlp, 1, 4}), "hit");
}

TEST(LayerFilters, NamedLayersAreHitAlone)
{
    EXPECT_THAT(hits("only:decoder_blocks.{0,2}.ffn.fc1"), ElementsAre("0.ffn.fc1", "2.ffn.fc1"));
    EXPECT_THAT(hits("only:decoder_blocks.{0-1}.ffn.{fc1,fc2} -first1"),
                ElementsAre("1.ffn.fc1", "1.ffn.fc2"));
    EXPECT_THAT(hits("only:to_pixels,decoder_blocks.1.attn"),
                ElementsAre("1.attn.qkv_proj", "1.attn.out_proj", "to_pixels"));
    EXPECT_THAT(hits("only:decoder_blocks.*.ffn.fc2 -only:decoder_blocks.{1-2}"),
                ElementsAre("0.ffn.fc2"));
    EXPECT_THAT(hits("mlp -regex:fc1$ -regex:\\.1\\."), ElementsAre("0.ffn.fc2", "2.ffn.fc2"));
    EXPECT_THAT(hits("only:decoder_blocks.1.ffn.fc"), IsEmpty()) << "not the beginning of a name";
    EXPECT_THAT(hits("only:encoder_blocks.0"), IsEmpty());
}

TEST(LayerFilters, ASetThatHasANameIsItsExpression)
{
    EXPECT_EQ(hits("olmoearth"), hits("regex:\\bout(_proj)?\\b"));
    EXPECT_THAT(hits("olmoearth -last2"), ElementsAre("0.attn.out_proj"));
    const auto filter = LayerFilter::parse("olmoearth").value();
    for (const auto& [module, hit] :
         {std::pair("blocks.0.attn.q", true), std::pair("blocks.0.attn.proj", false),
          std::pair("blocks.0.mlp.fc2", true), std::pair("patch_embed", false)})
        EXPECT_EQ(!filter.reasonToSkip(module, {LayerRole::Mlp, 0, 1}).has_value(), hit) << module;
}

// The rule that OlmoEarth's document gives for models of one's own: its default filter decides on
// what the rule does not leave out.
TEST(LayerFilters, TheCustomFilterLeavesOutEmbeddingsAndHeads)
{
    const auto filter = LayerFilter::parse("olmoearth -regex:patch_embed|head|classifier").value();
    for (const auto& [module, hit] :
         {std::pair("encoder.blocks.0.attn.q", true),
          std::pair("encoder.blocks.0.attn.proj", false),
          std::pair("encoder.blocks.3.mlp.fc1", true), std::pair("head.q_proj", false),
          std::pair("patch_embed.w_1", false), std::pair("decoder.other", false),
          std::pair("encoder.patch_embeddings", false), std::pair("model.patch_embed.proj", false),
          std::pair("lm_head", false), std::pair("decoder.Classifier.0", false)})
        EXPECT_EQ(!filter.reasonToSkip(module, {LayerRole::Head, -1, 1}).has_value(), hit)
            << module;
}

TEST(LayerFilters, EachStageMayHaveItsOwn)
{
    const auto one = parseLayerFilters("mlp -last1");
    ASSERT_TRUE(one.ok());
    EXPECT_EQ(one.value().size(), 1U);
    const auto two = parseLayerFilters("all / mlp -first1");
    ASSERT_TRUE(two.ok()) << two.error().message;
    ASSERT_EQ(two.value().size(), 2U);
    const LayerPlace attention{LayerRole::Attention, 1, 4};
    EXPECT_FALSE(two.value()[0].reasonToSkip("blocks.1.x", attention).has_value());
    EXPECT_TRUE(two.value()[1].reasonToSkip("blocks.1.x", attention).has_value());
    for (const char* text : {"", "all/", "/all", "all//all", "all/none"})
        EXPECT_FALSE(parseLayerFilters(text).ok()) << text;
}

TEST(LayerFilters, GarbageIsRefusedWithTheReason)
{
    const std::pair<std::string, const char*> cases[] = {
        {"", "is empty"},
        {"   ", "is empty"},
        {"ALL", "unknown scope \"ALL\""},
        {"-first1", "unknown scope"},
        {"all -first", "unknown modifier"},
        {"all -first-1", "unknown modifier"},
        {"all -first+1", "unknown modifier"},
        {"all -first1x", "unknown modifier"},
        {"all -first10001", "unknown modifier"},
        {"all -last99999999999999999999", "unknown modifier"},
        {"all mlp", "unknown modifier \"mlp\""},
        {"regex:", "1 to 256 characters"},
        {"regex:" + std::string(257, 'a'), "1 to 256 characters"},
        {"regex:(", "not a valid expression"},
        {"regex:[z-a]", "not a valid expression"},
        {"regex:*", "not a valid expression"},
        {"only:", "1 to 8192 characters"},
        {"only:" + std::string(8193, 'a'), "1 to 8192 characters"},
        {"only:a,,b", "is not empty"},
        {"only:a..b", "is not empty"},
        {"only:a{1", "one pair of braces"},
        {"only:a}1{", "one pair of braces"},
        {"only:a{1}{2}", "one pair of braces"},
        {"only:a{3-1}", "no word and no range"},
        {"only:a{1,}", "no word and no range"},
        {"all -only:a{", "one pair of braces"},
        {"all -regex:(", "not a valid expression"},
        {"all -mlp", "unknown modifier"},
    };
    for (const auto& [text, why] : cases) {
        const auto filter = LayerFilter::parse(text);
        ASSERT_FALSE(filter.ok()) << text;
        EXPECT_EQ(filter.error().code, ErrorCode::InvalidArgument);
        EXPECT_THAT(filter.error().message, HasSubstr(why)) << text;
    }
}

// A preset comes from a stranger. A backtracking matcher needs 2^30 steps for each of these.
TEST(LayerFilters, HostileExpressionsEndAtOnce)
{
    for (const char* text : {"regex:(.|.)*Z", "regex:(.*)*Z", "regex:((.+)+)+Z"})
        EXPECT_THAT(hits(text), IsEmpty()) << text;
    EXPECT_FALSE(LayerFilter::parse("regex:((((a{99}){99}){99}){99})").ok());
    EXPECT_FALSE(LayerFilter::parse("regex:(a)\\1").ok()) << "no back-references";
}

}  // namespace
}  // namespace qs::core
