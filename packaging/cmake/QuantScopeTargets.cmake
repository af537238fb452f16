# qs_library(<folder> SOURCES … [PUBLIC …] [PRIVATE …]): one static library per folder of core or widgets.
# The target is called qs_<folder>; includes are written from the source root ("core/base/result.h").
function(qs_library folder)
    cmake_parse_arguments(ARG "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
    add_library(qs_${folder} STATIC ${ARG_SOURCES})
    target_include_directories(qs_${folder} PUBLIC "${PROJECT_SOURCE_DIR}")
    target_link_libraries(qs_${folder} PUBLIC ${ARG_PUBLIC} PRIVATE qs_warnings ${ARG_PRIVATE})
endfunction()

# All targets of that folder and below; complete once the last folder is added.
function(qs_targets_below folder result)
    get_property(found DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
    get_property(folders DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
    foreach(each IN LISTS folders)
        qs_targets_below("${each}" more)
        list(APPEND found ${more})
    endforeach()
    set(${result} ${found} PARENT_SCOPE)
endfunction()

# qs_gtest(<name> SOURCES … LINK … [LABELS …] [TIMEOUT s] [COST s]): one GoogleTest program, registered with CTest as
# a whole. Tests of the most cost (about the seconds they take) begin first: no core waits for another at the end.
function(qs_gtest name)
    cmake_parse_arguments(ARG "" "TIMEOUT;COST" "SOURCES;LINK;LABELS" ${ARGN})
    if(NOT ARG_TIMEOUT)
        set(ARG_TIMEOUT 900)  # what hangs; no measure of speed: machines differ
    endif()
    if(NOT ARG_COST)
        set(ARG_COST 0)
    endif()
    add_executable(${name} ${ARG_SOURCES})
    target_link_libraries(${name} PRIVATE qs_warnings qs_test_support ${ARG_LINK} GTest::gmock GTest::gtest_main)
    if(NOT QS_WITH_CORE_TESTS AND NOT ARG_LABELS AND NOT "qs_engine" IN_LIST ARG_LINK)
        set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
        return()
    endif()
    add_test(NAME ${name} COMMAND ${name})
    set(environment "QUANTSCOPE_CACHE=${CMAKE_BINARY_DIR}/cache")
    if("engine" IN_LIST ARG_LABELS)
        # Tests run side by side, and the threads of a worker wait busily for those that have no core.
        list(APPEND environment "OMP_NUM_THREADS=1")
    endif()
    set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT} COST ${ARG_COST} LABELS "${ARG_LABELS}"
        ENVIRONMENT "${environment}")
endfunction()

# qs_gui_program(<name> LINK …): a program of Qt Test classes, each run by its name in an application of its own.
function(qs_gui_program name)
    cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
    add_executable(${name})
    target_compile_definitions(${name} PRIVATE ${QS_QT_DEFINITIONS}
        QS_SCREENSHOT_DIR="${CMAKE_BINARY_DIR}/screenshots")  # pictures that the tests grab, for looking at
    # Each file keeps its types to itself; so several of them may be compiled as one.
    target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
    target_include_directories(${name} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}")
    target_link_libraries(${name} PRIVATE qs_warnings qs_test_gui ${ARG_LINK})
endfunction()

# What every test of the window runs in: the offscreen platform at 96 dpi, and so many pixels for each point.
function(qs_set_gui_test name scale)
    set_tests_properties(${name} PROPERTIES TIMEOUT 900 LABELS "gui"
        ENVIRONMENT "QT_QPA_PLATFORM=offscreen;QT_FONT_DPI=96;QT_SCALE_FACTOR=${scale};QUANTSCOPE_CACHE=${CMAKE_BINARY_DIR}/cache")
endfunction()

# qs_gui_tests(<program> <path> …): <path>.cpp with one class, which includes <its name>.moc. AUTOMOC would add a
# program that looks for such classes.
function(qs_gui_tests program)
    foreach(path IN LISTS ARGN)
        get_filename_component(test "${path}" NAME)
        set(made "${CMAKE_CURRENT_BINARY_DIR}/${test}.moc")
        qt6_generate_moc("${CMAKE_CURRENT_SOURCE_DIR}/${path}.cpp" "${made}")
        target_sources(${program} PRIVATE "${path}.cpp" "${made}")
        add_test(NAME ${test} COMMAND ${program} ${test})
        qs_set_gui_test(${test} 1)
    endforeach()
endfunction()

# qs_scaled_test(<program> <test> [<scale> …]): the same once more at twice the pixels, or at each of these scales.
function(qs_scaled_test program test)
    set(scales ${ARGN})
    if(NOT scales)
        set(scales 2)
    endif()
    foreach(scale IN LISTS scales)
        add_test(NAME ${test}_scale${scale} COMMAND ${program} ${test})
        qs_set_gui_test(${test}_scale${scale} ${scale})
    endforeach()
endfunction()
