# Compiler, warning, cache and linker choices that hold for every target of the tree.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")

if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Build type" FORCE)
endif()

option(QS_WARNINGS_AS_ERRORS "Treat warnings as errors (developer and CI builds)" OFF)
set(QS_SANITIZE "" CACHE STRING "Sanitizers of this build, e.g. address,undefined")

# Of everything that is seen, and of the headers precompiled for it: Qt's lower-case macros stay out, and texts are
# told apart from bytes.
set(QS_QT_DEFINITIONS QT_NO_KEYWORDS QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII)

# The compiler looks for memory that it no longer needs from 1 GiB on, not from 128 MiB: a tenth of the time of a large
# file. A process grows by a sixth.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options("SHELL:--param ggc-min-heapsize=1048576")
endif()

add_library(qs_warnings INTERFACE)
target_compile_options(qs_warnings INTERFACE -Wall -Wextra -Wconversion -Wold-style-cast)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC bug 105651: false alarms on the concatenation of a literal and a temporary string at -O2.
    target_compile_options(qs_warnings INTERFACE -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow)
endif()
if(QS_WARNINGS_AS_ERRORS)
    target_compile_options(qs_warnings INTERFACE -Werror)
endif()

# Four of UndefinedBehaviorSanitizer's checks make up a third of the compile time of a sanitized build, and what three
# of them see ends in a report of AddressSanitizer, too. The fourth, alignment, is for QS_BYTES_SANITIZE: of folders
# that read bytes as something else.
set(QS_BYTES_SANITIZE "")
if(QS_SANITIZE)
    add_compile_options(-fsanitize=${QS_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${QS_SANITIZE})
    add_compile_definitions(QS_SANITIZED)  # for tests of memory: what is freed is kept
    if(QS_SANITIZE MATCHES "undefined")
        # Clang's `function`: what a library of C gives by name has the types of that library.
        add_compile_options(-fno-sanitize=null,alignment,object-size,vptr$<$<CXX_COMPILER_ID:Clang>:,function>)
        set(QS_BYTES_SANITIZE -fsanitize=alignment)
    endif()
endif()

find_program(QS_CCACHE ccache)
if(QS_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    # pch_defines and time_macros: what uses precompiled headers is cached as well.
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
        CCACHE_SLOPPINESS=pch_defines,time_macros ${QS_CCACHE})
endif()

find_program(QS_MOLD mold)
if(QS_MOLD)
    add_link_options(-fuse-ld=mold)
endif()

# Of programs that read runs on several threads: with glibc's allocator these wait for each other. Sanitizers bring
# their own.
add_library(qs_allocator INTERFACE)
if(NOT QS_SANITIZE)
    find_library(QS_JEMALLOC jemalloc REQUIRED)
    target_link_options(qs_allocator INTERFACE "LINKER:--push-state,--no-as-needed,${QS_JEMALLOC},--pop-state")
endif()
