#include "core/graph/operation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace qs::core {
namespace {

TEST(OperationCatalogue, FullNamesAreUniqueAndFound)
{
    std::set<std::string> names;
    for (const Operation& operation : operationCatalogue()) {
        EXPECT_TRUE(names.insert(operation.fullName()).second) << operation.fullName();
        EXPECT_EQ(findOperation(operation.fullName()), &operation);
    }
    EXPECT_GT(names.size(), 120U);
}

TEST(OperationCatalogue, EveryNameHasANamespaceAndNoOverloadInIt)
{
    for (const Operation& operation : operationCatalogue()) {
        EXPECT_TRUE(operation.name.starts_with("aten::") || operation.name.starts_with("qs::") ||
                    operation.name.starts_with("onednn::"));
        EXPECT_EQ(operation.name.find('.'), std::string_view::npos) << operation.name;
    }
}

TEST(OperationCatalogue, FullNameJoinsTheOverload)
{
    EXPECT_EQ(findOperation("aten::add.Tensor")->fullName(), "aten::add.Tensor");
    EXPECT_EQ(findOperation("aten::silu")->fullName(), "aten::silu");
}

TEST(OperationCatalogue, KnowsOurLinear)
{
    const Operation* linear = findOperation(kQsLinear);
    ASSERT_NE(linear, nullptr);
    EXPECT_EQ(linear->operationClass, OperationClass::Linear);
    EXPECT_TRUE(linear->mutates.empty());
}

// Operations that touch files or the process, or that do not exist: none may run.
TEST(OperationCatalogue, IsAnAllowList)
{
    for (const char* name :
         {"aten::from_file", "aten::save", "aten::add", "add.Tensor", "aten::linear.default",
          "aten::", "", "qs::conv", "prim::PythonOp", "aten::set_.source_Storage"})
        EXPECT_EQ(findOperation(name), nullptr) << name;
}

TEST(OperationCatalogue, KnowsWhatSumsIntegers)
{
    for (const Operation& operation : operationCatalogue()) {
        const bool sums =
            operation.name == "aten::_int_mm" || operation.name == "onednn::qconv_pointwise";
        EXPECT_EQ(sumsIntegers(operation), sums) << operation.fullName();
    }
}

// PyTorch marks an in-place operation by a trailing underscore.
TEST(OperationCatalogue, ExactlyTheInPlaceOperationsMutate)
{
    for (const Operation& operation : operationCatalogue()) {
        EXPECT_EQ(operation.name.ends_with('_'), !operation.mutates.empty())
            << operation.fullName();
        if (!operation.mutates.empty()) {
            EXPECT_EQ(operation.mutates, "self");
            EXPECT_TRUE(operation.aliases == "self")
                << "an in-place operation returns its own argument";
        }
    }
}

TEST(OperationCatalogue, ViewsAlias)
{
    for (const Operation& operation : operationCatalogue()) {
        EXPECT_TRUE(operation.operationClass != OperationClass::View || operation.aliases == "self")
            << operation.fullName();
    }
    // Both return their argument itself when there is nothing to do.
    EXPECT_EQ(findOperation("aten::to.dtype")->aliases, "self");
    EXPECT_EQ(findOperation("aten::contiguous")->aliases, "self");
    EXPECT_EQ(findOperation("aten::cat")->aliases, "");
}

}  // namespace
}  // namespace qs::core
