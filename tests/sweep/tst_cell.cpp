#include "core/sweep/axis_spec.h"
#include "core/sweep/cell.h"
#include "core/sweep/cell_member.h"
#include "core/sweep/worker_variables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>

namespace qs::core {
namespace {

using testing::HasSubstr;

CellConfig parsed(const std::string& text, std::string* complaints = nullptr)
{
    std::vector<JsonIssue> issues;
    const Json json = parseJson(text, "cell").value();
    const CellConfig cell = cellFromJson(json, "$", issues);
    if (complaints != nullptr)
        *complaints = formatIssues(issues);
    else
        EXPECT_EQ(formatIssues(issues), "");
    return cell;
}

std::string complaints(const std::string& text)
{
    std::string found;
    static_cast<void>(parsed(text, &found));
    return found;
}

TEST(Cell, AbsentMembersHaveDefaults)
{
    const CellConfig cell = parsed(R"({"model": "demo"})");
    EXPECT_EQ(cell, (CellConfig{.model = "demo", .precision = {"bf16"}}));
}

TEST(Cell, ReadsEveryMember)
{
    const CellConfig cell = parsed(R"({"model": "m", "device": "cuda:1", "precision": "bf16/int8dq",
        "layers": "mlp", "compile": "cuda-graph", "attention": "flash", "inputs": "pinned",
        "env": {"PYTORCH_ALLOC_CONF": "a:1,b:2", "OMP_NUM_THREADS": "2"}, "batch": 4,
        "image_size": 512, "seed": 0})");
    EXPECT_EQ(cell, (CellConfig{.model = "m",
                                .device = "cuda:1",
                                .precision = {"bf16", "int8dq"},
                                .layers = "mlp",
                                .compile = "cuda-graph",
                                .attention = "flash",
                                .inputs = "pinned",
                                .batch = 4,
                                .sizes = {{"image_size", 512}},
                                .seed = 0,
                                .env = "OMP_NUM_THREADS=2 PYTORCH_ALLOC_CONF=a:1,b:2"}));
    EXPECT_EQ(parsed(toJson(cell).dump()), cell);
}

TEST(Cell, EnvironmentVariablesHaveOneTextForm)
{
    const auto env = [](const std::string& value) {
        return parsed(R"({"model": "m", "env": )" + value + "}").env;
    };
    EXPECT_EQ(env("{}"), "none");
    EXPECT_EQ(env(R"("none")"), "none");
    EXPECT_EQ(env(R"(" OMP_NUM_THREADS=2  CUBLAS_WORKSPACE_CONFIG=:4096:8 ")"),
              "CUBLAS_WORKSPACE_CONFIG=:4096:8 OMP_NUM_THREADS=2");
    EXPECT_EQ(env(R"({"OMP_NUM_THREADS": "2", "CUBLAS_WORKSPACE_CONFIG": ":4096:8"})"),
              "CUBLAS_WORKSPACE_CONFIG=:4096:8 OMP_NUM_THREADS=2");
    EXPECT_EQ(variablesIn("A=1 B=2"), (std::vector<std::string>{"A=1", "B=2"}));
    EXPECT_TRUE(variablesIn(kNoVariables).empty());
}

TEST(Cell, RefusesOtherEnvironmentVariables)
{
    const auto why = [](const std::string& value) {
        return complaints(R"({"model": "m", "env": )" + value + "}");
    };
    for (const std::string wrong : {R"({"LD_PRELOAD": "a.so"})", R"("LD_PRELOAD=a.so")"}) {
        EXPECT_THAT(why(wrong), HasSubstr("$.env"));
        for (const std::string& allowed : allowedVariables())
            EXPECT_THAT(why(wrong), HasSubstr(allowed));
    }
    EXPECT_THAT(why(R"({"OMP_NUM_THREADS": 2})"), HasSubstr("$.env.OMP_NUM_THREADS"));
    for (const char* value : {"", "a b", "\\u0007", "ä"})
        EXPECT_THAT(why(R"({"OMP_NUM_THREADS": ")" + std::string(value) + "\"}"),
                    HasSubstr("$.env.OMP_NUM_THREADS"))
            << value;
    EXPECT_THAT(why(R"("OMP_NUM_THREADS")"), HasSubstr("$.env"));
    EXPECT_THAT(why(R"("OMP_NUM_THREADS=1 OMP_NUM_THREADS=2")"), HasSubstr("twice"));
    EXPECT_THAT(why("[]"), HasSubstr("$.env"));
}

TEST(Cell, PrecisionHasOneTextForm)
{
    const auto precision = [](const std::string& value) {
        return precisionText(parsed(R"({"model": "m", "precision": )" + value + "}"));
    };
    EXPECT_EQ(precision(R"("int8wo")"), "int8wo");
    EXPECT_EQ(precision(R"("bf16/bf16")"), "bf16");
    EXPECT_EQ(precision(R"({"encoder": "bf16", "decoder": "int8dq"})"), "bf16/int8dq");
    EXPECT_EQ(precision(R"({"decoder": "int8dq", "encoder": "bf16"})"), "bf16/int8dq");
    EXPECT_EQ(precision(R"({"prefill": "fp16", "decode": "int8wo"})"), "fp16/int8wo");
    EXPECT_EQ(precisionText({.model = "m", .precision = {"bf16", "bf16"}}), "bf16");
    EXPECT_EQ(precisionText({.model = "m", .precision = {}}), "");
}

TEST(Cell, ComplainsWithThePath)
{
    EXPECT_EQ(complaints("{}"), "$.model: is missing");
    EXPECT_EQ(complaints(R"({"model": 3})"), "$.model: expected a string, found number");
    EXPECT_EQ(complaints(R"({"model": "m", "device": ""})"), "$.device: is empty");
    EXPECT_EQ(complaints(R"({"model": "m", "precision": ["bf16"]})"),
              "$.precision: expected a string or an object with one scheme per stage, found array");
    EXPECT_EQ(complaints(R"({"model": "m", "precision": {"encoder": "bf16"}})"),
              "$.precision.decoder: is missing");
    EXPECT_EQ(complaints(R"({"model": "m", "precision": {"encoder": "bf16", "decode": "bf16"}})"),
              "$.precision.decoder: is missing\n$.precision.decode: is not a known member");
    EXPECT_THAT(complaints(R"({"model": "m", "precision": "a//b"})"), HasSubstr("lacks"));
    EXPECT_THAT(complaints(R"({"model": "m", "precision": "a/b/a/b/a/b/a/b/a"})"),
                HasSubstr("more than 8 stages"));
    EXPECT_THAT(complaints(R"({"model": "m", "batch": 0, "image_size": -1, "seed": 1.5})"),
                testing::AllOf(HasSubstr("$.batch: expected"), HasSubstr("$.image_size: expected"),
                               HasSubstr("$.seed: expected")));
    EXPECT_EQ(complaints(R"({"model": "m", "batchsize": 1})"),
              "$.batchsize: is not a known member");
}

TEST(Cell, IdentityCoversConfigurationAndContent)
{
    const CellConfig cell{.model = "m", .precision = {"bf16"}};
    const std::string id = cellId(cell, "content");
    EXPECT_EQ(id.size(), 64U);
    EXPECT_EQ(id, cellId(cell, "content"));
    EXPECT_NE(id, cellId(cell, "other content"));

    std::set<std::string> ids{id};
    for (const std::string& name : axisNames()) {
        CellConfig changed = cell;
        const std::string value = name == "env"        ? "OMP_NUM_THREADS=77"
                                  : name == "workload" ? "quantize"
                                                       : "77";
        ASSERT_TRUE(setMember(changed, name, value).ok());
        EXPECT_EQ(memberText(changed, name), value);
        ids.insert(cellId(changed, "content"));
    }
    EXPECT_EQ(ids.size(), axisNames().size() + 1);

    const CellConfig spelledOut{.model = "m", .precision = {"bf16", "bf16"}};
    EXPECT_EQ(cellId(spelledOut, "content"), id);
}

// The id is written into run folders: it must not change from one version of the program to the
// next.
TEST(Cell, IdentityIsTheHashOfACanonicalText)
{
    const CellConfig cell{.model = "demo", .precision = {"bf16"}};
    EXPECT_EQ(canonicalText(toJson(cell)),
              R"({"attention":"auto","batch":1,"compile":"none","device":"cpu","image_size":256,)"
              R"("layers":"all","model":"demo","precision":"bf16","seed":42})");
    EXPECT_EQ(cellId(cell, "abc"),
              "b31760d4236bbccd2dda53a6609bd0f2b47f336da62b39788f4c1edf4e86f431");
}

TEST(CellMember, NormalValues)
{
    EXPECT_EQ(normalValue("batch", "08").value(), "8");
    EXPECT_EQ(normalValue("seed", "0").value(), "0");
    EXPECT_EQ(normalValue("seed", "9223372036854775807").value(), "9223372036854775807");
    EXPECT_EQ(normalValue("layers", "regex:fc[12]$ -first1").value(), "regex:fc[12]$ -first1");
    for (const char* wrong : {"", "0", "-1", "1.5", "8 ", "2147483648", "x"})
        EXPECT_FALSE(normalValue("batch", wrong).ok()) << wrong;
    EXPECT_FALSE(normalValue("model", "").ok());
    EXPECT_FALSE(normalValue("model", "a\nb").ok());
    EXPECT_FALSE(normalValue("model", "a\x7f").ok());
    EXPECT_FALSE(normalValue("model", std::string(1001, 'a')).ok());
    EXPECT_TRUE(normalValue("model", "/models/ä b.safetensors").ok());
}

TEST(CellMember, ARefusedValueChangesNothing)
{
    CellConfig cell{.model = "m", .precision = {"bf16"}};
    const CellConfig before = cell;
    for (const char* name : {"batch", "precision", "device"})
        EXPECT_FALSE(setMember(cell, name, "").ok());
    EXPECT_EQ(cell, before);
}

TEST(Axes, ASizeThatACellDoesWithoutHasNoWords)
{
    CellConfig cell;
    cell.sizes.set("image_height", 0);
    const AxisSpec& height = *findAxisSpec("image_height");
    EXPECT_TRUE(isOff(height, cell));
    EXPECT_EQ(memberWords(height, cell), "");
    cell.sizes.set("image_height", 44);
    EXPECT_FALSE(isOff(height, cell));
    EXPECT_NE(memberWords(height, cell).find("44"), std::string::npos);
}

}  // namespace
}  // namespace qs::core
