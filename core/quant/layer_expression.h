#pragma once

#include "core/base/result.h"

#include <memory>
#include <string>

namespace qs::core {

// An ECMAScript expression that meets dotted paths of layers, ignoring case. A plan asks the same
// of the same paths for each of its cells, so that expressions are kept with their answers.
// For any thread.
class LayerExpression final
{
public:
    // One that was made of late, or a new one. InvalidArgument: why it is none.
    [[nodiscard]] static Result<std::shared_ptr<const LayerExpression>> of(const std::string& text);

    // Whether it matches somewhere in the path.
    [[nodiscard]] bool meets(const std::string& module) const;

    ~LayerExpression();
    LayerExpression(const LayerExpression&) = delete;
    LayerExpression& operator=(const LayerExpression&) = delete;

private:
    struct Automaton;
    explicit LayerExpression(std::unique_ptr<Automaton> automaton);

    std::unique_ptr<Automaton> m_automaton;
};

}  // namespace qs::core
