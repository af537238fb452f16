// What reading a row of a journal costs, step by step; rows are those of a shipped example.

#include "core/record/journal/journal.h"
#include "core/record/journal/journal_place.h"
#include "core/record/row_reader.h"

#include <benchmark/benchmark.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace {

using namespace qs::core;

// Lines of rows, without their line feeds.
const std::vector<std::string>& lines()
{
    static const std::vector<std::string> found = [] {
        std::vector<std::string> rows;
        const FilePlace journal = journalPlace(QS_EXAMPLE_RUNS "/demo_h200");
        for (const Json& record : readJournal(journal).value().records) {
            if (record.at("type") != "row")
                continue;
            rows.push_back(encodeJournalLine(record).value());
            rows.back().pop_back();
        }
        return rows;
    }();
    return found;
}

Measurement rowOf(const std::string& line)
{
    return rowFromRecord(decodeJournalLine(line).value()).value();
}

template <typename Step>
void overRows(benchmark::State& state, Step step)
{
    std::int64_t bytes = 0;
    std::size_t i = 0;
    for (auto _ : state) {
        const std::size_t at = i++ % lines().size();
        benchmark::DoNotOptimize(step(at));
        bytes += static_cast<std::int64_t>(lines()[at].size());
    }
    state.SetBytesProcessed(bytes);
}

void decodeLine(benchmark::State& state)
{
    overRows(state, [](std::size_t at) { return decodeJournalLine(lines()[at]); });
}

void rowFrom(benchmark::State& state)
{
    std::vector<JournalRecord> records;
    for (const std::string& line : lines())
        records.push_back(decodeJournalLine(line).value());
    overRows(state, [&](std::size_t at) { return rowFromRecord(records[at]); });
}

void rowToText(benchmark::State& state)
{
    std::vector<Measurement> rows;
    for (const std::string& line : lines())
        rows.push_back(rowOf(line));
    overRows(state, [&](std::size_t at) { return toJson(rows[at]).dump(); });
}

}  // namespace

BENCHMARK(decodeLine);
BENCHMARK(rowFrom);
BENCHMARK(rowToText);

BENCHMARK_MAIN();
