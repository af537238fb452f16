#include "core/graph/type_rules.h"

namespace qs::core::rules {

namespace {

// A number written with a point widens integers to float32, a whole one widens bool.
DType withNumberType(DType dtype, bool real)
{
    if (isFloating(dtype))
        return dtype;
    if (real)
        return DType::Float32;
    return dtype == DType::Bool ? DType::Int64 : dtype;
}

DType floating(DType dtype)
{
    return isFloating(dtype) ? dtype : DType::Float32;
}

// Of an operation in place: what comes must fit into what is there.
void requireFits(CallReader& call, const Shape& target, const Shape& other)
{
    static_cast<void>(
        call.require(call.broadcast(target, other) == target, "does not fit in place"));
}

}  // namespace

void sameAsSelf(CallReader& call)
{
    const TensorType self = call.tensor("self");
    call.give(call.dtype("dtype", self.dtype), self.shape);
}

void floatingUnary(CallReader& call)
{
    const TensorType self = call.tensor("self");
    call.give(floating(self.dtype), self.shape);
}

void toBool(CallReader& call)
{
    call.give(DType::Bool, call.tensor("self").shape);
}

void withTensor(CallReader& call)
{
    const TensorType self = call.tensor("self");
    const TensorType other = call.tensor("other");
    call.give(call.promoted(self, other), call.broadcast(self.shape, other.shape));
}

void quotient(CallReader& call)
{
    const TensorType self = call.tensor("self");
    const TensorType other = call.tensor("other");
    call.give(floating(call.promoted(self, other)), call.broadcast(self.shape, other.shape));
}

void withNumber(CallReader& call)
{
    const TensorType self = call.tensor("self");
    static_cast<void>(call.require(call.has("other"), "argument other is missing"));
    call.give(withNumberType(self.dtype, call.isReal("other")), self.shape);
}

void quotientByNumber(CallReader& call)
{
    const TensorType self = call.tensor("self");
    static_cast<void>(call.require(call.has("other"), "argument other is missing"));
    call.give(floating(self.dtype), self.shape);
}

void power(CallReader& call)
{
    const TensorType self = call.tensor("self");
    static_cast<void>(call.require(call.has("exponent"), "argument exponent is missing"));
    call.give(withNumberType(self.dtype, call.isReal("exponent")), self.shape);
}

void powerOfTensor(CallReader& call)
{
    const TensorType self = call.tensor("self");
    const TensorType exponent = call.tensor("exponent");
    call.give(call.promoted(self, exponent), call.broadcast(self.shape, exponent.shape));
}

void clamp(CallReader& call)
{
    const TensorType self = call.tensor("self");
    static_cast<void>(call.require(call.has("min") || call.has("max"), "a limit is missing"));
    const bool real = call.isReal("min") || call.isReal("max");
    call.give(withNumberType(self.dtype, real), self.shape);
}

void comparison(CallReader& call)
{
    const TensorType self = call.tensor("self");
    const TensorType other = call.tensor("other");
    call.give(DType::Bool, call.broadcast(self.shape, other.shape));
}

void integersWithNumber(CallReader& call)
{
    const TensorType self = call.tensor("self");
    static_cast<void>(call.require(!isFloating(self.dtype), "bits are those of whole numbers"));
    static_cast<void>(call.whole("other"));
    call.give(withNumberType(self.dtype, false), self.shape);
}

void where(CallReader& call)
{
    const TensorType condition = call.tensor("condition");
    static_cast<void>(call.require(condition.dtype == DType::Bool, "the condition is no bool"));
    const TensorType self = call.tensor("self");
    const TensorType other = call.tensor("other");
    const Shape values = call.broadcast(self.shape, other.shape);
    call.give(call.promoted(self, other), call.broadcast(condition.shape, values));
}

void maskedFill(CallReader& call)
{
    const TensorType self = call.tensor("self");
    const TensorType mask = call.tensor("mask");
    static_cast<void>(call.require(mask.dtype == DType::Bool, "the mask is no bool"));
    call.give(self.dtype, call.broadcast(self.shape, mask.shape));
}

void inPlace(CallReader& call)
{
    const TensorType self = call.tensor("self");
    for (const char* name : {"other", "src", "mask"}) {
        if (const auto other = call.has(name) ? call.tensorIfAny(name) : std::nullopt)
            requireFits(call, self.shape, other->shape);
    }
    call.give(self);
}

void inPlaceWithNumber(CallReader& call)
{
    const TensorType self = call.tensor("self");
    static_cast<void>(call.require(call.has("other"), "argument other is missing"));
    call.give(self);
}

void cast(CallReader& call)
{
    const TensorType self = call.tensor("self");
    call.give(call.dtype("dtype", self.dtype), self.shape);
}

void region(CallReader& call)
{
    call.require(false, "regions are not built, they are taken out of a graph");
}

}  // namespace qs::core::rules
