#pragma once

namespace qs::core {

// Whatever is opened first gets the numbers of closed standard streams, and what is printed would
// go there: those that are closed become /dev/null. To be called before anything is opened.
void openStandardStreams();

}  // namespace qs::core
