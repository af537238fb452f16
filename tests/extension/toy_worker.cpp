// A worker that knows a family, a scheme, a compile mode and an axis more than the product.

#include "app/worker/worker_main.h"
#include "tests/extension/toy_axis.h"
#include "tests/extension/toy_family.h"
#include "tests/extension/toy_runner.h"
#include "tests/extension/toy_scheme.h"

int main(int argc, char** argv)
{
    qs::tests::registerToyAxis();
    qs::tests::registerToyAxisEffect();
    qs::tests::registerToyFamily();
    qs::tests::registerToyScheme();
    qs::tests::registerToyCompileMode();
    qs::tests::registerToyRunner();
    return qs::app::workerMain(argc, argv);
}
