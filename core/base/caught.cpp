#include "core/base/caught.h"

#include <unistd.h>

#include <atomic>
#include <cstring>
#include <exception>
#include <new>
#include <system_error>

namespace qs::core {

namespace {

struct LastWords {
    const char* program = "";
    int codeWithoutMemory = 1;
    int codeOtherwise = 1;
};
LastWords lastWords;
// What leaves a destructor ends the program before anybody can catch it and ask what it was.
std::atomic<bool> memoryRanOut = false;

[[noreturn]] void noteNoMemory()
{
    memoryRanOut = true;
    throw std::bad_alloc();
}

// Asks for no memory.
void write(const char* text)
{
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text, std::strlen(text));
}

Error unexpected(const std::exception& failure)
{
    return {ErrorCode::Internal, std::string("an unexpected fault: ") + failure.what()};
}

[[noreturn]] void endAtOnce()
{
    int code = lastWords.codeOtherwise;
    const char* why = ": an unexpected fault\n";
    try {
        if (std::current_exception() != nullptr)
            throw;
        if (memoryRanOut)
            throw std::bad_alloc();
    } catch (const std::bad_alloc&) {
        code = lastWords.codeWithoutMemory;
        why = ": not enough memory\n";
    } catch (...) {
    }
    write(lastWords.program);
    write(why);
    ::_exit(code);
}

}  // namespace

void sayLastWords(const char* program, int codeWithoutMemory, int codeOtherwise)
{
    lastWords = {program, codeWithoutMemory, codeOtherwise};
    std::set_terminate(endAtOnce);
    std::set_new_handler(noteNoMemory);
}

Error caughtError()
{
    try {
        throw;
    } catch (const std::bad_alloc&) {
        return {ErrorCode::OutOfMemory, "not enough memory"};
    } catch (const std::system_error& failure) {
        // What a thread ends with that cannot begin, without words about what was missing.
        if (failure.code() == std::errc::resource_unavailable_try_again)
            return {ErrorCode::OutOfMemory, "not enough memory for a thread, or too many of them"};
        return unexpected(failure);
    } catch (const std::exception& failure) {
        return unexpected(failure);
    } catch (...) {
        return {ErrorCode::Internal, "an unexpected fault of an unknown kind"};
    }
}

}  // namespace qs::core
