// quantscope-worker: runs cells on one device for a supervising process. Not meant to be started by
// hand.

#include "app/worker/worker_main.h"

int main(int argc, char** argv)
{
    return qs::app::workerMain(argc, argv);
}
