# FindOpenCVLight: the two OpenCV libraries that the picture code uses. Debian's OpenCVConfig.cmake belongs to
# libopencv-dev, which depends on hundreds of packages; libopencv-core-dev and libopencv-imgproc-dev do not.
#
# Output: OpenCVLight::imgproc   opencv_imgproc and opencv_core with their headers
#         OpenCVLight_VERSION
find_path(OpenCVLight_INCLUDE_DIR opencv2/imgproc.hpp PATH_SUFFIXES opencv4)
find_library(OpenCVLight_CORE_LIBRARY opencv_core)
find_library(OpenCVLight_IMGPROC_LIBRARY opencv_imgproc)
mark_as_advanced(OpenCVLight_INCLUDE_DIR OpenCVLight_CORE_LIBRARY OpenCVLight_IMGPROC_LIBRARY)

set(OpenCVLight_VERSION "")
if(OpenCVLight_INCLUDE_DIR AND EXISTS "${OpenCVLight_INCLUDE_DIR}/opencv2/core/version.hpp")
    file(STRINGS "${OpenCVLight_INCLUDE_DIR}/opencv2/core/version.hpp" _qs_lines
        REGEX "^#define CV_VERSION_(MAJOR|MINOR|REVISION) ")
    string(REGEX MATCHALL "[0-9]+" _qs_numbers "${_qs_lines}")
    list(JOIN _qs_numbers "." OpenCVLight_VERSION)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenCVLight
    REQUIRED_VARS OpenCVLight_INCLUDE_DIR OpenCVLight_CORE_LIBRARY OpenCVLight_IMGPROC_LIBRARY
    VERSION_VAR OpenCVLight_VERSION
    REASON_FAILURE_MESSAGE "install libopencv-core-dev and libopencv-imgproc-dev")

if(OpenCVLight_FOUND AND NOT TARGET OpenCVLight::imgproc)
    add_library(OpenCVLight::core UNKNOWN IMPORTED)
    set_target_properties(OpenCVLight::core PROPERTIES
        IMPORTED_LOCATION "${OpenCVLight_CORE_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${OpenCVLight_INCLUDE_DIR}")
    add_library(OpenCVLight::imgproc UNKNOWN IMPORTED)
    set_target_properties(OpenCVLight::imgproc PROPERTIES
        IMPORTED_LOCATION "${OpenCVLight_IMGPROC_LIBRARY}"
        INTERFACE_LINK_LIBRARIES OpenCVLight::core)
endif()
