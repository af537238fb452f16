# Tests are compiled without optimisation, and so are their copies of what is generic: of a std::vector's functions,
# say. Of all copies the linker takes the first for everybody, also for what the libraries call. So the libraries'
# copies come first: of the tests of the window some take a third of the time. Only mold goes by the order of the
# command line; other linkers take none of a library that nothing before it needs.

# The static libraries of the tree that a target is made of, with those that they need.
function(qs_libraries_of target result)
    set(found ${${result}})
    get_target_property(links ${target} LINK_LIBRARIES)
    foreach(link IN LISTS links)
        if(NOT TARGET ${link} OR link IN_LIST found)
            continue()
        endif()
        get_target_property(type ${link} TYPE)
        get_target_property(imported ${link} IMPORTED)
        if(type STREQUAL "STATIC_LIBRARY" AND NOT imported)
            list(APPEND found ${link})
            qs_libraries_of(${link} found)
        endif()
    endforeach()
    set(${result} ${found} PARENT_SCOPE)
endfunction()

# For the programs of tests. Once all targets are there.
function(qs_link_libraries_first)
    qs_targets_below("${PROJECT_SOURCE_DIR}/tests" targets)
    foreach(target IN LISTS targets)
        get_target_property(type ${target} TYPE)
        if(type STREQUAL "EXECUTABLE")
            set(libraries "")
            qs_libraries_of(${target} libraries)
            list(TRANSFORM libraries REPLACE "(.+)" "$<TARGET_FILE:\\1>")
            target_link_options(${target} PRIVATE ${libraries})
        endif()
    endforeach()
endfunction()
