#include "core/graph/exported/concretizer.h"
#include "core/graph/exported/operation_forms.h"

#include <algorithm>

namespace qs::core::exported {

namespace {

using List = std::vector<std::int64_t>;
using Shape = List;

// Gives its argument itself.
Status identity(Concretizer& graph, const ProgramNode& node)
{
    QS_TRY(const ConcreteCall call, graph.resolve(node));
    graph.bind(node, std::vector<ValueId>{call.tensor("self")});
    return {};
}

Status dropout(Concretizer& graph, const ProgramNode& node)
{
    QS_TRY(const ConcreteCall call, graph.resolve(node));
    if (call.flag("train"))
        return Error{ErrorCode::Unsupported,
                     "drops values at random: call model.eval() before torch.export.export"};
    graph.bind(node, std::vector<ValueId>{call.tensor("input")});
    return {};
}

// To another type, another device, or both: the device is nobody's business.
Status cast(Concretizer& graph, const ProgramNode& node)
{
    QS_TRY(const ConcreteCall call, graph.resolve(node));
    ConcreteCall plain;
    plain.set("self", ValueRef{call.tensor("self")});
    if (const Argument* dtype = call.find("dtype");
        dtype != nullptr && std::holds_alternative<DType>(*dtype)) {
        plain.set("dtype", *dtype);
        if (call.flag("copy"))
            plain.set("copy", true);
        return graph.bindCall(node, "aten::to.dtype", std::move(plain));
    }
    if (call.flag("copy") || node.target == "torch.ops.aten._to_copy.default")
        return graph.bindCall(node, "aten::clone", std::move(plain));
    graph.bind(node, std::vector<ValueId>{call.tensor("self")});
    return {};
}

// To the type of another tensor, which is the working type where that is.
Status castAs(Concretizer& graph, const ProgramNode& node)
{
    QS_TRY(const ConcreteCall call, graph.resolve(node));
    const ValueId value =
        graph.builder().cast(call.tensor("self"), graph.builder().type(call.tensor("other")).dtype);
    graph.bind(node, std::vector<ValueId>{value});
    return {};
}

const Shape& shapeOf(Concretizer& graph, const ConcreteCall& call, const char* name)
{
    return graph.builder().shape(call.tensor(name));
}

template <const char* const& Operation, const char* const& Size>
Status likeOther(Concretizer& graph, const ProgramNode& node)
{
    QS_TRY(ConcreteCall call, graph.resolve(node));
    call.set(Size, List(shapeOf(graph, call, "other")));
    call.remove("other");
    return graph.bindCall(node, Operation, std::move(call));
}

constexpr const char* kExpand = "aten::expand";
constexpr const char* kView = "aten::view";
constexpr const char* kReshape = "aten::reshape";
constexpr const char* kSize = "size";
constexpr const char* kShape = "shape";

// The same operation under the name that the catalogue has for it.
template <const char* const& Operation>
Status renamed(Concretizer& graph, const ProgramNode& node)
{
    QS_TRY(ConcreteCall call, graph.resolve(node));
    return graph.bindCall(node, Operation, std::move(call));
}

constexpr const char* kClone = "aten::clone";
constexpr const char* kSplit = "aten::split.Tensor";
constexpr const char* kAnd = "aten::bitwise_and.Tensor";
constexpr const char* kOr = "aten::bitwise_or.Tensor";
constexpr const char* kMaximum = "aten::maximum";
constexpr const char* kMinimum = "aten::minimum";
constexpr const char* kClamp = "aten::clamp";

// Over all dimensions, which the catalogue writes as an empty list of them.
template <const char* const& Operation>
Status overAll(Concretizer& graph, const ProgramNode& node)
{
    QS_TRY(ConcreteCall call, graph.resolve(node));
    call.set("dim", List{});
    call.set("keepdim", false);
    return graph.bindCall(node, Operation, std::move(call));
}

constexpr const char* kMean = "aten::mean.dim";
constexpr const char* kSum = "aten::sum.dim_IntList";
constexpr const char* kLargest = "aten::amax";
constexpr const char* kSmallest = "aten::amin";

Status narrow(Concretizer& graph, const ProgramNode& node)
{
    QS_TRY(ConcreteCall call, graph.resolve(node));
    const std::int64_t start = call.whole("start", 0);
    std::int64_t end = 0;
    if (__builtin_add_overflow(start, call.whole("length", 0), &end))
        return Error{ErrorCode::Format, "is longer than any tensor"};
    call.remove("length");
    call.set("end", end);
    return graph.bindCall(node, "aten::slice.Tensor", std::move(call));
}

Result<std::size_t> axisOf(std::int64_t dimension, std::size_t rank)
{
    const auto count = static_cast<std::int64_t>(rank);
    if (dimension < -count || dimension >= count)
        return Error{ErrorCode::Format, "there is no dimension " + std::to_string(dimension)};
    return static_cast<std::size_t>(dimension < 0 ? dimension + count : dimension);
}

Status unflatten(Concretizer& graph, const ProgramNode& node)
{
    QS_TRY(ConcreteCall call, graph.resolve(node));
    Shape shape = shapeOf(graph, call, "self");
    QS_TRY(const std::size_t at, axisOf(call.whole("dim", 0), shape.size()));
    List sizes = call.list("sizes");
    std::int64_t known = 1;
    for (const std::int64_t size : sizes) {
        if (size < -1 || (size > 0 && __builtin_mul_overflow(known, size, &known)))
            return Error{ErrorCode::Format, "has impossible sizes"};
    }
    for (std::int64_t& size : sizes)
        size = size == -1 ? shape[at] / known : size;
    const auto place = shape.begin() + static_cast<std::ptrdiff_t>(at);
    shape.insert(shape.erase(place), sizes.begin(), sizes.end());
    call.remove("dim");
    call.remove("sizes");
    call.set("size", List(shape));
    return graph.bindCall(node, kView, std::move(call));
}

// All dimensions of one entry go.
Status squeezeAll(Concretizer& graph, const ProgramNode& node)
{
    QS_TRY(ConcreteCall call, graph.resolve(node));
    const Shape& shape = shapeOf(graph, call, "self");
    List dimensions;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] == 1)
            dimensions.push_back(static_cast<std::int64_t>(i));
    }
    call.set("dim", dimensions);
    return graph.bindCall(node, "aten::squeeze.dims", std::move(call));
}

// The last two dimensions change places.
Status swapLast(Concretizer& graph, const ProgramNode& node)
{
    QS_TRY(ConcreteCall call, graph.resolve(node));
    call.set("dim0", std::int64_t{-2});
    call.set("dim1", std::int64_t{-1});
    return graph.bindCall(node, "aten::transpose.int", std::move(call));
}

// new_zeros(self, size): of the type of self.
template <const char* const& Operation>
Status newTensor(Concretizer& graph, const ProgramNode& node)
{
    QS_TRY(ConcreteCall call, graph.resolve(node));
    if (call.find("dtype") == nullptr)
        call.set("dtype", graph.builder().type(call.tensor("self")).dtype);
    call.remove("self");
    return graph.bindCall(node, Operation, std::move(call));
}

constexpr const char* kZeros = "aten::zeros";
constexpr const char* kOnes = "aten::ones";
constexpr const char* kFull = "aten::full";
constexpr const char* kZerosLike = "aten::zeros_like";

// Contents that nobody has written are zeros here: a run must repeat.
Status emptyTensor(Concretizer& graph, const ProgramNode& node)
{
    QS_TRY(ConcreteCall call, graph.resolve(node));
    call.remove("memory_format");
    return graph.bindCall(node, kZeros, std::move(call));
}

Status scalarTensor(Concretizer& graph, const ProgramNode& node)
{
    QS_TRY(ConcreteCall call, graph.resolve(node));
    const auto number = call.number("s");
    if (!number)
        return Error{ErrorCode::Unsupported, "makes a tensor of a number that is not known"};
    call.remove("s");
    call.set("size", List{});
    call.set("fill_value", realOf(*number));
    if (call.find("dtype") == nullptr)
        call.set("dtype", DType::Float32);
    return graph.bindCall(node, kFull, std::move(call));
}

// Numbers where the catalogue has tensors.
Status where(Concretizer& graph, const ProgramNode& node)
{
    QS_TRY(ConcreteCall call, graph.resolve(node));
    for (const char* name : {"self", "other"}) {
        if (const auto number = call.number(name))
            call.set(name, ValueRef{graph.numberTensor(*number)});
    }
    return graph.bindCall(node, "aten::where.self", std::move(call));
}

// Every product of an entry of the one vector with one of the other.
Status outer(Concretizer& graph, const ProgramNode& node)
{
    QS_TRY(ConcreteCall call, graph.resolve(node));
    ConcreteCall column;
    column.set("self", ValueRef{call.tensor("self")});
    column.set("dim", std::int64_t{-1});
    const auto columns = graph.emit("aten::unsqueeze", std::move(column));
    if (columns.empty())
        return {};
    ConcreteCall product;
    product.set("self", ValueRef{columns.front()});
    product.set("other", *call.find("vec2"));
    return graph.bindCall(node, "aten::mul.Tensor", std::move(product));
}

// By a tensor of one value, which a program's constants are.
Status maskedFill(Concretizer& graph, const ProgramNode& node)
{
    QS_TRY(ConcreteCall call, graph.resolve(node));
    ConcreteCall chosen;
    chosen.set("condition", *call.find("mask"));
    chosen.set("self", *call.find("value"));
    chosen.set("other", *call.find("self"));
    return graph.bindCall(node, "aten::where.self", std::move(chosen));
}

Status pad(Concretizer& graph, const ProgramNode& node)
{
    QS_TRY(ConcreteCall call, graph.resolve(node));
    const Argument* mode = call.find("mode");
    const auto* word = mode == nullptr ? nullptr : std::get_if<std::string>(mode);
    if (word != nullptr && *word != "constant")
        return Error{ErrorCode::Unsupported, "pads by \"" + *word + "\"; only constants are known"};
    const Argument* value = call.find("value");
    if (value == nullptr || std::holds_alternative<std::monostate>(*value))
        call.remove("value");
    call.remove("mode");
    return graph.bindCall(node, "aten::constant_pad_nd", std::move(call));
}

// Each entry of a dimension several times, one behind the other.
Status repeatInterleave(Concretizer& graph, const ProgramNode& node)
{
    QS_TRY(ConcreteCall call, graph.resolve(node));
    Shape shape = shapeOf(graph, call, "self");
    if (call.find("dim") == nullptr || !call.number("dim"))
        return Error{ErrorCode::Unsupported, "repeats without a dimension"};
    QS_TRY(const std::size_t at, axisOf(call.whole("dim", 0), shape.size()));
    const std::int64_t repeats = call.whole("repeats", 1);
    const auto behind = shape.begin() + static_cast<std::ptrdiff_t>(at) + 1;
    List wide(shape.begin(), behind);
    wide.push_back(repeats);
    wide.insert(wide.end(), behind, shape.end());
    if (repeats < 0 || __builtin_mul_overflow(shape[at], repeats, &shape[at]))
        return Error{ErrorCode::Format, "repeats beyond any tensor"};
    const ValueId self = call.tensor("self");
    ConcreteCall unsqueezed;
    unsqueezed.set("self", ValueRef{self});
    unsqueezed.set("dim", static_cast<std::int64_t>(at) + 1);
    auto values = graph.emit("aten::unsqueeze", std::move(unsqueezed));
    if (values.empty())
        return {};
    ConcreteCall expanded;
    expanded.set("self", ValueRef{values.front()});
    expanded.set("size", wide);
    values = graph.emit(kExpand, std::move(expanded));
    if (values.empty())
        return {};
    // Memory of its own, as in PyTorch.
    ConcreteCall copied;
    copied.set("self", ValueRef{values.front()});
    copied.set("memory_format", std::int64_t{0});
    values = graph.emit("aten::clone", std::move(copied));
    if (values.empty())
        return {};
    ConcreteCall flat;
    flat.set("self", ValueRef{values.front()});
    flat.set("size", List(shape));
    return graph.bindCall(node, kView, std::move(flat));
}

}  // namespace

const FormTable& tensorForms()
{
    static const FormTable forms{
        {"torch.ops.aten.alias.default", identity},
        {"torch.ops.aten.lift_fresh.default", identity},
        {"torch.ops.aten.positive.default", identity},
        {"torch.ops.aten.detach_.default", identity},
        {"torch.ops.aten.dropout.default", dropout},
        {"torch.ops.aten.dropout_.default", dropout},
        {"torch.ops.aten.feature_dropout.default", dropout},
        {"torch.ops.aten.to.dtype", cast},
        {"torch.ops.aten.to.dtype_layout", cast},
        {"torch.ops.aten.to.device", cast},
        {"torch.ops.aten._to_copy.default", cast},
        {"torch.ops.aten.lift_fresh_copy.default", renamed<kClone>},
        {"torch.ops.aten.outer.default", outer},
        {"torch.ops.aten.masked_fill.Tensor", maskedFill},
        {"torch.ops.aten.type_as.default", castAs},
        {"torch.ops.aten.to.other", castAs},
        {"torch.ops.aten.expand_as.default", likeOther<kExpand, kSize>},
        {"torch.ops.aten.view_as.default", likeOther<kView, kSize>},
        {"torch.ops.aten.reshape_as.default", likeOther<kReshape, kShape>},
        {"torch.ops.aten.broadcast_to.default", renamed<kExpand>},
        {"torch.ops.aten._unsafe_view.default", renamed<kView>},
        {"torch.ops.aten.unsafe_split.Tensor", renamed<kSplit>},
        {"torch.ops.aten.__and__.Tensor", renamed<kAnd>},
        {"torch.ops.aten.__or__.Tensor", renamed<kOr>},
        {"torch.ops.aten.max.other", renamed<kMaximum>},
        {"torch.ops.aten.min.other", renamed<kMinimum>},
        {"torch.ops.aten.clip.default", renamed<kClamp>},
        {"torch.ops.aten.mean.default", overAll<kMean>},
        {"torch.ops.aten.sum.default", overAll<kSum>},
        {"torch.ops.aten.max.default", overAll<kLargest>},
        {"torch.ops.aten.min.default", overAll<kSmallest>},
        {"torch.ops.aten.narrow.default", narrow},
        {"torch.ops.aten.unflatten.int", unflatten},
        {"torch.ops.aten.squeeze.default", squeezeAll},
        {"torch.ops.aten.mT.default", swapLast},
        {"torch.ops.aten.new_zeros.default", newTensor<kZeros>},
        {"torch.ops.aten.new_ones.default", newTensor<kOnes>},
        {"torch.ops.aten.new_full.default", newTensor<kFull>},
        {"torch.ops.aten.new_empty.default", newTensor<kZeros>},
        {"torch.ops.aten.empty.memory_format", emptyTensor},
        {"torch.ops.aten.empty_like.default", renamed<kZerosLike>},
        {"torch.ops.aten.scalar_tensor.default", scalarTensor},
        {"torch.ops.aten.where.self", where},
        {"torch.ops.aten.where.ScalarOther", where},
        {"torch.ops.aten.where.ScalarSelf", where},
        {"torch.ops.aten.pad.default", pad},
        {"torch.ops.aten.repeat_interleave.self_int", repeatInterleave},
    };
    return forms;
}

}  // namespace qs::core::exported
