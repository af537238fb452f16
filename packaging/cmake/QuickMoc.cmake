# moc reads all headers below a class for macros, 0.3 s a class; what it writes of our classes depends on none of them.
# Without their folders it takes 0.02 s.
get_target_property(_qs_moc Qt6::moc IMPORTED_LOCATION_NONE)
if(NOT _qs_moc)
    get_target_property(_qs_moc Qt6::moc IMPORTED_LOCATION_RELEASE)
endif()
if(_qs_moc)
    # Written only where it changes: a newer moc reads all classes again.
    file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/moc" @ONLY CONTENT "#!/bin/sh
for each in \"$@\"; do
    shift
    case $each in -I*) ;; *) set -- \"$@\" \"$each\" ;; esac
done
exec '${_qs_moc}' \"$@\"
")
    file(CHMOD "${CMAKE_BINARY_DIR}/moc" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
    set_target_properties(Qt6::moc PROPERTIES
        IMPORTED_LOCATION_NONE "${CMAKE_BINARY_DIR}/moc" IMPORTED_LOCATION_RELEASE "${CMAKE_BINARY_DIR}/moc")
endif()
