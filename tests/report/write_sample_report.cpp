// Writes all reports of the sample run into the folder that is named, for readers in other
// languages.
#include "core/report/report.h"

#include "tests/support/sample_run.h"

#include <cstdio>

int main(int argc, char** argv)
{
    if (argc != 2)
        return 2;
    const qs::core::RunData data = qs::tests::sampleRun({.withFailures = true});
    const qs::core::Status status =
        qs::core::writeReport(data, qs::core::analyse(data, data.plan.preset.speedBaseline),
                              {.folder = argv[1], .bundle = true});
    if (!status.ok())
        std::fprintf(stderr, "%s\n", status.error().message.c_str());
    return status.ok() ? 0 : 1;
}
