#pragma once

namespace qs::app {

// Nothing that the program opens may become its standard input, output or error: where one of them
// is closed, it is /dev/null from now on. A reader that goes away and a limit of file sizes become
// errors of writing instead of signals.
void prepareStandardStreams();

// The last thing that a command does: brings out what is still to be written. The exit code if all
// of it was; else, where that would be 0, 75 without a word if nobody reads the output any more
// ("| head"), and 1 with a sentence if it cannot be written.
[[nodiscard]] int finishStandardOutput(int exitCode);

// Whether writing to standard output has failed.
[[nodiscard]] bool standardOutputFailed();

}  // namespace qs::app
