# qs_library(<folder> SOURCES … [PUBLIC …] [PRIVATE …]): one static library per folder of core or widgets.
# The target is called qs_<folder>; includes are written from the source root ("core/base/result.h").
function(qs_library folder)
    cmake_parse_arguments(ARG "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
    add_library(qs_${folder} STATIC ${ARG_SOURCES})
    target_include_directories(qs_${folder} PUBLIC "${PROJECT_SOURCE_DIR}")
    target_link_libraries(qs_${folder} PUBLIC ${ARG_PUBLIC} PRIVATE qs_warnings ${ARG_PRIVATE})
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
    set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT} COST ${ARG_COST} LABELS "${ARG_LABELS}"
        ENVIRONMENT "QUANTSCOPE_CACHE=${CMAKE_BINARY_DIR}/cache")
endfunction()

# The one class of a test is in its source, which includes <name>.moc. AUTOMOC would add a program that looks for
# such classes and an empty file to compile for each of some seventy tests.
function(qs_moc_of_test name)
    set(made "${CMAKE_CURRENT_BINARY_DIR}/${name}.moc")
    qt6_generate_moc("${CMAKE_CURRENT_SOURCE_DIR}/${name}.cpp" "${made}" TARGET ${name})
    target_sources(${name} PRIVATE "${made}")
    target_include_directories(${name} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}")
endfunction()

# qs_qttest(<name> SOURCES … LINK …): one Qt Test program, run on the offscreen platform at 96 dpi.
function(qs_qttest name)
    cmake_parse_arguments(ARG "" "TIMEOUT;COST" "SOURCES;LINK;LABELS" ${ARGN})
    if(NOT ARG_TIMEOUT)
        set(ARG_TIMEOUT 900)  # what hangs; no measure of speed: machines differ
    endif()
    if(NOT ARG_COST)
        set(ARG_COST 0)
    endif()
    add_executable(${name} ${ARG_SOURCES})
    target_link_libraries(${name} PRIVATE qs_warnings ${ARG_LINK} Qt6::Test)
    qs_moc_of_test(${name})
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT} COST ${ARG_COST} LABELS "gui;${ARG_LABELS}"
        ENVIRONMENT "QT_QPA_PLATFORM=offscreen;QT_FONT_DPI=96;QUANTSCOPE_CACHE=${CMAKE_BINARY_DIR}/cache")
endfunction()

# qs_scaled_test(<name> [<scale> …]): the same program once more at twice the pixels, or at each of these scales.
function(qs_scaled_test name)
    set(scales ${ARGN})
    if(NOT scales)
        set(scales 2)
    endif()
    foreach(scale IN LISTS scales)
        add_test(NAME ${name}_scale${scale} COMMAND ${name})
        set_tests_properties(${name}_scale${scale} PROPERTIES TIMEOUT 300 LABELS "gui"
            ENVIRONMENT "QT_QPA_PLATFORM=offscreen;QT_FONT_DPI=96;QT_SCALE_FACTOR=${scale};QUANTSCOPE_CACHE=${CMAKE_BINARY_DIR}/cache")
    endforeach()
endfunction()
