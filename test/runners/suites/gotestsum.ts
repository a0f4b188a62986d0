import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { problemOf } from '../installing';
import type { RandomFile, RandomTest } from '../random-suite';
import type { TestRunner } from '../runner';

/**
 * Each file is a package. Tests in a group are subtests. Hooks of a file are its TestMain, or code around the group of
 * tests. Tests have no hooks, because t.Cleanup is part of the test itself.
 */
export const gotestsum: TestRunner = {
  name: 'gotestsum',
  install: ({ folder }) => {
    if (existsSync(join(folder, 'go', 'gotestsum'))) return null;
    const problem = problemOf('env', `GOBIN=${join(folder, 'go')}`, 'go', 'install', 'gotest.tools/gotestsum@v1.13.0');
    return problem === null ? null : `${problem} (it needs Go 1.24 or later: https://go.dev/dl)`;
  },
  filesOf: ({ files }) =>
    Object.fromEntries([
      ['go.mod', 'module shop\n\ngo 1.21\n'],
      ['run.sh', RUN],
      ['plan/plan.go', PLAN],
      ...files.map((file) => [`${file.name}/a_test.go`, packageOf(file)] as const),
    ]),
  commandOf: ({ stopsAfter, retries }, files, folder) => [
    ...['sh', 'run.sh', join(folder, 'go', 'gotestsum'), '--junitfile', 'report.xml'],
    ...(retries > 0 ? [`--rerun-fails=${retries}`] : []),
    ...[`--packages=${files.map(({ name }) => `./${name}`).join(' ')}`, '--', '-count=1', '-vet=off'],
    ...(stopsAfter > 0 ? ['-failfast'] : []),
  ],
};

/** The package of a file that does not load fails to compile. */
const RUN = `for folder in file_*; do
  rm -f "$folder/broken_test.go"
  if grep -qx "doNotLoad $folder" plan.txt; then printf 'package shop\\n\\nvar broken int = "no"\\n' > "$folder/broken_test.go"; fi
done
exec "$@"
`;

const PLAN = `package plan

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func read(name string) string {
	text, _ := os.ReadFile(filepath.Join("..", name))
	return "\\n" + string(text)
}

func Has(line string) bool { return strings.Contains(read("plan.txt"), "\\n"+line+"\\n") }

func Body(t *testing.T, name string) {
	if Has("skipped " + name) {
		t.Skip("on purpose")
	}
	file, _ := os.OpenFile(filepath.Join("..", "ran.log"), os.O_APPEND|os.O_WRONLY, 0o644)
	file.WriteString(name + "\\n")
	file.Close()
	if Has("fails " + name) {
		t.Fatal("it fails")
	}
	if Has("retried "+name) && bytes.Count([]byte(read("ran.log")), []byte("\\n"+name+"\\n")) == 1 {
		t.Fatal("it fails at first")
	}
}
`;

function packageOf(file: RandomFile): string {
  return `package shop

import (
	"shop/plan"
	"testing"
)
${file.isFlat ? file.tests.map(functionOf).join('') : groupOf(file)}`;
}

function functionOf({ name }: RandomTest): string {
  return `\nfunc Test_${name}(t *testing.T) { plan.Body(t, "${name}") }\n`;
}

function groupOf({ name, isSerial, tests }: RandomFile): string {
  const run = (test: RandomTest): string =>
    `t.Run("${test.title}${test.name}", func(t *testing.T) { plan.Body(t, "${test.name}") })`;
  const subtests = tests.map((test) => (isSerial ? `	if !${run(test)} {\n		return\n	}\n` : `	${run(test)}\n`));
  return `
func Test_${name}(t *testing.T) {
	if plan.Has("hooks before all ${name}") {
		t.Fatal("the hook fails")
	}
	defer func() {
		if plan.Has("hooks after all ${name}") {
			t.Error("the hook fails")
		}
	}()
${subtests.join('')}}
`;
}
