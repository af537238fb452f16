#pragma once

#include <string>
#include <string_view>

namespace qs::core {

// Instructions of Hopper's PTX that C++ has no words for: barriers, loads of boxes, operands.
[[nodiscard]] std::string_view hopperInstructions();

// One instruction that multiplies 64 rows by `columns` for 32 bytes of k, as a function of the
// kernel: name(sums, a, b, more). `a` is an operand in shared memory, or four registers of pairs.
struct MultiplyWords {
    std::string_view name;
    std::string_view types;    // of the sum and of both operands: "f32.bf16.bf16"
    int k = 0;                 // elements that 32 bytes are
    std::string_view options;  // behind the operands
    bool wholeNumbers = false;
    bool firstInRegisters = false;
};
[[nodiscard]] std::string multiplyText(const MultiplyWords& words, int columns);

}  // namespace qs::core
