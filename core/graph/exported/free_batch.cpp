#include "core/graph/exported/free_batch.h"

#include "core/base/checks.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace qs::core::exported {

namespace {

constexpr const char* kSymbol = "s0";
constexpr std::int64_t kMostBatch = 65536;
constexpr std::size_t kFewestRecordings = 3;

// factor · batch + rest
struct Line {
    std::int64_t factor = 0;
    std::int64_t rest = 0;
    auto operator<=>(const Line&) const = default;
};

Error otherPath(const std::string& where)
{
    return {ErrorCode::Unsupported,
            where + " does something else for another batch: its batch stays fixed"};
}

class Joiner final
{
public:
    explicit Joiner(std::vector<const BatchRecording*> recordings)
        : m_recordings(std::move(recordings)), m_joined(m_recordings.front()->program)
    {
    }

    Result<ExportedProgram> join(std::int64_t lowest)
    {
        QS_RETURN_IF_ERROR(joinInputs());
        QS_RETURN_IF_ERROR(joinNodes());
        for (auto& [name, type] : m_joined.graph.tensors) {
            QS_TRY(type, joinType(name));
        }
        auto& nodes = m_joined.graph.nodes;
        nodes.insert(nodes.begin(), m_numberNodes.begin(), m_numberNodes.end());
        m_joined.ranges[kSymbol] = {lowest, kMostBatch};
        m_joined.examples[kSymbol] = m_recordings.front()->batch;
        return std::move(m_joined);
    }

private:
    [[nodiscard]] const ProgramGraph& graph(std::size_t recording) const
    {
        return m_recordings[recording]->program.graph;
    }

    // The line through the values of all recordings.
    [[nodiscard]] std::optional<Line> lineOf(const std::vector<std::int64_t>& values) const
    {
        const std::int64_t run = m_recordings[1]->batch - m_recordings[0]->batch;
        const std::int64_t rise = values[1] - values[0];
        if (rise % run != 0)
            return std::nullopt;
        Line line{rise / run, 0};
        line.rest = values[0] - line.factor * m_recordings[0]->batch;
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (values[i] != line.factor * m_recordings[i]->batch + line.rest)
                return std::nullopt;
        }
        return line;
    }

    Status joinInputs()
    {
        const ProgramGraph& first = graph(0);
        for (std::size_t i = 1; i < m_recordings.size(); ++i) {
            if (graph(i).nodes.size() != first.nodes.size() || graph(i).inputs != first.inputs ||
                graph(i).outputs.size() != first.outputs.size())
                return otherPath("the program");
        }
        for (const ProgramInput& input : m_joined.inputs) {
            QS_TRY(const TensorDescription type, joinType(input.name));
            for (std::size_t dimension = 0; dimension < type.sizes.size(); ++dimension) {
                if (input.role != InputRole::User && !type.sizes[dimension].evaluate({}).ok())
                    return otherPath("what is kept in " + input.target);
                if (type.sizes[dimension].symbol() == kSymbol && m_batchInput.empty()) {
                    m_batchInput = input.name;
                    m_batchDimension = static_cast<std::int64_t>(dimension);
                }
            }
        }
        if (m_batchInput.empty())
            return Error{ErrorCode::InvalidArgument, "no size of an input is the batch"};
        return {};
    }

    Result<TensorDescription> joinType(const std::string& name) const
    {
        TensorDescription joined = graph(0).tensors.at(name);
        for (std::size_t dimension = 0; dimension < joined.sizes.size(); ++dimension) {
            std::vector<std::int64_t> values;
            for (const BatchRecording* recording : m_recordings) {
                const auto found = recording->program.graph.tensors.find(name);
                if (found == recording->program.graph.tensors.end() ||
                    found->second.sizes.size() != joined.sizes.size() ||
                    found->second.scalarType != joined.scalarType)
                    return otherPath("tensor " + name);
                QS_TRY(const std::int64_t value, found->second.sizes[dimension].evaluate({}));
                values.push_back(value);
            }
            const auto line = lineOf(values);
            if (!line)
                return otherPath("a size of tensor " + name);
            joined.sizes[dimension] =
                line->factor == 0 ? SizeExpression(line->rest)
                                  : SizeExpression::linear(kSymbol, line->factor, line->rest);
        }
        return joined;
    }

    Status joinNodes()
    {
        for (std::size_t n = 0; n < m_joined.graph.nodes.size(); ++n) {
            ProgramNode& node = m_joined.graph.nodes[n];
            const std::string where =
                node.target + (node.module.empty() ? "" : " in " + node.module);
            for (std::size_t i = 1; i < m_recordings.size(); ++i) {
                const ProgramNode& other = graph(i).nodes[n];
                if (other.target != node.target || other.outputs != node.outputs ||
                    other.arguments.size() != node.arguments.size())
                    return otherPath(where);
            }
            for (std::size_t a = 0; a < node.arguments.size(); ++a) {
                std::vector<const ProgramArgument*> values;
                for (std::size_t i = 0; i < m_recordings.size(); ++i)
                    values.push_back(&graph(i).nodes[n].arguments[a].value);
                auto joined = joinArgument(values);
                if (!joined)
                    return otherPath(where);
                node.arguments[a].value = std::move(*joined);
            }
        }
        return {};
    }

    std::optional<ProgramArgument> joinArgument(const std::vector<const ProgramArgument*>& values)
    {
        if (std::holds_alternative<std::int64_t>(*values.front())) {
            const auto number = joinWhole(values, [](const ProgramArgument& each) {
                const auto* whole = std::get_if<std::int64_t>(&each);
                return whole != nullptr ? std::optional(*whole) : std::nullopt;
            });
            if (!number)
                return std::nullopt;
            return std::visit([](const auto& each) { return ProgramArgument(each); }, *number);
        }
        if (const auto* list = std::get_if<std::vector<std::int64_t>>(values.front()))
            return joinList(values, list->size());
        const bool same = std::all_of(values.begin(), values.end(),
                                      [&](const auto* each) { return *each == *values.front(); });
        return same ? std::optional(*values.front()) : std::nullopt;
    }

    std::optional<ProgramArgument> joinList(const std::vector<const ProgramArgument*>& values,
                                            std::size_t length)
    {
        std::vector<Whole> joined;
        bool free = false;
        for (std::size_t at = 0; at < length; ++at) {
            const auto number = joinWhole(values, [&](const ProgramArgument& each) {
                const auto* list = std::get_if<std::vector<std::int64_t>>(&each);
                return list != nullptr && list->size() == length ? std::optional((*list)[at])
                                                                 : std::nullopt;
            });
            if (!number)
                return std::nullopt;
            free = free || std::holds_alternative<NumberName>(*number);
            joined.push_back(*number);
        }
        return free ? ProgramArgument(std::move(joined)) : *values.front();
    }

    template <typename ValueOf>
    std::optional<Whole> joinWhole(const std::vector<const ProgramArgument*>& values,
                                   ValueOf&& valueOf)
    {
        std::vector<std::int64_t> numbers;
        for (const ProgramArgument* each : values) {
            const std::optional<std::int64_t> number = valueOf(*each);
            if (!number)
                return std::nullopt;
            numbers.push_back(*number);
        }
        const auto line = lineOf(numbers);
        if (!line)
            return std::nullopt;
        return line->factor == 0 ? Whole(line->rest) : Whole(NumberName{numberOf(*line)});
    }

    // The name of the number, which is computed at the beginning of the program.
    const std::string& numberOf(const Line& line)
    {
        const auto found = m_numbers.find(line);
        if (found != m_numbers.end())
            return found->second;
        ProgramNode node;
        if (line == Line{1, 0}) {
            node.target = "torch.ops.aten.sym_size.int";
            node.arguments = {{"self", TensorName{m_batchInput}}, {"dim", m_batchDimension}};
        } else if (line.rest == 0) {
            node.target = "_operator.mul";
            node.arguments = {{"", NumberName{numberOf({1, 0})}}, {"", line.factor}};
        } else {
            node.target = "_operator.add";
            node.arguments = {{"", NumberName{numberOf({line.factor, 0})}}, {"", line.rest}};
        }
        const std::string name = "batch_number_" + std::to_string(m_numbers.size());
        node.outputs = {name};
        m_joined.graph.numbers[name] = SizeExpression::linear(kSymbol, line.factor, line.rest);
        m_numberNodes.push_back(std::move(node));
        return m_numbers.emplace(line, name).first->second;
    }

    std::vector<const BatchRecording*> m_recordings;
    ExportedProgram m_joined;
    std::string m_batchInput;
    std::int64_t m_batchDimension = 0;
    std::map<Line, std::string> m_numbers;
    std::vector<ProgramNode> m_numberNodes;
};

}  // namespace

Result<ExportedProgram> withFreeBatch(const std::vector<BatchRecording>& recordings)
{
    std::vector<const BatchRecording*> several;
    std::vector<const BatchRecording*> all;
    for (const BatchRecording& each : recordings) {
        if (each.batch > 1)
            several.push_back(&each);
    }
    QS_ASSERT(several.size() >= kFewestRecordings);
    if (several.size() < recordings.size()) {
        all = several;
        for (const BatchRecording& each : recordings) {
            if (each.batch == 1)
                all.push_back(&each);
        }
        if (auto joined = Joiner(all).join(1); joined.ok())
            return joined;
    }
    // One sample alone takes another path, as where sizes of one are dropped.
    return Joiner(several).join(2);
}

}  // namespace qs::core::exported
