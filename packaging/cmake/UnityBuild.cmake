# Several files of a target compiled as one: from nothing on two cores that is what a whole build has time for
# (QS_UNITY, on in test.sh and run.sh; off where one edits). So names inside of unnamed namespaces are told
# apart within a target.
option(QS_UNITY "Compile several files as one" OFF)
# What templates become is compiled once for each: of 48 instead of 16 files a quarter less is compiled, and a compiler
# takes up to 3 GB. More processors want more of them.
set(QS_FILES_OF_ONE 16 CACHE STRING "How many files are compiled as one at most")

# Once all targets are there.
function(qs_unity_build)
    if(NOT QS_UNITY)
        return()
    endif()
    qs_targets_below("${PROJECT_SOURCE_DIR}" targets)
    foreach(target IN LISTS targets)
        get_target_property(type ${target} TYPE)
        get_target_property(sources ${target} SOURCES)
        list(FILTER sources INCLUDE REGEX "\\.cpp$")
        list(LENGTH sources count)
        if(type MATCHES "STATIC_LIBRARY|EXECUTABLE" AND count GREATER 1)
            # Equal parts: of one large and one small file a processor waits for the large one.
            math(EXPR parts "(${count} + ${QS_FILES_OF_ONE} - 1) / ${QS_FILES_OF_ONE}")
            math(EXPR size "(${count} + ${parts} - 1) / ${parts}")
            set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${size})
        endif()
    endforeach()
endfunction()
