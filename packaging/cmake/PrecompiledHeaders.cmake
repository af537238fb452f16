# Most of a file's compile time goes into headers that nearly every file reads: GoogleTest, JSON, Qt. They are
# precompiled once per kind of target. The sources stay complete by themselves: -DQS_PRECOMPILE=OFF builds them without.
option(QS_PRECOMPILE "Precompile headers that nearly every file reads" ON)
if(QS_PRECOMPILE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-fpch-preprocess)  # without it ccache cannot keep what uses the headers
elseif(QS_PRECOMPILE AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # ccache knows them by their bytes, which would hold when they were made.
    add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
endif()

# Of tests in builds that are optimised.
set(QS_TEST_OPTIMISATION $<$<CONFIG:Release>:-O0>)
set(QS_PCH_STANDARD
    <algorithm> <array> <chrono> <cmath> <cstdint> <filesystem> <functional> <map> <memory> <optional> <set> <span>
    <string> <string_view> <utility> <variant> <vector> <nlohmann/json.hpp>)
set(QS_PCH_QT
    <QAction> <QApplication> <QComboBox> <QHBoxLayout> <QHeaderView> <QKeyEvent> <QLabel> <QLineEdit> <QLocale> <QMenu>
    <QPainter> <QPushButton> <QString> <QStringList> <QTableView> <QTimer> <QToolButton> <QTreeWidget> <QVBoxLayout>)
set(QS_PCH_TORCH
    <ATen/Context.h> <ATen/TensorOperators.h> <ATen/core/Tensor.h> <ATen/core/dispatch/Dispatcher.h> <ATen/core/ivalue.h>
    <ATen/ops/empty.h> <ATen/ops/from_blob.h> <ATen/ops/tensor.h> <ATen/ops/zeros.h> <c10/core/InferenceMode.h>)

# What the precompiled headers of one kind belong to. Programs need those of a program (-fPIE). The compiler takes
# them only where every definition is that they were made with.
function(qs_pch_target name type)
    set(source "${CMAKE_BINARY_DIR}/pch/${name}.cpp")
    file(GENERATE OUTPUT "${source}" CONTENT "int main() {}\n")
    if(type STREQUAL "EXECUTABLE")
        add_executable(${name} "${source}")
        target_compile_options(${name} PRIVATE ${QS_TEST_OPTIMISATION})
    else()
        add_library(${name} STATIC "${source}")
    endif()
    target_link_libraries(${name} PRIVATE qs_warnings)
    target_precompile_headers(${name} PRIVATE ${ARGN})
endfunction()

# Which of them a target of that folder (from the source root), type and libraries uses; empty for none.
function(qs_pch_of folder type links result)
    set(${result} "" PARENT_SCOPE)
    if(type STREQUAL "STATIC_LIBRARY" AND folder MATCHES "^(widgets|app/gui)")
        set(${result} qs_pch_qt PARENT_SCOPE)
    elseif(type STREQUAL "STATIC_LIBRARY" AND folder STREQUAL "core/engine")
        set(${result} qs_pch_torch PARENT_SCOPE)
    elseif(type STREQUAL "STATIC_LIBRARY" AND folder MATCHES "^(core|app/cli|tests)")
        set(${result} qs_pch_core PARENT_SCOPE)
    elseif(type STREQUAL "EXECUTABLE" AND folder MATCHES "^tests")
        if(links MATCHES "Qt6::Test")
            return()  # with names of folders, see tests/support
        elseif(qs_test_gui IN_LIST links)
            set(${result} qs_pch_gui_test PARENT_SCOPE)
        elseif(links MATCHES "TorchWheel")
            set(${result} qs_pch_gtest_torch PARENT_SCOPE)
        else()
            set(${result} qs_pch_gtest PARENT_SCOPE)
        endif()
    endif()
endfunction()

# So that the compiler takes them: libraries of tests are optimised as what they were made for is, and what has no
# GoogleTest is told what GoogleTest tells the compiler.
function(qs_suit_to_headers target type folder pch)
    if(type STREQUAL "STATIC_LIBRARY" AND folder MATCHES "^tests")
        target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
    elseif(pch MATCHES "gtest")
        target_compile_definitions(${target} PRIVATE $<TARGET_PROPERTY:GTest::gtest,INTERFACE_COMPILE_DEFINITIONS>)
        target_compile_options(${target} PRIVATE $<TARGET_PROPERTY:GTest::gtest,INTERFACE_COMPILE_OPTIONS>)
    endif()
endfunction()

function(qs_use_precompiled_headers)
    qs_targets_below("${PROJECT_SOURCE_DIR}" targets)
    foreach(target IN LISTS targets)
        get_target_property(folder ${target} SOURCE_DIR)
        file(RELATIVE_PATH relative "${PROJECT_SOURCE_DIR}" "${folder}")
        get_target_property(type ${target} TYPE)
        get_target_property(links ${target} LINK_LIBRARIES)
        qs_pch_of("${relative}" ${type} "${links}" pch)
        if(pch)
            qs_suit_to_headers(${target} ${type} "${relative}" ${pch})
            target_precompile_headers(${target} REUSE_FROM ${pch})
        endif()
    endforeach()
endfunction()

# Once all targets are there.
function(qs_precompile_headers)
    if(NOT QS_PRECOMPILE)
        return()
    endif()
    qs_pch_target(qs_pch_core STATIC ${QS_PCH_STANDARD})
    if(QS_WITH_TESTS)
        find_package(GTest REQUIRED)
        qs_pch_target(qs_pch_gtest EXECUTABLE ${QS_PCH_STANDARD} <gmock/gmock.h> <gtest/gtest.h>)
        target_link_libraries(qs_pch_gtest PRIVATE GTest::gmock)
    endif()
    if(QS_WITH_ENGINE)
        qs_pch_target(qs_pch_torch STATIC ${QS_PCH_STANDARD} ${QS_PCH_TORCH})
        target_link_libraries(qs_pch_torch PRIVATE ${QS_TORCH_FOR_TESTS})
        if(QS_WITH_TESTS)
            qs_pch_target(qs_pch_gtest_torch EXECUTABLE ${QS_PCH_STANDARD} <gmock/gmock.h> <gtest/gtest.h> ${QS_PCH_TORCH})
            target_link_libraries(qs_pch_gtest_torch PRIVATE GTest::gmock ${QS_TORCH_FOR_TESTS})
        endif()
    endif()
    if(QS_WITH_GUI)
        qs_pch_target(qs_pch_qt STATIC ${QS_PCH_STANDARD} ${QS_PCH_QT})
        target_compile_definitions(qs_pch_qt PRIVATE ${QS_QT_DEFINITIONS})
        # Not all who use them link widgets: their folders, without their definitions.
        target_include_directories(qs_pch_qt SYSTEM PRIVATE
            $<TARGET_PROPERTY:Qt6::Widgets,INTERFACE_INCLUDE_DIRECTORIES>
            $<TARGET_PROPERTY:Qt6::Gui,INTERFACE_INCLUDE_DIRECTORIES>)
        target_link_libraries(qs_pch_qt PRIVATE Qt6::Core)
        if(QS_WITH_TESTS)
            qs_pch_target(qs_pch_gui_test EXECUTABLE ${QS_PCH_STANDARD} ${QS_PCH_QT} <QTest>)
            target_compile_definitions(qs_pch_gui_test PRIVATE ${QS_QT_DEFINITIONS})
            target_link_libraries(qs_pch_gui_test PRIVATE qs_test_gui)
        endif()
    endif()
    qs_use_precompiled_headers()
endfunction()
