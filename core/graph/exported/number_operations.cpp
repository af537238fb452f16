#include "core/graph/exported/number_operations.h"

#include "core/graph/exported/size_expression.h"

#include <array>
#include <cmath>
#include <functional>
#include <string>

namespace qs::core::exported {

namespace {

using Operands = std::vector<Number>;
using Compute = Result<Number> (*)(const Operands&);

struct Row {
    std::string_view target;
    std::size_t operands;
    Compute compute;
};

bool areWhole(const Operands& operands)
{
    for (const Number& each : operands) {
        if (std::holds_alternative<double>(each))
            return false;
    }
    return true;
}

std::int64_t whole(const Number& number)
{
    const auto* flag = std::get_if<bool>(&number);
    return flag != nullptr ? (*flag ? 1 : 0) : std::get<std::int64_t>(number);
}

Error tooLarge()
{
    return {ErrorCode::Format, "a number does not fit into 64 bits"};
}

Result<Number> add(const Operands& x)
{
    std::int64_t sum = 0;
    if (!areWhole(x))
        return Number(realOf(x[0]) + realOf(x[1]));
    if (__builtin_add_overflow(whole(x[0]), whole(x[1]), &sum))
        return tooLarge();
    return Number(sum);
}

Result<Number> subtract(const Operands& x)
{
    std::int64_t difference = 0;
    if (!areWhole(x))
        return Number(realOf(x[0]) - realOf(x[1]));
    if (__builtin_sub_overflow(whole(x[0]), whole(x[1]), &difference))
        return tooLarge();
    return Number(difference);
}

Result<Number> multiply(const Operands& x)
{
    std::int64_t product = 0;
    if (!areWhole(x))
        return Number(realOf(x[0]) * realOf(x[1]));
    if (__builtin_mul_overflow(whole(x[0]), whole(x[1]), &product))
        return tooLarge();
    return Number(product);
}

Result<Number> divide(const Operands& x)
{
    if (realOf(x[1]) == 0.0)
        return Error{ErrorCode::Format, "a number is divided by 0"};
    return Number(realOf(x[0]) / realOf(x[1]));
}

Result<Number> floorDivided(const Operands& x)
{
    if (!areWhole(x)) {
        QS_TRY(const Number quotient, divide(x));
        return Number(std::floor(realOf(quotient)));
    }
    QS_TRY(const std::int64_t quotient, floorDivide(whole(x[0]), whole(x[1])));
    return Number(quotient);
}

Result<Number> modulo(const Operands& x)
{
    if (!areWhole(x)) {
        QS_TRY(const Number quotient, divide(x));
        return Number(realOf(x[0]) - std::floor(realOf(quotient)) * realOf(x[1]));
    }
    QS_TRY(const std::int64_t rest, floorModulo(whole(x[0]), whole(x[1])));
    return Number(rest);
}

Result<Number> power(const Operands& x)
{
    const double value = std::pow(realOf(x[0]), realOf(x[1]));
    if (!areWhole(x) || whole(x[1]) < 0)
        return Number(value);
    constexpr double kExact = 9007199254740992.0;
    if (std::abs(value) > kExact)
        return tooLarge();
    return Number(static_cast<std::int64_t>(value));
}

Result<Number> negate(const Operands& x)
{
    return areWhole(x) ? subtract({Number(std::int64_t{0}), x[0]}) : Number(-realOf(x[0]));
}

Result<Number> absolute(const Operands& x)
{
    return realOf(x[0]) < 0.0 ? negate(x) : Result<Number>(x[0]);
}

Result<Number> rounded(double number)
{
    constexpr double kMost = 9.2e18;
    if (!(std::abs(number) < kMost))
        return tooLarge();
    return Number(static_cast<std::int64_t>(number));
}

const std::array kRows{
    Row{"_operator.add", 2, add},
    Row{"_operator.sub", 2, subtract},
    Row{"_operator.mul", 2, multiply},
    Row{"_operator.truediv", 2, divide},
    Row{"_operator.floordiv", 2, floorDivided},
    Row{"_operator.mod", 2, modulo},
    Row{"_operator.pow", 2, power},
    Row{"_operator.neg", 1, negate},
    Row{"_operator.abs", 1, absolute},
    Row{"_operator.pos", 1, [](const Operands& x) -> Result<Number> { return x[0]; }},
    Row{"_operator.eq", 2,
        [](const Operands& x) -> Result<Number> { return Number(realOf(x[0]) == realOf(x[1])); }},
    Row{"_operator.ne", 2,
        [](const Operands& x) -> Result<Number> { return Number(realOf(x[0]) != realOf(x[1])); }},
    Row{"_operator.lt", 2,
        [](const Operands& x) -> Result<Number> { return Number(realOf(x[0]) < realOf(x[1])); }},
    Row{"_operator.le", 2,
        [](const Operands& x) -> Result<Number> { return Number(realOf(x[0]) <= realOf(x[1])); }},
    Row{"_operator.gt", 2,
        [](const Operands& x) -> Result<Number> { return Number(realOf(x[0]) > realOf(x[1])); }},
    Row{"_operator.ge", 2,
        [](const Operands& x) -> Result<Number> { return Number(realOf(x[0]) >= realOf(x[1])); }},
    Row{"_operator.and_", 2,
        [](const Operands& x) -> Result<Number> { return Number(isTrue(x[0]) && isTrue(x[1])); }},
    Row{"_operator.or_", 2,
        [](const Operands& x) -> Result<Number> { return Number(isTrue(x[0]) || isTrue(x[1])); }},
    Row{"torch.sym_not", 1,
        [](const Operands& x) -> Result<Number> { return Number(!isTrue(x[0])); }},
    Row{"torch.sym_float", 1,
        [](const Operands& x) -> Result<Number> { return Number(realOf(x[0])); }},
    Row{"torch.sym_int", 1,
        [](const Operands& x) -> Result<Number> { return rounded(std::trunc(realOf(x[0]))); }},
    Row{"math.trunc", 1,
        [](const Operands& x) -> Result<Number> { return rounded(std::trunc(realOf(x[0]))); }},
    Row{"math.floor", 1,
        [](const Operands& x) -> Result<Number> { return rounded(std::floor(realOf(x[0]))); }},
    Row{"math.ceil", 1,
        [](const Operands& x) -> Result<Number> { return rounded(std::ceil(realOf(x[0]))); }},
    Row{"torch._sym_sqrt", 1,
        [](const Operands& x) -> Result<Number> { return Number(std::sqrt(realOf(x[0]))); }},
    Row{"math.sqrt", 1,
        [](const Operands& x) -> Result<Number> { return Number(std::sqrt(realOf(x[0]))); }},
    Row{"torch.sym_max", 2,
        [](const Operands& x) -> Result<Number> {
            return realOf(x[0]) >= realOf(x[1]) ? x[0] : x[1];
        }},
    Row{"torch.sym_min", 2,
        [](const Operands& x) -> Result<Number> {
            return realOf(x[0]) <= realOf(x[1]) ? x[0] : x[1];
        }},
    Row{"torch.sym_ite", 3,
        [](const Operands& x) -> Result<Number> { return isTrue(x[0]) ? x[1] : x[2]; }},
};

const Row* find(std::string_view target)
{
    for (const Row& row : kRows) {
        if (row.target == target)
            return &row;
    }
    return nullptr;
}

}  // namespace

bool isNumberOperation(std::string_view target)
{
    return find(target) != nullptr;
}

Result<Number> computeNumber(std::string_view target, const std::vector<Number>& operands)
{
    const Row* row = find(target);
    if (row == nullptr || operands.size() != row->operands)
        return Error{ErrorCode::Unsupported, std::string(target) + " with " +
                                                 std::to_string(operands.size()) +
                                                 " numbers cannot be computed"};
    return row->compute(operands);
}

double realOf(const Number& number)
{
    if (const auto* real = std::get_if<double>(&number))
        return *real;
    return static_cast<double>(whole(number));
}

Result<std::int64_t> wholeOf(const Number& number)
{
    if (!std::holds_alternative<double>(number))
        return whole(number);
    QS_TRY(const Number value, rounded(std::get<double>(number)));
    if (realOf(value) != std::get<double>(number))
        return Error{ErrorCode::Format, "a fraction stands where a whole number should"};
    return whole(value);
}

bool isTrue(const Number& number)
{
    return realOf(number) != 0.0;
}

}  // namespace qs::core::exported
