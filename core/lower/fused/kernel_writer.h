#pragma once

#include "core/base/result.h"
#include "core/graph/graph_uses.h"
#include "core/lower/fused/coordinates.h"
#include "core/lower/fused/element_operations.h"
#include "core/lower/fused/kernel_text.h"
#include "core/lower/fused/matrix_product.h"
#include "core/lower/fused/memory_write.h"
#include "core/lower/fused/pack.h"
#include "core/lower/fused/row_operations.h"

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace qs::core {

// Writes the text of one kernel; see Note [Generated kernels]. All that it is made with outlives
// it. Used once.
class KernelWriter final
{
public:
    // `product`: whose sums the kernel has in its registers; see Note [Products in kernels].
    KernelWriter(const KernelFrame& frame, const InputStrides& strides, Division division,
                 const MatrixProduct* product = nullptr);

    [[nodiscard]] Result<std::string> write();
    // What reads and widens the weights {n, k} of a product, or {k, n} turned, for rows of k; see
    // WeightReader.
    [[nodiscard]] Result<std::string> writeWeight(ValueId weight, bool turned);

private:
    struct Loop : KernelLoop {
        std::map<std::string, std::string> names;  // of what it has computed
        std::map<std::string, std::string> packs;  // of what it has read at once, by its begin
    };

    // The name of a value at a place. Without a loop the place is the same all along the row.
    std::string value(ValueId id, const Coordinates& at, Loop* loop);
    std::string computed(ValueId id, const Coordinates& at, Loop* loop);
    std::string loaded(ValueId id, const Coordinates& at, Loop* loop);
    std::string multiplied(const Node& node, const Coordinates& at, Loop* loop);
    std::string packed(std::size_t input, const Pack& pack, Loop& loop);
    std::string joined(const Node& node, const Coordinates& at, Loop* loop);
    // Of a byte for each element, where numbers are rounded and limited first.
    std::optional<std::string> ofCode(const Node& node, const Coordinates& at, Loop* loop);
    // What is stored of a value that is held so.
    [[nodiscard]] std::string closedResult(ValueId id, const std::string& held) const;
    std::string ofElement(const Node& node, const Coordinates& at, Loop* loop);
    std::optional<std::string> ofRowDivisor(const Node& node,
                                            const std::vector<std::string>& operands,
                                            const Coordinates& at, Loop* loop);
    std::string ofRow(const Node& node, const RowCall& call, const Coordinates& at);
    std::string normalized(const Node& node, const RowCall& call, const Coordinates& at,
                           Loop* loop);
    // Adds up or compares along the row of `source` at `at`, whose last coordinate is left out.
    std::string reduced(RowOperation operation, ValueId source, Coordinates at,
                        const std::string& centre, const std::string& key);
    std::string named(const std::string& key, DType type, const std::string& expression,
                      Loop* loop);
    std::optional<std::string> known(const std::string& key, DType type, Loop* loop);

    void writeOutputs();
    [[nodiscard]] std::string stores(Loop& loop);
    // Where the neighbours of a thread go, and whether they do.
    struct Target {
        std::string begin;
        std::string condition = "QS_ACTIVE";
    };
    [[nodiscard]] bool liesDensely(std::size_t output) const;
    [[nodiscard]] Target targetOf(std::size_t output, const Coordinates& at);
    [[nodiscard]] Target targetOf(const MemoryWrite& write, std::size_t output,
                                  const Coordinates& at);
    std::string settled(Loop& loop, const std::function<std::string()>& write);
    void endLoop(Loop& loop);
    [[nodiscard]] std::int64_t pitchOf(const TensorType& type) const;
    [[nodiscard]] Coordinate place() const;
    void fail(const std::string& why);

    static constexpr const char* kNothing = "0";  // after a failure

    const Graph& m_group;
    const InputStrides& m_strides;
    Division m_division;
    KernelFrame m_frame;
    const MatrixProduct* m_product;
    GraphUses m_uses;
    std::deque<Loop> m_loops;
    std::vector<KernelPart> m_parts;
    std::string m_between;                          // since the last loop
    std::map<std::string, std::string> m_rowNames;  // of what is known all along a row
    std::vector<KernelRead> m_known;                // the same, in order
    std::map<std::string, std::pair<std::size_t, std::string>> m_computedIn;  // loop, name there
    std::map<std::string, std::string> m_exact;  // of a name: that of its value before rounding
    std::map<std::string, std::string> m_kept;
    std::string m_arrays;
    int m_names = 0;
    std::optional<std::string> m_failure;
};

}  // namespace qs::core
