#pragma once

#include "core/base/checks.h"

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace qs::core {

// What kind of failure it was; the command line turns it into its exit code.
enum class ErrorCode {
    InvalidArgument,  // the caller or the user asked for something that makes no sense
    NotFound,         // a file, a name, a device that is not there
    Io,               // the system refused a read or a write
    Format,           // a file or a message is damaged or hostile
    Unsupported,      // well understood, but cannot be done here; the message says why
    OutOfMemory,
    Timeout,
    Cancelled,
    Device,       // an error of the CUDA runtime
    WrongResult,  // what was computed is not what it must be
    Internal,
};

[[nodiscard]] const char* toString(ErrorCode code);

// A failure that was expected. The message names the file, the place and, where there is one, the
// cure.
struct Error {
    ErrorCode code = ErrorCode::Internal;
    std::string message;

    // The same error seen from further out: "context: message".
    [[nodiscard]] Error within(const std::string& context) const
    {
        return {code, context + ": " + message};
    }
};

// Either a value or an Error. Not convertible to bool on purpose: a Result<bool> would read both
// ways.
template <typename T>
class [[nodiscard]] Result final
{
public:
    Result(T value) : m_content(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : m_content(std::in_place_index<1>, std::move(error)) {}

    [[nodiscard]] bool ok() const { return m_content.index() == 0; }

    [[nodiscard]] const T& value() const&
    {
        QS_ASSERT(ok());
        return std::get<0>(m_content);
    }
    [[nodiscard]] T& value() &
    {
        QS_ASSERT(ok());
        return std::get<0>(m_content);
    }
    [[nodiscard]] T&& value() &&
    {
        QS_ASSERT(ok());
        return std::get<0>(std::move(m_content));
    }
    [[nodiscard]] const Error& error() const
    {
        QS_ASSERT(!ok());
        return std::get<1>(m_content);
    }

private:
    std::variant<T, Error> m_content;
};

// A Result without a value.
class [[nodiscard]] Status final
{
public:
    Status() = default;
    Status(Error error) : m_error(std::move(error)) {}

    [[nodiscard]] bool ok() const { return !m_error.has_value(); }
    [[nodiscard]] const Error& error() const
    {
        QS_ASSERT(!ok());
        return *m_error;
    }

private:
    std::optional<Error> m_error;
};

}  // namespace qs::core

// Leaves the function with the error of `expression`, a Result or a Status, if it failed.
#define QS_RETURN_IF_ERROR(expression)                                                             \
    do {                                                                                           \
        if (auto qsStatus = (expression); !qsStatus.ok())                                          \
            return qsStatus.error();                                                               \
    } while (false)

#define QS_CONCAT_IMPL(a, b) a##b
#define QS_CONCAT(a, b) QS_CONCAT_IMPL(a, b)

// QS_TRY(auto x, expression): x = the value, or leave the function with the error.
#define QS_TRY(declaration, expression)                                                            \
    auto QS_CONCAT(qsResult, __LINE__) = (expression);                                             \
    if (!QS_CONCAT(qsResult, __LINE__).ok())                                                       \
        return QS_CONCAT(qsResult, __LINE__).error();                                              \
    declaration = std::move(QS_CONCAT(qsResult, __LINE__)).value()
