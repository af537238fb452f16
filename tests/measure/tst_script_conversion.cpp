#include "core/measure/script_conversion.h"

#include <gtest/gtest.h>

namespace {

using namespace qs::core;

TEST(ScriptConversion, RequestAndResultReadBackAsTheyWere)
{
    const ConversionRequest request{"/m/net.pt",
                                    std::string(64, 'a'),
                                    {parseDeclaredInput("x=float32[batch,3,8,8]").value(),
                                     parseDeclaredInput("int64[4]").value()},
                                    "/m/net.pt2"};
    EXPECT_EQ(conversionRequestFromJson(toJson(request)).value(), request);
    const ConversionResult result{12, 345, "view in head", 1e-7, true, false};
    EXPECT_EQ(conversionResultFromJson(toJson(result)).value(), result);
}

TEST(ScriptConversion, WhatAWorkerSaysWronglyIsAnError)
{
    for (const auto& [name, value] :
         std::initializer_list<std::pair<const char*, Json>>{{"operations", -1},
                                                             {"relative_difference", "small"},
                                                             {"more", 1},
                                                             {"files_shut", 1}}) {
        Json json = toJson(ConversionResult{});
        json[name] = value;
        EXPECT_FALSE(conversionResultFromJson(json).ok()) << name;
    }
    Json request = toJson(ConversionRequest{});
    request["inputs"] = {"x=floaty[1]"};
    EXPECT_FALSE(conversionRequestFromJson(request).ok());
}

}  // namespace
