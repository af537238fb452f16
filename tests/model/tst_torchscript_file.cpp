#include "core/model/torchscript_file.h"

#include "core/base/zip_writer.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>

namespace {

using namespace qs::core;
using qs::tests::TestFolder;
using testing::ElementsAre;
using testing::IsEmpty;

std::optional<TorchScriptSummary> summaryOf(const TestFolder& folder, const std::string& code)
{
    ZipWriter writer = ZipWriter::create(folder / "net.pt").value();
    EXPECT_TRUE(writer.add("net/code/__torch__.py", code).ok());
    EXPECT_TRUE(writer.commit().ok());
    return torchScriptSummary(folder / "net.pt");
}

TEST(TorchScriptFile, InputsAreThoseOfTheModuleThatNobodyHolds)
{
    const TestFolder folder;
    const auto summary = summaryOf(folder, "class Net(Module):\n"
                                           "  __parameters__ = []\n"
                                           "  inner : __torch__.Inner\n"
                                           "  def forward(s: __torch__.Net,\n"
                                           "    x: Tensor,\n"
                                           "    mask: Optional[Tensor]=None) -> Tensor:\n"
                                           "    return x\n"
                                           "class Inner(Module):\n"
                                           "  __annotations__[\"0\"] = __torch__.Leaf\n"
                                           "  def forward(self: __torch__.Inner,\n"
                                           "    y: Tensor) -> Tensor:\n"
                                           "class Leaf(Module):\n"
                                           "  def forward(self: __torch__.Leaf,\n"
                                           "    z: Tensor) -> Tensor:\n");
    ASSERT_TRUE(summary);
    EXPECT_THAT(summary->inputs, ElementsAre("x: Tensor", "mask: Optional[Tensor]=None"));
}

TEST(TorchScriptFile, CodeThatIsNoneSaysNothing)
{
    const TestFolder folder;
    for (const std::string code :
         {"", "class", "  def forward(", "class A:\n  def forward(self", "  def forward(x,\n) -> ",
          "class A(Module):\n  def forward(self: __torch__.A) -> Tensor:\n"}) {
        const auto summary = summaryOf(folder, code);
        ASSERT_TRUE(summary) << code;
        EXPECT_THAT(summary->inputs, IsEmpty()) << code;
    }
    qs::tests::writeFile(folder / "plain.pt", "PK\x03\x04");
    EXPECT_FALSE(torchScriptSummary(folder / "plain.pt"));
    EXPECT_FALSE(torchScriptSummary(folder / "nothing.pt"));
}

}  // namespace
