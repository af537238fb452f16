#include "core/analysis/environment_difference.h"

#include "core/base/format.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <tuple>

namespace qs::core {

namespace {

// What is known of a field by the last part of its path. Order is that of the table.
struct Known {
    std::string_view key;
    std::string_view name;
    std::string_view reason;
};

constexpr std::string_view kUnknownReason =
    "Whatever is not equal may be why two rows differ; rows of different environments never share "
    "a ratio.";

constexpr std::array kKnown{
    Known{"name", "name", "Another device has another speed, and may round differently."},
    Known{"uuid", "serial number",
          "Another device, even of the same kind: two of them differ by a few per cent in clock, "
          "power and cooling."},
    Known{"driver", "driver",
          "The driver sets clocks and schedules kernels; speed may change with its version."},
    Known{"torch", "PyTorch",
          "Kernels and compilers come with PyTorch: speed and rounding change with its version."},
    Known{"cuda", "CUDA",
          "Matrix multiplications come from CUDA's libraries: speed and rounding change with their "
          "version."},
    Known{"cudnn", "cuDNN",
          "Convolutions and some attention come from cuDNN: speed and rounding change with its "
          "version."},
    Known{"program", "QuantScope",
          "Another version may quantize, compile or measure in another way."},
    Known{"processor", "processor",
          "Launches, inputs and all cells on the CPU depend on the processor."},
    Known{"threads", "threads", "Cells on the CPU share their work among the threads."},
    Known{"processors", "processors",
          "Multiprocessors of a GPU, threads of a CPU: what can run at the same time."},
    Known{"memory_bytes", "memory", "Decides which batches fit."},
    Known{"system", "system", "Kernel and libraries change launches and page handling."},
    Known{"host", "host name", "Another machine: cooling, neighbours and settings may differ."},
    Known{"compute_major", "compute capability, major",
          "Decides which number formats and kernels the device has."},
    Known{"compute_minor", "compute capability, minor",
          "Decides which number formats and kernels the device has."},
    Known{"kind", "kind", "A CPU and a GPU are measured by different clocks."},
    Known{"id", "device", "Which device of the machine it is."},
};

// Fields that are named by more than one word are explained by the part that they contain.
struct Theme {
    std::string_view part;
    std::string_view reason;
};

constexpr std::array kThemes{
    Theme{"power", "A lower power limit means lower clocks under load."},
    Theme{"clock", "Time goes with the clock: locked and free clocks cannot be compared."},
    Theme{"ecc", "Memory that corrects errors is a little slower and smaller."},
    Theme{"mig", "A part of a GPU has a part of its speed and memory."},
    Theme{"tf32", "TF32 makes fp32 products faster and less exact."},
    Theme{"commit", "Another state of the program may measure in another way."},
    Theme{"governor", "The governor of the CPU decides how fast its clock follows the load."},
    Theme{"turbo", "Turbo makes the clock depend on heat and on what else runs."},
    Theme{"boost", "Boost makes the clock depend on heat and on what else runs."},
    Theme{"seed", "Another seed means other weights or images."},
    Theme{"hash", "Another hash means other contents."},
    Theme{"load", "What else runs takes time away."},
    Theme{"persistence", "Without persistence the driver starts anew for every process."},
    Theme{"throttl", "A device that was slowed down gives times that cannot be compared."},
    Theme{"thread", "Work on the CPU is shared among the threads."},
    Theme{"smt", "Two threads that share a core slow each other down."},
    Theme{"quota", "So many cores may be used; fewer make work on the CPU slower."},
    Theme{"numerics", "A switch of PyTorch that changes results or speed everywhere."},
    Theme{"variables", "A variable of the process that changes speed or results."},
    Theme{"bandwidth", "Most kernels wait for memory: its speed is theirs."},
};

using Fields = std::map<std::string, Json>;

std::string textMember(const Json& json, const char* name)
{
    const auto found = json.find(name);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// The fields of one environment by their paths.
class Flattening
{
public:
    explicit Flattening(const Json& environment)
    {
        if (environment.is_object() && environment.contains("devices"))
            readDevices(environment.at("devices"));
        add(environment, {});
    }

    Fields take() { return std::move(m_fields); }

private:
    void readDevices(const Json& devices)
    {
        if (!devices.is_array())
            return;
        for (const Json& device : devices) {
            if (!device.is_object())
                continue;
            if (const std::string uuid = textMember(device, "uuid"); !uuid.empty())
                m_devices[uuid] = textMember(device, "id");
        }
    }

    void add(const Json& json, const std::string& path)
    {
        if (json.is_object()) {
            for (const auto& [key, value] : json.items())
                add(value, path.empty() ? key : path + "." + key);
        } else if (json.is_array()) {
            addList(json, path);
        } else {
            m_fields[path] = json;
        }
    }

    // Objects of a list are matched by their id, or by that of the device with their serial number,
    // which other machines have, too; or else by their place. Any other list is one value.
    void addList(const Json& list, const std::string& path)
    {
        const bool objects =
            !list.empty() && std::all_of(list.begin(), list.end(),
                                         [](const Json& each) { return each.is_object(); });
        if (!objects) {
            m_fields[path] = list;
            return;
        }
        for (std::size_t i = 0; i < list.size(); ++i) {
            Json each = list[i];
            std::string name = textMember(each, "id");
            if (const auto device = m_devices.find(textMember(each, "uuid"));
                name.empty() && device != m_devices.end()) {
                name = device->second;
                each.erase("uuid");  // it stands with the device
            }
            add(each, path + "[" + (name.empty() ? std::to_string(i + 1) : name) + "]");
        }
    }

    std::map<std::string, std::string> m_devices;  // id by serial number
    Fields m_fields;
};

bool isTold(const Json& value)
{
    return !value.is_null() &&
           !(value.is_string() && value.get_ref<const std::string&>().empty()) &&
           !(value.is_array() && value.empty());
}

std::string_view lastPart(std::string_view path)
{
    const std::size_t dot = path.find_last_of('.');
    // An id may hold a dot; what stands in brackets belongs together.
    const std::size_t bracket = path.find_last_of(']');
    if (dot == std::string_view::npos || (bracket != std::string_view::npos && bracket > dot))
        return path;
    return path.substr(dot + 1);
}

const Known* knownOf(std::string_view path)
{
    const std::string_view key = lastPart(path);
    const auto* found = std::find_if(kKnown.begin(), kKnown.end(),
                                     [&](const Known& known) { return known.key == key; });
    return found == kKnown.end() ? nullptr : found;
}

// "devices[cuda:0].power_limit_watts" -> "cuda:0, power limit". Units go to the values.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kUnits{
    {{"_watts", "W"},
     {"_megahertz", "MHz"},
     {"_mhz", "MHz"},
     {"_w", "W"},
     {"_celsius", "°C"},
     {"_seconds", "s"}}};

std::string inWords(std::string_view key)
{
    for (const auto& [ending, unit] : kUnits) {
        if (key.ends_with(ending))
            key.remove_suffix(ending.size());
    }
    if (key.ends_with("_bytes"))
        key.remove_suffix(6);
    std::string words(key);
    std::replace(words.begin(), words.end(), '_', ' ');
    return words;
}

std::string nameOf(const std::string& path)
{
    const Known* known = knownOf(path);
    const std::string_view last = lastPart(path);
    const std::string name = known != nullptr ? std::string(known->name) : inWords(last);
    const std::size_t open = path.find('[');
    const std::size_t close = path.find(']');
    if (open != std::string::npos && close != std::string::npos && close > open)
        return path.substr(open + 1, close - open - 1) + ", " + name;
    if (last.size() == path.size())
        return name;
    return inWords(path.substr(0, path.size() - last.size() - 1)) + ", " + name;
}

std::string reasonOf(const std::string& path)
{
    if (const Known* known = knownOf(path))
        return std::string(known->reason);
    // What the field itself is called tells more than the group that it stands in.
    for (const std::string_view part : {lastPart(path), std::string_view(path)}) {
        for (const Theme& theme : kThemes) {
            if (part.find(theme.part) != std::string_view::npos)
                return std::string(theme.reason);
        }
    }
    return std::string(kUnknownReason);
}

std::string exactText(const Json& value)
{
    return value.is_string() ? value.get<std::string>() : jsonText(value);
}

std::string textOf(std::string_view key, const Json& value)
{
    if (!isTold(value))
        return {};
    if (value.is_boolean())
        return value.get<bool>() ? "yes" : "no";
    if (value.is_number()) {
        if (key.ends_with("_bytes"))
            return formatBytes(value.get<double>());
        for (const auto& [ending, unit] : kUnits) {
            if (key.ends_with(ending))
                return exactText(value) + " " + std::string(unit);
        }
    }
    return exactText(value);
}

// Where rounded texts are equal although the values are not, the values as they are.
std::vector<std::string> textsOf(const std::string& path, const std::vector<Json>& values)
{
    std::vector<std::string> texts;
    for (const Json& value : values)
        texts.push_back(textOf(lastPart(path), value));
    for (std::size_t i = 0; i < values.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (isTold(values[i]) && texts[i] == texts[j] && values[i] != values[j]) {
                for (std::size_t k = 0; k < values.size(); ++k)
                    texts[k] = isTold(values[k]) ? exactText(values[k]) : std::string();
                return texts;
            }
        }
    }
    return texts;
}

std::size_t placeOf(const std::string& path)
{
    const Known* known = knownOf(path);
    return known == nullptr ? kKnown.size() : static_cast<std::size_t>(known - kKnown.data());
}

}  // namespace

std::vector<EnvironmentField> compareEnvironments(const std::vector<Json>& environments)
{
    std::vector<Fields> all;
    Fields names;
    for (const Json& environment : environments) {
        all.push_back(Flattening(environment).take());
        names.insert(all.back().begin(), all.back().end());
    }
    std::vector<EnvironmentField> fields;
    for (const auto& [path, ignored] : names) {
        std::vector<Json> values;
        for (const Fields& each : all) {
            const auto found = each.find(path);
            values.push_back(found != each.end() && isTold(found->second) ? found->second : Json());
        }
        const bool differs = std::any_of(values.begin(), values.end(), [&](const Json& value) {
            return value != values.front();
        });
        fields.push_back({.path = path,
                          .name = nameOf(path),
                          .reason = reasonOf(path),
                          .values = textsOf(path, values),
                          .differs = differs});
    }
    std::stable_sort(fields.begin(), fields.end(),
                     [](const EnvironmentField& a, const EnvironmentField& b) {
                         return std::tuple(!a.differs, placeOf(a.path)) <
                                std::tuple(!b.differs, placeOf(b.path));
                     });
    return fields;
}

}  // namespace qs::core
