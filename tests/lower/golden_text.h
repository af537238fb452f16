#pragma once

#include <gtest/gtest.h>

#include <string>

namespace qs::tests {

// Compares with tests/golden/lower/<name>.txt. On a mismatch the failure lists the lines that
// differ, and the text lies as <name>.txt.actual in the folder quantscope-actual of the system's
// temporary folder: after a review it becomes the new golden file.
[[nodiscard]] testing::AssertionResult matchesGolden(const std::string& name,
                                                     const std::string& text);

}  // namespace qs::tests
