import type { RandomFile, RandomTest } from '../random-suite';
import type { TestRunner } from '../runner';
import { installPython, pythonOf } from './python';

const PACKAGES = ['pytest==9.2.0', 'pytest-rerunfailures==16.7'];

/** Strict runs fail by every warning and by every test that passed on a retry. */
export const pytest: TestRunner = {
  name: 'pytest',
  install: ({ folder }) => installPython(folder, 'pytest', PACKAGES),
  hidesTeardown: ({ isFlat }) => !isFlat,
  filesOf: ({ files }) =>
    Object.fromEntries([['plan.py', PLAN], ...files.map((file) => [`test_${file.name}.py`, moduleOf(file)] as const)]),
  commandOf: ({ stopsAfter, retries, isStrict }, files, folder) => [
    ...[pythonOf(folder, 'pytest'), '-m', 'pytest', '--junitxml=report.xml', '-p', 'no:cacheprovider'],
    ...(stopsAfter > 0 ? [`--maxfail=${stopsAfter}`] : []),
    ...(retries > 0 ? [`--reruns=${retries}`, ...(isStrict ? ['--fail-on-flaky'] : [])] : []),
    ...(isStrict ? ['--max-warnings=0'] : []),
    ...files.map(({ name }) => `test_${name}.py`),
  ],
};

const PLAN = `
import json, warnings
import pytest
plan = json.load(open('plan.json'))
tries = {}

def setup(name):
    if 'setup ' + name in plan['hooks']: raise RuntimeError('the setup fails')

def teardown(name):
    if 'teardown ' + name in plan['hooks']: raise RuntimeError('the teardown fails')

def body(name):
    if name in plan['skipped']: pytest.skip('on purpose')
    open('ran.log', 'a').write(name + '\\n')
    if name in plan['warns']: warnings.warn('an old way')
    tries[name] = tries.get(name, 0) + 1
    assert name not in plan['fails']
    assert name not in plan['retried'] or tries[name] > 1
`;

/** Tests in a group are methods of a unittest class, with the hooks of unittest. */
function moduleOf({ name, tests, isFlat }: RandomFile): string {
  const fixtures = `
from plan import *
if '${name}' in plan['doNotLoad']: raise RuntimeError('the file does not load')

@pytest.fixture(scope='module', autouse=True)
def around():
    if 'before all ${name}' in plan['hooks']: raise RuntimeError('the hook before all fails')
    yield
    if 'after all ${name}' in plan['hooks']: raise RuntimeError('the hook after all fails')
`;
  return fixtures + (isFlat ? functionsOf(tests) : methodsOf(tests));
}

function functionsOf(tests: readonly RandomTest[]): string {
  const hooks = `
@pytest.fixture(autouse=True)
def around_each(request):
    setup(request.node.originalname or request.node.name)
    yield
    teardown(request.node.originalname or request.node.name)
`;
  return hooks + tests.map(({ name }) => `\ndef ${name}():\n    body('${name}')\n`).join('');
}

function methodsOf(tests: readonly RandomTest[]): string {
  const hooks = `
import unittest
class Group(unittest.TestCase):
    def setUp(self): setup(self._testMethodName)
    def tearDown(self): teardown(self._testMethodName)
`;
  return hooks + tests.map(({ name }) => `    def ${name}(self): body('${name}')\n`).join('');
}
