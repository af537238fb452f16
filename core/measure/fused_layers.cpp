#include "core/measure/fused_layers.h"

#include "core/graph/operation.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace qs::core {

namespace {

// "linear", as pass reports name operations: those that a layer can be.
bool isWordOfLayers(const std::string& word)
{
    static const auto words = [] {
        std::set<std::string, std::less<>> found;
        for (const Operation& each : operationCatalogue()) {
            if (multiplies(each) && each.operationClass != OperationClass::Attention)
                found.emplace(each.name.substr(each.name.rfind(':') + 1));
        }
        return found;
    }();
    return words.count(word) > 0;
}

// "blocks.12.ffn.fc1" -> "blocks.#.ffn.fc1".
std::string likeness(std::string_view module)
{
    std::string text;
    for (std::size_t at = 0; at <= module.size();) {
        const std::size_t end = std::min(module.find('.', at), module.size());
        const std::string_view part = module.substr(at, end - at);
        const bool isNumber = !part.empty() && std::all_of(part.begin(), part.end(), [](char c) {
            return std::isdigit(static_cast<unsigned char>(c)) != 0;
        });
        text += (at == 0 ? "" : ".") + (isNumber ? "#" : std::string(part));
        at = end + 1;
    }
    return text;
}

void add(const FusedProduct& product, ReportedLayer& layer)
{
    if (std::find(layer.fused.begin(), layer.fused.end(), product) == layer.fused.end())
        layer.fused.push_back(product);
}

// Equal products of a stage, in one kernel, or in several where their inputs lie in several ways.
struct EqualProducts {
    std::string module;  // of the first
    std::string word;    // "linear"
    int calls = 0;       // in one run of the stage
    std::vector<FusedProduct> products = {};
    std::vector<ReportedLayer*> layers = {};  // that they are of

    [[nodiscard]] int left() const { return calls - static_cast<int>(layers.size()); }
};

std::vector<EqualProducts> equalProducts(const std::vector<KernelChoice>& kernels)
{
    std::vector<EqualProducts> all;
    for (const KernelChoice& each : kernels) {
        const auto word =
            std::find_if(each.operations.begin(), each.operations.end(), isWordOfLayers);
        if (word == each.operations.end())
            continue;
        const bool another = all.empty() || all.back().module != each.module ||
                             all.back().products.back().operations != each.operations;
        if (another)
            all.push_back({.module = each.module, .word = *word, .calls = each.calls});
        all.back().products.push_back({each.kernel, each.operations, each.why});
    }
    return all;
}

// See Note [Layers of fused stages].
class LayersOfStage final
{
public:
    LayersOfStage(const std::vector<KernelChoice>& kernels, std::vector<ReportedLayer*> layers)
        : m_products(equalProducts(kernels)), m_layers(std::move(layers))
    {
    }

    void note()
    {
        place([](const EqualProducts& products, const ReportedLayer& layer) {
            return products.module == layer.module;
        });
        place([](const EqualProducts& products, const ReportedLayer& layer) {
            return likeness(products.module) == likeness(layer.module);
        });
        std::set<std::pair<std::string, std::string>> words;  // schemes and what they multiply with
        for (const EqualProducts& products : m_products) {
            for (const ReportedLayer* layer : products.layers)
                words.emplace(layer->scheme, products.word);
        }
        place([&](const EqualProducts& products, const ReportedLayer& layer) {
            return words.count({layer.scheme, products.word}) > 0;
        });
        for (const EqualProducts& products : m_products) {
            for (ReportedLayer* layer : products.layers) {
                for (const FusedProduct& product : products.products)
                    add(product, *layer);
            }
        }
    }

private:
    // Each layer that has no place yet, where one place alone has calls left and is fit; none of
    // those that want a place with fewer calls.
    template <typename Fits>
    void place(const Fits& fits)
    {
        std::map<std::size_t, std::vector<ReportedLayer*>> wanted;
        for (ReportedLayer* layer : m_layers) {
            std::vector<std::size_t> places;
            for (std::size_t i = 0; i < m_products.size(); ++i) {
                if (m_products[i].left() > 0 && fits(m_products[i], *layer))
                    places.push_back(i);
            }
            if (places.size() == 1)
                wanted[places.front()].push_back(layer);
        }
        for (auto& [at, layers] : wanted) {
            EqualProducts& products = m_products[at];
            if (static_cast<int>(layers.size()) > products.left())
                continue;
            for (ReportedLayer* layer : layers) {
                products.layers.push_back(layer);
                std::erase(m_layers, layer);
            }
        }
    }

    std::vector<EqualProducts> m_products;
    std::vector<ReportedLayer*> m_layers;  // without a place
};

}  // namespace

void noteFused(const std::vector<StageCompile>& compiles, const std::vector<Note>& notes,
               LayerReport& report)
{
    std::map<std::string, std::vector<ReportedLayer*>> layersOf;
    for (ReportedLayer& layer : report.layers)
        layersOf[layer.stage].push_back(&layer);
    for (const StageCompile& compile : compiles) {
        if (!compile.kernels.empty())
            LayersOfStage(compile.kernels, layersOf[compile.stage]).note();
    }
    for (const Note& note : notes) {
        if (note.code != NoteCode::ReferenceFused)
            continue;
        for (ReportedLayer* layer : layersOf[note.text(0)])
            add({}, *layer);
    }
}

}  // namespace qs::core
