# Several files of a target compiled as one: from nothing on two cores that is what a whole build has time for
# (QS_UNITY, on in test.sh and run.sh; off where one edits). Files whose names inside of their unnamed
# namespaces meet those of a neighbour are compiled alone: they are listed here.
option(QS_UNITY "Compile several files as one" OFF)
set(QS_FILES_OF_ONE 8)

set(QS_ALONE
    app/cli/command_sensitivity.cpp app/gui/action_palette.cpp app/gui/answer.cpp app/gui/answer_reason.cpp
    app/gui/main.cpp app/gui/settle_offer.cpp app/gui/window_actions.cpp core/analysis/batch_limits.cpp
    core/analysis/recommendation.cpp core/device/cpu_state.cpp core/device/host_memory.cpp core/device/nvml.cpp
    core/engine/internal/cpu_backend.cpp core/engine/quantize/calibration_cache.cpp core/graph/operation_catalogue.cpp
    core/measure/cell_result.cpp core/measure/compile_record.cpp core/measure/device_trace.cpp
    core/measure/host_load.cpp core/measure/layer_report.cpp core/measure/pass_profile.cpp
    core/measure/storage_report.cpp core/measure/token_files.cpp core/quant/schemes/delayed_float8_scheme.cpp
    core/quant/schemes/int4_schemes.cpp core/quant/schemes/int8_rules.cpp core/quant/schemes/int8_schemes.cpp
    core/record/output_quality.cpp core/report/html/html_tables.cpp core/report/markdown_opening.cpp
    core/report/markdown_results.cpp core/report/markdown_sections.cpp core/report/pivot_metrics.cpp
    core/report/ustar.cpp core/run/describe_engine.cpp core/run/live_samples.cpp core/run/stored_values.cpp
    core/stats/ranking.cpp core/sweep/expand.cpp core/sweep/gate.cpp core/sweep/preset_json.cpp
    tests/analysis/tst_quality_comparison.cpp tests/device/tst_gpu_settings.cpp tests/engine/family_pipeline.cpp
    tests/engine/tst_calibration.cpp tests/engine/tst_calibration_cache.cpp tests/engine/tst_cell_runner.cpp
    tests/engine/tst_delayed_float8.cpp tests/engine/tst_executor.cpp tests/engine/tst_int4_oracle.cpp
    tests/engine/tst_packages.cpp tests/engine/tst_scheme_options.cpp tests/engine/tst_schemes_oracle.cpp
    tests/engine/tst_static_oracle.cpp tests/engine/tst_storage_audit.cpp tests/engine/tst_vitok_oracle.cpp
    tests/engine/tst_weights.cpp tests/gpu/tst_cuda_families.cpp tests/gpu/tst_cuda_packages.cpp
    tests/measure/tst_compile_record.cpp tests/measure/tst_execution.cpp tests/measure/tst_failure.cpp
    tests/model/resnet/tst_resnet.cpp tests/model/safetensors/tst_safetensors_writer.cpp tests/run/tst_device_watch.cpp
    tests/run/tst_stored_values.cpp tests/stats/tst_ranking.cpp tests/stats/tst_verdict_outlook.cpp
    tests/stats/tst_warmup.cpp tests/sweep/tst_estimate.cpp tests/sweep/tst_impossible_values.cpp
    tests/sweep/tst_model_sizes.cpp tests/sweep/tst_plan.cpp tests/sweep/tst_preset_override.cpp
    tests/sweep/tst_validity.cpp widgets/compare/compare_controls.cpp widgets/compare/compare_sheet.cpp
    widgets/compare/compare_text.cpp widgets/compare/compare_view.cpp widgets/compare/compare_view_places.cpp
    widgets/compare/comparison_export.cpp widgets/compare/difference_plot.cpp widgets/compare/image_sheet.cpp
    widgets/compare/image_tone.cpp widgets/compare/loaded_pictures.cpp widgets/compare/loaded_values.cpp
    widgets/compare/map_drawer.cpp widgets/compare/map_scale.cpp widgets/compare/pane_grid.cpp
    widgets/compare/pane_histogram.cpp widgets/compare/sample_list.cpp widgets/compare/token_model.cpp
    widgets/compare/value_table.cpp widgets/compare/value_texts.cpp widgets/compare/values_view.cpp
    widgets/measured/device_facts.cpp widgets/model/layer_tree_model.cpp widgets/models/cell_columns.cpp
    widgets/models/cell_table_tones.cpp widgets/models/cell_text.cpp widgets/models/compared_columns.cpp
    widgets/models/memory_columns.cpp widgets/models/metric_text.cpp widgets/models/phase_text.cpp
    widgets/models/quality_columns.cpp widgets/models/sample_columns.cpp widgets/models/speed_columns.cpp
    widgets/plan/chip_row.cpp widgets/plan/gate_edit.cpp widgets/plan/planned_cells_dialog.cpp
    widgets/plan/planned_cells_model.cpp widgets/plan/preset_browser.cpp widgets/plan/sweep_choices.cpp
    widgets/plot/curve_roof.cpp widgets/plot/curve_series.cpp widgets/plot/curve_view.cpp widgets/plot/pareto_series.cpp
    widgets/table/cell_table.cpp
    core/model/text_feed.cpp core/model/torchscript_file.cpp
    core/model/text/byte_pairs.cpp core/model/text/letter_class.cpp core/model/text/split_pattern_parser.cpp core/model/text/tokenizer.cpp
    core/model/text/tokenizer_file.cpp core/model/text/utf8.cpp core/run/fed_files.cpp tests/model/tst_joined_model.cpp
    tests/model/tst_text_feed.cpp tests/model/text/tst_tokenizer.cpp)

function(qs_unity_below folder)
    set_property(GLOBAL APPEND PROPERTY QS_FOLDERS "${folder}")
    get_property(targets DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
    foreach(target IN LISTS targets)
        get_target_property(type ${target} TYPE)
        get_target_property(sources ${target} SOURCES)
        list(LENGTH sources count)
        if(type MATCHES "STATIC_LIBRARY|EXECUTABLE" AND count GREATER 1)
            set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${QS_FILES_OF_ONE})
        endif()
    endforeach()
    get_property(folders DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
    foreach(each IN LISTS folders)
        qs_unity_below("${each}")
    endforeach()
endfunction()

# Once all targets are there.
function(qs_unity_build)
    if(NOT QS_UNITY)
        return()
    endif()
    qs_unity_below("${PROJECT_SOURCE_DIR}")
    get_property(folders GLOBAL PROPERTY QS_FOLDERS)
    foreach(file IN LISTS QS_ALONE)
        get_filename_component(folder "${file}" DIRECTORY)
        while(NOT EXISTS "${PROJECT_SOURCE_DIR}/${folder}/CMakeLists.txt")
            get_filename_component(folder "${folder}" DIRECTORY)
        endwhile()
        # Not all of them are part of every build.
        if("${PROJECT_SOURCE_DIR}/${folder}" IN_LIST folders)
            set_property(SOURCE "${PROJECT_SOURCE_DIR}/${file}" DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}"
                         PROPERTY SKIP_UNITY_BUILD_INCLUSION ON)
        endif()
    endforeach()
endfunction()
