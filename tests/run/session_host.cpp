// Runs a sweep with the fake worker in a process of its own, so that a test can kill the whole
// program. session_host new|resume FOLDER; ends with 0 when the sweep is complete.

#include "tests/run/session_host.h"
#include "tests/run/fake_plan.h"
#include "tests/support/test_folder.h"

#include <cstdio>
#include <string>

int main(int argc, char** argv)
{
    if (argc != 3)
        return 2;
    const bool resume = argv[1] == std::string("resume");
    qs::tests::RecordingObserver observer;
    qs::core::RunSession session(resume ? qs::core::Plan() : qs::tests::sessionHostPlan(),
                                 {.folder = argv[2],
                                  .workerProgram = qs::tests::fakeWorker(),
                                  .resourceFolder = qs::tests::dataFile("../resources"),
                                  .resume = resume},
                                 observer);
    session.wait();
    if (observer.status.ok())
        return observer.eventKinds().back() == qs::core::EventKind::Complete ? 0 : 1;
    std::fprintf(stderr, "%s\n", observer.status.error().message.c_str());
    return 1;
}
