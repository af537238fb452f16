#include "core/engine/weights/weight_loader.h"
#include "core/model/generated_weights.h"

#include <ATen/ops/arange.h>

namespace qs::engine {

namespace {

// Integers of Torch are signed: constants are passed as the two's complement, products wrap, and a
// right shift is made logical by masking the copies of the sign.
std::int64_t asSigned(std::uint64_t value)
{
    return static_cast<std::int64_t>(value);
}

at::Tensor shiftedRight(const at::Tensor& value, std::int64_t bits)
{
    const auto mask = asSigned((std::uint64_t{1} << static_cast<unsigned>(64 - bits)) - 1);
    return value.bitwise_right_shift(bits).bitwise_and_(mask);
}

}  // namespace

at::Tensor generateOnDevice(std::uint64_t key, float factor, std::int64_t first, std::int64_t count,
                            c10::Device device)
{
    const auto options = at::TensorOptions().device(device).dtype(at::kLong);
    at::Tensor hash = at::arange(first + 1, first + count + 1, options);
    hash.mul_(asSigned(core::kGeneratorStep)).add_(asSigned(key));
    hash.bitwise_xor_(shiftedRight(hash, 30)).mul_(asSigned(core::kGeneratorMix1));
    hash.bitwise_xor_(shiftedRight(hash, 27)).mul_(asSigned(core::kGeneratorMix2));
    hash.bitwise_xor_(shiftedRight(hash, 31));
    at::Tensor sum = hash.bitwise_and(0xffff);
    sum.add_(shiftedRight(hash, 16).bitwise_and_(0xffff));
    sum.add_(shiftedRight(hash, 32).bitwise_and_(0xffff));
    sum.add_(shiftedRight(hash, 48));
    return sum.sub_(core::kGeneratorMean).to(at::kFloat).mul_(factor);
}

}  // namespace qs::engine
