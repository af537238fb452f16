#include "core/device/cpu_time.h"

#include "core/base/files.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>
#include <string>

namespace qs::core {

namespace {

constexpr std::uint64_t kStatLimit = std::uint64_t{4} << 20U;  // of thousands of cores

double ticksPerSecond()
{
    const long ticks = ::sysconf(_SC_CLK_TCK);
    return ticks > 0 ? static_cast<double>(ticks) : 100.0;
}

// "cpu3 user nice system idle iowait irq softirq steal guest guest_nice": the last two are part of
// the first two already.
double workedTicks(std::istringstream& fields)
{
    double user = 0.0;
    double nice = 0.0;
    double system = 0.0;
    double idle = 0.0;
    double waiting = 0.0;
    double interrupts = 0.0;
    double softInterrupts = 0.0;
    double stolen = 0.0;
    fields >> user >> nice >> system >> idle >> waiting >> interrupts >> softInterrupts >> stolen;
    return user + nice + system + interrupts + softInterrupts + stolen;
}

}  // namespace

std::vector<int> allowedCoreNumbers()
{
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    std::vector<int> numbers;
    if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return numbers;
    for (int core = 0; core < CPU_SETSIZE; ++core) {
        if (CPU_ISSET(static_cast<std::size_t>(core), &allowed))
            numbers.push_back(core);
    }
    return numbers;
}

std::optional<double> workedSeconds(const std::vector<int>& cores,
                                    const std::filesystem::path& root)
{
    const auto text = readTextFile(root / "proc/stat", kStatLimit);
    if (!text.ok() || cores.empty())
        return std::nullopt;
    std::istringstream lines(text.value());
    double ticks = 0.0;
    std::size_t seen = 0;
    for (std::string line; std::getline(lines, line) && line.starts_with("cpu");) {
        std::istringstream fields(line.substr(3));
        int core = -1;
        // The first line, of all cores, has no number behind its name.
        if (line.size() < 4 || line[3] == ' ' || !(fields >> core) ||
            std::find(cores.begin(), cores.end(), core) == cores.end())
            continue;
        ticks += workedTicks(fields);
        ++seen;
    }
    return seen == cores.size() ? std::optional(ticks / ticksPerSecond()) : std::nullopt;
}

std::optional<double> processorSeconds(std::int64_t pid, const std::filesystem::path& root)
{
    const auto text = readTextFile(root / "proc" / std::to_string(pid) / "stat", kStatLimit);
    if (!text.ok())
        return std::nullopt;
    // The name of the program, in brackets, may hold anything.
    const std::size_t end = text.value().rfind(')');
    if (end == std::string::npos)
        return std::nullopt;
    std::istringstream fields(text.value().substr(end + 1));
    constexpr int kFieldsBetween = 11;  // state … cmajflt
    std::string skipped;
    for (int i = 0; i < kFieldsBetween; ++i)
        fields >> skipped;
    double user = 0.0;
    double system = 0.0;
    if (!(fields >> user >> system))
        return std::nullopt;
    return (user + system) / ticksPerSecond();
}

}  // namespace qs::core
