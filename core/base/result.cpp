#include "core/base/result.h"

namespace qs::core {

const char* toString(ErrorCode code)
{
    switch (code) {
    case ErrorCode::InvalidArgument:
        return "invalid argument";
    case ErrorCode::NotFound:
        return "not found";
    case ErrorCode::Io:
        return "input/output";
    case ErrorCode::Format:
        return "format";
    case ErrorCode::Unsupported:
        return "unsupported";
    case ErrorCode::OutOfMemory:
        return "out of memory";
    case ErrorCode::Timeout:
        return "timeout";
    case ErrorCode::Cancelled:
        return "cancelled";
    case ErrorCode::WrongResult:
        return "wrong result";
    case ErrorCode::Device:
        return "device";
    case ErrorCode::Internal:
        return "internal";
    }
    return "internal";
}

}  // namespace qs::core
