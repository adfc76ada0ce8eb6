# Tests of `reeve sweep`. What needs Open MPI, h5py or h5dump is skipped, and says so, where they are not installed.
reeve_tests(sweep reeve-command-objects)
# a hundred kills; runs under sanitizers are slow
set_tests_properties(test_sweep_kill PROPERTIES LABELS "long;slow")
set_tests_properties(test_cmd_sweep test_pool PROPERTIES LABELS slow)

function(reeve_sweep_test name)
    add_test(NAME ${name} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/sweep/${name}.sh $<TARGET_FILE:reeve-command>
        ${PROJECT_SOURCE_DIR} ${REEVE_HAS_HDF5} ${REEVE_HAS_MPI})
    set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600 LABELS slow PROCESSORS 2)
endfunction()
reeve_sweep_test(test_sweep_readers)
reeve_sweep_test(test_sweep_ranks)
