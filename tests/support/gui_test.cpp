#include "tests/support/gui_test.h"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace qs::tests {
namespace {

std::vector<const GuiTestEntry*>& entries()
{
    static std::vector<const GuiTestEntry*> all;
    return all;
}

}  // namespace

GuiTestEntry::GuiTestEntry(std::string_view fileName)
    : m_name(fileName.substr(0, fileName.find('.')))
{
    entries().push_back(this);
}

}  // namespace qs::tests

int main(int argc, char** argv)
{
    const auto& all = qs::tests::entries();
    const std::string_view wanted = argc > 1 ? argv[1] : "";
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const auto* entry) { return entry->name() == wanted; });
    if (found != all.end()) {
        argv[1] = argv[0];
        return (*found)->run(argc - 1, argv + 1);
    }
    std::printf("One of these is run, with what Qt Test takes after it:\n");
    for (const qs::tests::GuiTestEntry* entry : all)
        std::printf("  %.*s\n", int(entry->name().size()), entry->name().data());
    return 2;
}
