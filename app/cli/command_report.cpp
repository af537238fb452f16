#include "app/cli/commands.h"

namespace qs::app {

int reportCommand(const ReportCommand&)
{
    return 0;
}

}  // namespace qs::app
