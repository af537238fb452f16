#include "core/base/text_parts.h"
#include "core/quant/calibration.h"
#include "core/quant/recipe.h"
#include "core/quant/rest_of_model.h"
#include "core/quant/scheme.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <tuple>

namespace qs::core {
namespace {

using testing::HasSubstr;

struct Expected {
    const char* name;
    bool quantizes;
    DType working;
};

// Names are part of files and cell ids: none may change.
constexpr Expected kExpected[] = {
    {"fp32", false, DType::Float32},          {"tf32", false, DType::Float32},
    {"fp16", false, DType::Float16},          {"bf16", false, DType::BFloat16},
    {"bf16-autocast", false, DType::Float32}, {"int8dq", true, DType::BFloat16},
    {"int8wo", true, DType::BFloat16},        {"float8dq-tensor", true, DType::BFloat16},
    {"float8dq-row", true, DType::BFloat16},  {"float8wo", true, DType::BFloat16},
};

TEST(Schemes, HaveTheirNamesAndTypes)
{
    for (const Expected& each : kExpected) {
        const auto scheme = parseScheme(each.name);
        ASSERT_TRUE(scheme.ok()) << each.name;
        EXPECT_EQ(scheme.value().text(), each.name);
        EXPECT_EQ(quantizesWeights(scheme.value()), each.quantizes) << each.name;
        EXPECT_EQ(scheme.value()->workingType, each.working) << each.name;
    }
}

TEST(Schemes, WhatListsOfferReadsBack)
{
    std::set<std::string> texts;
    for (const Scheme& scheme : offeredSchemes()) {
        const auto parsed = parseScheme(scheme.text());
        ASSERT_TRUE(parsed.ok()) << scheme.text();
        EXPECT_EQ(parsed.value(), scheme);
        EXPECT_TRUE(texts.insert(scheme.text()).second) << scheme.text();
    }
    for (const Expected& each : kExpected)
        EXPECT_TRUE(texts.contains(each.name)) << each.name;
}

// A row that says a thing twice, or half of it, would be wrong somewhere in silence.
TEST(Schemes, RowsAreWhole)
{
    std::set<std::string> descriptions;
    for (const SchemeSpec& spec : schemeRegistry().specs()) {
        SCOPED_TRACE(spec.name);
        const Scheme scheme(spec);
        EXPECT_TRUE(descriptions.insert(spec.description).second) << spec.description;
        const std::vector<std::string> parts = splitAt(spec.description, ';');
        EXPECT_EQ(parts.size(), 3U) << "what is stored; what is computed; what it is for";
        for (const std::string& part : parts)
            EXPECT_GT(part.size(), 10U) << part;
        EXPECT_EQ(bool(spec.stored), bool(spec.quantizeWeight) != !spec.solver.empty())
            << "one thing makes what is stored";
        EXPECT_TRUE(!spec.statistic || calibrationOf(scheme).samples > 0);
        EXPECT_TRUE(!spec.stored || spec.linear) << "what is stored has to be multiplied";
        EXPECT_EQ(bool(spec.linear), !spec.outside.empty())
            << "layers outside the matched ones are what the scheme itself is, or are named";
        EXPECT_FALSE(composesLayers(outsideScheme(scheme)));
        EXPECT_EQ(outsideScheme(scheme)->workingType, spec.workingType);
        const bool hasNeeds = !spec.needs.cpu || spec.needs.computeMajor > 0;
        EXPECT_EQ(hasNeeds, !spec.needs.what.empty()) << "a reason needs words";
        for (const DeviceDescription& gpu : commonGpus())
            EXPECT_FALSE(productOf(scheme, LayerKind::Linear, gpu).operation.empty());
    }
}

// The page of the help has a line for each, with the words of its row.
TEST(Schemes, TheHelpSaysOfEachWhatItsRowSays)
{
    const std::string page = tests::readFile(tests::dataFile("../resources/help/16_precisions.md"));
    for (const Scheme& scheme : offeredSchemes()) {
        std::string line = "| `" + scheme.text() + "` |";
        for (const std::string& part : splitAt(scheme->description, ';')) {
            std::string words(trimmed(part));
            if (words.starts_with("for "))
                words.erase(0, 4);
            line += " " + words + " |";
        }
        EXPECT_THAT(page, HasSubstr(line + "\n"));
    }
}

TEST(Schemes, OptionsAreNamedAndDefaultsAreLeftOut)
{
    for (const char* text :
         {"int8dq:rule=reduced", "int8dq:rule=tensor:by=division", "int8wo:by=division",
          "float8dq-row:scale=float32:by=reciprocal", "float8wo:scale=float32",
          "float8dq-tensor:by=reciprocal", "int4wo-64:tail=1"}) {
        ASSERT_TRUE(parseScheme(text).ok()) << text;
        EXPECT_EQ(namedScheme(text).text(), text);
    }
    EXPECT_EQ(namedScheme("int8dq:rule=full:by=reciprocal"), namedScheme("int8dq"));
    EXPECT_EQ(namedScheme("float8wo:by=division"), namedScheme("float8wo"));
    EXPECT_EQ(storedBytes(namedScheme("int8dq:rule=tensor"), 6, 10, false), 60 + 4);
    EXPECT_EQ(namedScheme("int8dq")->activationRule(namedScheme("int8dq")),
              "absmax / 127.5, quantized values -128 … 127");
    EXPECT_NE(namedScheme("int8dq")->activationRule(namedScheme("int8dq:rule=reduced")),
              namedScheme("int8dq")->activationRule(namedScheme("int8dq")));
}

TEST(Schemes, TheRestOfTheModelHasItsOwnType)
{
    const auto types = [](const char* text) {
        const Scheme scheme = namedScheme(text);
        return std::tuple(workingTypeOf(scheme), productTypeOf(scheme),
                          outsideScheme(scheme).text());
    };
    EXPECT_EQ(types("int8wo"), std::tuple(DType::BFloat16, DType::BFloat16, "bf16"));
    EXPECT_EQ(types("int8wo:rest=fp16"), std::tuple(DType::Float16, DType::Float16, "fp16"));
    EXPECT_EQ(types("int8dq:rest=fp32"), std::tuple(DType::Float32, DType::Float32, "fp32"));
    EXPECT_EQ(types("int8wo:rest=autocast"),
              std::tuple(DType::Float32, DType::BFloat16, "bf16-autocast"));
    EXPECT_EQ(types("bf16-autocast"), std::tuple(DType::Float32, DType::BFloat16, "fp32"));
    EXPECT_EQ(namedScheme("int8dq:rest=bf16").text(), "int8dq") << "the default is left out";
    EXPECT_EQ(namedScheme("gptq-int4-64:rest=fp16:tail=1").text(), "gptq-int4-64:tail=1:rest=fp16");
    EXPECT_THAT(parseScheme("int8dq:rest=fp8").error().message, HasSubstr("autocast"));
    EXPECT_FALSE(parseScheme("bf16:rest=fp16").ok()) << "it is the rest itself";
    // Codes and scales are the same; what is left has the width of its type.
    EXPECT_EQ(storedBytes(namedScheme("int8dq:rest=autocast"), 6, 10, true), 60 + 6 * 4 + 6 * 4);
    EXPECT_EQ(storedBytes(namedScheme("int4wo-32:rest=autocast"), 6, 32, false), 96 + 6 * 2 * 4);
}

TEST(Schemes, Int4HasItsGroupInItsName)
{
    EXPECT_EQ(namedScheme("int4wo").text(), "int4wo-128");
    EXPECT_EQ(namedScheme("int4wo-32").whole("group"), 32);
    EXPECT_THAT(parseScheme("int4wo-48").error().message, HasSubstr("32, 64, 128, 256"));
    // Half a byte a weight; scale and zero point of 16 bits for each group.
    EXPECT_EQ(storedBytes(namedScheme("int4wo-32"), 48, 96, false), 48 * 48 + 48 * 3 * 4);
    EXPECT_EQ(storedBytes(namedScheme("int4wo-32"), 48, 96, true), 48 * 48 + 48 * 3 * 4 + 96);
    EXPECT_EQ(fastestRate({.bits16 = 3.0}, {"int4wo-64"}), 3.0);
}

TEST(Schemes, AreBoundByTheirFastestProducts)
{
    const PeakRates rates{.bits32 = 1.0, .tf32 = 2.0, .bits16 = 3.0, .bits8 = 4.0};
    EXPECT_EQ(fastestRate(rates, {"fp32"}), 1.0);
    EXPECT_EQ(fastestRate(rates, {"tf32"}), 2.0);
    EXPECT_EQ(fastestRate(rates, {"bf16"}), 3.0);
    EXPECT_EQ(fastestRate(rates, {"int8wo"}), 3.0) << "weights are widened first";
    EXPECT_EQ(fastestRate(rates, {"int8dq"}), 4.0);
    EXPECT_EQ(fastestRate(rates, {"fp32", "float8dq-row"}), 4.0);
    EXPECT_EQ(fastestRate(rates, {"bf16", "int2"}), std::nullopt);
    EXPECT_EQ(fastestRate(rates, {}), std::nullopt);
}

TEST(Schemes, UnknownNamesAreRefusedWithTheKnownOnes)
{
    for (const char* text : {"", "INT8DQ", "int8", "bf16 ", "float8dq", "int8dq-4", "int8dq:a=1"}) {
        const auto parsed = parseScheme(text);
        ASSERT_FALSE(parsed.ok()) << text;
        EXPECT_EQ(parsed.error().code, ErrorCode::InvalidArgument);
    }
    const auto unknown = parseScheme("int2");
    for (const Expected& each : kExpected)
        EXPECT_THAT(unknown.error().message, HasSubstr(each.name));
}

}  // namespace
}  // namespace qs::core
