#pragma once

#include "core/graph/builder.h"

#include <vector>

namespace qs::core {

// Copies a graph operation by operation into a builder, so that some of them can be written
// differently. The source must outlive it.
class GraphRewriter final
{
public:
    explicit GraphRewriter(const Graph& source);

    [[nodiscard]] GraphBuilder& builder() { return m_builder; }
    // The copy of a value; -1 for -1. Weights, states and constants come over when they are first
    // used: unused ones vanish.
    [[nodiscard]] ValueId map(ValueId source);
    // The source's value is this one from now on. Inputs have to be defined before they are read.
    void define(ValueId source, ValueId mapped);
    // All inputs as they are.
    void copyInputs();
    void copy(const Node& node);
    // The arguments of a node with their copies, and a node with other arguments in its place.
    [[nodiscard]] std::vector<NamedArgument> mapped(const Node& node);
    void write(const Node& node, std::vector<NamedArgument> arguments);
    // With the outputs of the source under their names; or the first error of the builder.
    [[nodiscard]] Result<Graph> finish();

private:
    const Graph& m_source;
    std::vector<ValueId> m_mapped;
    GraphBuilder m_builder;
};

}  // namespace qs::core
