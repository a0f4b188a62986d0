source plan.bash
BATS_TEST_RETRIES=1
if has "doNotLoad file_bats12_0"; then echo 'the file does not load' >&2; exit 1; fi
setup_file() { ! has "hooks before all file_bats12_0"; }
teardown_file() { ! has "hooks after all file_bats12_0"; }
setup() { ! has "hooks setup ${BATS_TEST_DESCRIPTION##*[/. ]}"; }
teardown() { ! has "hooks teardown ${BATS_TEST_DESCRIPTION##*[/. ]}"; }
@test "test_bats12_0_0" { body test_bats12_0_0; }
@test "test_bats12_sure" { body test_bats12_sure; }
