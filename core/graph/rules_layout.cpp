#include "core/graph/type_rules.h"

#include <algorithm>

namespace qs::core::rules {

namespace {

// A size with at most one -1, which stands for what is left.
Shape resolved(CallReader& call, const TensorType& self, Shape size)
{
    static_cast<void>(call.require(checkShape(Shape(size.size(), 1)).ok(), "too many dimensions"));
    std::int64_t known = 1;
    std::int64_t* open = nullptr;
    bool sane = true;
    for (std::int64_t& extent : size) {
        if (extent == -1 && open == nullptr)
            open = &extent;
        else
            sane = sane && extent >= 0 && extent <= kMostElements &&
                   !__builtin_mul_overflow(known, extent, &known);
    }
    const std::int64_t elements = self.elementCount();
    if (open != nullptr && sane && known > 0 && elements % known == 0) {
        *open = elements / known;
        known = elements;
    }
    static_cast<void>(call.require(sane && known == elements && (open == nullptr || *open >= 0),
                                   "another number of values than the size asks for"));
    return call.failed() ? self.shape : size;
}

// Parts of those lengths along a dimension.
void giveParts(CallReader& call, const TensorType& self, std::size_t along, const Shape& lengths)
{
    constexpr std::size_t kMostParts = 65536;
    if (!call.require(lengths.size() <= kMostParts, "too many parts"))
        return;
    for (const std::int64_t length : lengths) {
        TensorType part = self;
        part.shape[along] = length;
        call.give(part);
    }
}

Shape equalLengths(std::int64_t extent, std::int64_t length)
{
    Shape lengths;
    for (std::int64_t begin = 0; begin < extent; begin += length)
        lengths.push_back(std::min(length, extent - begin));
    if (lengths.empty())
        lengths.push_back(0);
    return lengths;
}

}  // namespace

void view(CallReader& call)
{
    const TensorType self = call.tensor("self");
    call.give(self.dtype, resolved(call, self, call.list("size")));
}

void reshape(CallReader& call)
{
    const TensorType self = call.tensor("self");
    call.give(self.dtype, resolved(call, self, call.list("shape")));
}

void expand(CallReader& call)
{
    const TensorType self = call.tensor("self");
    Shape size = call.list("size");
    const std::size_t rank = self.shape.size();
    if (!call.require(size.size() >= rank, "expands to fewer dimensions")) {
        call.give(self);
        return;
    }
    for (std::size_t i = 0; i < size.size(); ++i) {
        const bool fresh = i < size.size() - rank;
        const std::int64_t extent = fresh ? 1 : self.shape[i - (size.size() - rank)];
        if (size[i] == -1 && !fresh)
            size[i] = extent;
        static_cast<void>(
            call.require(extent == 1 || size[i] == extent, "only an extent of 1 can be expanded"));
    }
    call.give(self.dtype, size);
}

void transpose(CallReader& call)
{
    TensorType self = call.tensor("self", 1);
    const std::size_t first = call.axis(call.whole("dim0"), self.shape.size());
    const std::size_t second = call.axis(call.whole("dim1"), self.shape.size());
    std::swap(self.shape[first], self.shape[second]);
    call.give(self);
}

void permute(CallReader& call)
{
    const TensorType self = call.tensor("self");
    const Shape order = call.list("dims");
    Shape result;
    std::vector<bool> taken(self.shape.size(), false);
    for (const std::int64_t dimension : order) {
        const std::size_t from = call.axis(dimension, self.shape.size());
        if (from >= taken.size() || taken[from])
            break;
        taken[from] = true;
        result.push_back(self.shape[from]);
    }
    const bool all = result.size() == self.shape.size() && order.size() == result.size();
    static_cast<void>(call.require(all, "does not name each dimension once"));
    call.give(self.dtype, result);
}

void matrixTranspose(CallReader& call)
{
    TensorType self = call.tensor("self");
    static_cast<void>(call.require(self.shape.size() <= 2, "is no matrix"));
    std::reverse(self.shape.begin(), self.shape.end());
    call.give(self);
}

void unsqueeze(CallReader& call)
{
    TensorType self = call.tensor("self");
    const std::size_t at = call.axis(call.whole("dim"), self.shape.size() + 1);
    self.shape.insert(self.shape.begin() + static_cast<std::ptrdiff_t>(at), 1);
    call.give(self);
}

// One dimension or a list of them; those of another extent than 1 stay.
void squeeze(CallReader& call)
{
    const TensorType self = call.tensor("self");
    std::vector<bool> named(self.shape.size(), false);
    const auto name = [&](std::int64_t dimension) {
        const std::size_t at = call.axis(dimension, std::max<std::size_t>(named.size(), 1));
        if (at < named.size())
            named[at] = true;
    };
    if (call.isList("dim")) {
        for (const std::int64_t dimension : call.list("dim"))
            name(dimension);
    } else {
        name(call.whole("dim"));
    }
    Shape result;
    for (std::size_t i = 0; i < self.shape.size(); ++i) {
        if (!named[i] || self.shape[i] != 1)
            result.push_back(self.shape[i]);
    }
    call.give(self.dtype, result);
}

void flatten(CallReader& call)
{
    const TensorType self = call.tensor("self", 1);
    const std::size_t from = call.axis(call.whole("start_dim", 0), self.shape.size());
    const std::size_t to = call.axis(call.whole("end_dim", -1), self.shape.size());
    static_cast<void>(call.require(from <= to, "the first dimension stands behind the last"));
    Shape result;
    for (std::size_t i = 0; i < self.shape.size(); ++i) {
        if (i > from && i <= to && !result.empty())
            result.back() *= self.shape[i];
        else
            result.push_back(self.shape[i]);
    }
    call.give(self.dtype, result);
}

void select(CallReader& call)
{
    TensorType self = call.tensor("self", 1);
    const std::size_t along = call.axis(call.whole("dim"), self.shape.size());
    const std::int64_t extent = self.shape[along];
    const std::int64_t index = call.whole("index");
    static_cast<void>(call.require(index >= -extent && index < extent, "there is no such entry"));
    self.shape.erase(self.shape.begin() + static_cast<std::ptrdiff_t>(along));
    call.give(self);
}

void slice(CallReader& call)
{
    TensorType self = call.tensor("self", 1);
    std::int64_t& extent = self.shape[call.axis(call.whole("dim", 0), self.shape.size())];
    // Places are counted from the end if negative, and cut at both ends.
    const auto place = [&](std::int64_t at) {
        return std::clamp<std::int64_t>(at < 0 ? at + extent : at, 0, extent);
    };
    const std::int64_t begin = place(call.whole("start", 0));
    const std::int64_t end = place(call.whole("end", extent));
    const std::int64_t step = call.whole("step", 1);
    static_cast<void>(call.require(step > 0, "the step is not positive"));
    extent = end <= begin || step <= 0 ? 0 : (end - begin - 1) / step + 1;
    call.give(self);
}

void unbind(CallReader& call)
{
    constexpr std::int64_t kMostParts = 65536;
    TensorType self = call.tensor("self", 1);
    const std::size_t along = call.axis(call.whole("dim", 0), self.shape.size());
    const std::int64_t count = self.shape[along];
    self.shape.erase(self.shape.begin() + static_cast<std::ptrdiff_t>(along));
    if (!call.require(count <= kMostParts, "too many parts"))
        return;
    for (std::int64_t i = 0; i < count; ++i)
        call.give(self);
}

void chunk(CallReader& call)
{
    const TensorType self = call.tensor("self", 1);
    const std::size_t along = call.axis(call.whole("dim", 0), self.shape.size());
    const std::int64_t chunks = call.whole("chunks");
    if (!call.require(chunks > 0 && self.shape[along] > 0, "there is nothing to share out"))
        return;
    const std::int64_t extent = self.shape[along];
    const std::int64_t length = (extent - 1) / chunks + 1;
    if (call.require(extent / length <= 65536, "too many parts"))
        giveParts(call, self, along, equalLengths(extent, length));
}

void split(CallReader& call)
{
    const TensorType self = call.tensor("self", 1);
    const std::size_t along = call.axis(call.whole("dim", 0), self.shape.size());
    const std::int64_t length = call.whole("split_size");
    if (call.require(length > 0 && self.shape[along] / length <= 65536, "no way to split"))
        giveParts(call, self, along, equalLengths(self.shape[along], length));
}

void splitWithSizes(CallReader& call)
{
    const TensorType self = call.tensor("self", 1);
    const std::size_t along = call.axis(call.whole("dim", 0), self.shape.size());
    const Shape lengths = call.list("split_sizes");
    std::int64_t total = 0;
    bool sane = true;
    for (const std::int64_t length : lengths)
        sane = sane && length >= 0 && !__builtin_add_overflow(total, length, &total);
    if (call.require(sane && total == self.shape[along], "the parts are not the whole"))
        giveParts(call, self, along, lengths);
}

void concatenate(CallReader& call)
{
    const std::vector<TensorType> parts = call.tensors("tensors");
    if (!call.require(!parts.empty() && !parts.front().shape.empty(), "there is nothing to join"))
        return;
    TensorType result = parts.front();
    const std::size_t along = call.axis(call.whole("dim", 0), result.shape.size());
    result.shape[along] = 0;
    for (TensorType part : parts) {
        if (!call.require(part.shape.size() == result.shape.size(), "parts differ in dimensions"))
            return;
        const std::int64_t length = part.shape[along];
        part.shape[along] = result.shape[along];
        static_cast<void>(call.require(part.shape == result.shape, "parts differ in shape"));
        result.dtype = call.promoted(result, part);
        result.shape[along] += length;
    }
    call.give(result);
}

void stack(CallReader& call)
{
    const std::vector<TensorType> parts = call.tensors("tensors");
    if (!call.require(!parts.empty(), "there is nothing to join"))
        return;
    TensorType result = parts.front();
    for (const TensorType& part : parts) {
        static_cast<void>(call.require(part.shape == result.shape, "parts differ in shape"));
        result.dtype = call.promoted(result, part);
    }
    const std::size_t at = call.axis(call.whole("dim", 0), result.shape.size() + 1);
    result.shape.insert(result.shape.begin() + static_cast<std::ptrdiff_t>(at),
                        static_cast<std::int64_t>(parts.size()));
    call.give(result);
}

// Pairs of what is added before and behind, the last dimension first.
void padConstant(CallReader& call)
{
    TensorType self = call.tensor("self");
    const Shape pad = call.list("pad");
    if (!call.require(pad.size() % 2 == 0 && pad.size() / 2 <= self.shape.size(),
                      "pads dimensions that are not there")) {
        call.give(self);
        return;
    }
    for (std::size_t i = 0; i < pad.size(); ++i) {
        static_cast<void>(call.require(pad[i] > -kMostElements && pad[i] < kMostElements,
                                       "padding makes no sense"));
        if (!call.failed())
            self.shape[self.shape.size() - 1 - i / 2] += pad[i];
    }
    call.give(self);
}

// Entries change places within a shape that stays: flip, roll.
void flip(CallReader& call)
{
    const TensorType self = call.tensor("self");
    for (const std::int64_t dimension : call.list("dims", Shape{}))
        static_cast<void>(call.axis(dimension, self.shape.size()));
    call.give(self);
}

void repeat(CallReader& call)
{
    const TensorType self = call.tensor("self");
    Shape repeats = call.list("repeats");
    const std::size_t rank = self.shape.size();
    if (!call.require(repeats.size() >= rank && checkShape(repeats).ok(),
                      "does not say how often for each dimension")) {
        call.give(self);
        return;
    }
    for (std::size_t i = 0; i < rank; ++i) {
        std::int64_t& extent = repeats[repeats.size() - rank + i];
        const bool fits = !__builtin_mul_overflow(extent, self.shape[i], &extent);
        static_cast<void>(call.require(fits, "repeats beyond any tensor"));
    }
    call.give(self.dtype, repeats);
}

// [.., C · r², H, W] -> [.., C, H · r, W · r]
void pixelShuffle(CallReader& call)
{
    TensorType self = call.tensor("self", 3);
    const std::int64_t factor = call.whole("upscale_factor");
    const std::size_t channels = self.shape.size() - 3;
    constexpr std::int64_t kMostFactor = 1 << 16;
    const bool sane =
        factor > 0 && factor < kMostFactor && self.shape[channels] % (factor * factor) == 0;
    if (call.require(sane, "the factor does not divide the channels")) {
        self.shape[channels] /= factor * factor;
        self.shape[channels + 1] *= factor;
        self.shape[channels + 2] *= factor;
    }
    call.give(self);
}

}  // namespace qs::core::rules
