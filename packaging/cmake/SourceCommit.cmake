# Writes a source file with the commit of the tree. Run at every build as a script:
#   cmake -D SOURCE=… -D TEMPLATE=… -D OUTPUT=… -P SourceCommit.cmake
# The file is touched only when the text in it changes, so that one file is compiled anew after a commit.
set(QS_COMMIT "unknown")
find_program(QS_GIT git)
if(QS_GIT)
    # An archive that was unpacked inside somebody else's repository has no commit.
    execute_process(COMMAND ${QS_GIT} rev-parse --show-prefix WORKING_DIRECTORY "${SOURCE}"
        RESULT_VARIABLE _failed OUTPUT_VARIABLE _prefix ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT _failed AND _prefix STREQUAL "")
        execute_process(COMMAND ${QS_GIT} describe --always --dirty --abbrev=12 WORKING_DIRECTORY "${SOURCE}"
            RESULT_VARIABLE _failed OUTPUT_VARIABLE _described ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
        # Names of tags may hold anything; only what is safe in a C++ literal is taken.
        if(NOT _failed AND _described MATCHES "^[A-Za-z0-9._/+-]+$")
            set(QS_COMMIT "${_described}")
        endif()
    endif()
endif()
configure_file("${TEMPLATE}" "${OUTPUT}" @ONLY)
