#pragma once

#include "core/protocol/messages.h"

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace qs::core {

// One thing that a worker is started for, asked and told.
struct WorkerQuestion {
    std::filesystem::path program;
    std::vector<std::string> arguments;
    Message question;
    double timeoutSeconds = 0.0;
    std::stop_token stop = {};
};

// The first message that `isAnswer`; the worker ends then. Errors quote what it wrote before it
// ended, and are Cancelled when stopped.
[[nodiscard]] Result<Message> askWorker(const WorkerQuestion& question,
                                        const std::function<bool(const Message&)>& isAnswer);

}  // namespace qs::core
