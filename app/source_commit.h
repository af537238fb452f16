#pragma once

namespace qs::app {

// The commit of the sources that this program was built from as `git describe` names it, with
// "-dirty" if files were changed; "unknown" in a build without Git, such as from an archive.
[[nodiscard]] const char* sourceCommit();

}  // namespace qs::app
