import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { RandomFile, RandomSuite } from '../random-suite';
import type { TestRunner } from '../runner';

const PACKAGES = ['pytest==9.2.0', 'pytest-rerunfailures==16.7'];
const binary = (folder: string, name: string): string => join(folder, 'pytest', 'bin', name);

/** pytest in an environment of its own. Strict runs make errors of warnings. */
export const pytest: TestRunner = {
  name: 'pytest',
  install: (folder) => {
    if (existsSync(binary(folder, 'pytest'))) return null;
    const made = spawnSync('python3', ['-m', 'venv', join(folder, 'pytest')], { encoding: 'utf8' });
    if (made.status !== 0) return `python3 -m venv: ${made.error?.message ?? made.stderr.trim()}`;
    const installed = spawnSync(binary(folder, 'pip'), ['install', '--quiet', ...PACKAGES], { encoding: 'utf8' });
    return installed.status === 0 ? null : `pip install: ${installed.stderr.trim().split('\n').at(-1)}`;
  },
  filesOf: ({ files }) =>
    Object.fromEntries([['plan.py', PLAN], ...files.map((file) => [`test_${file.name}.py`, moduleOf(file)] as const)]),
  commandOf: ({ stopsAfter, retries, isStrict }: RandomSuite, folder) => [
    ...[binary(folder, 'python'), '-m', 'pytest', '--junitxml=report.xml', '-p', 'no:cacheprovider'],
    ...(stopsAfter > 0 ? [`--maxfail=${stopsAfter}`] : []),
    ...(retries > 0 ? [`--reruns=${retries}`] : []),
    ...(isStrict ? ['-W', 'error'] : []),
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

/** Half of the tests are methods of unittest, where the first letters of the file say so. */
function moduleOf({ name, tests }: RandomFile): string {
  const fixtures = `
from plan import *
if '${name}' in plan['doNotLoad']: raise RuntimeError('the file does not load')

@pytest.fixture(scope='module', autouse=True)
def around():
    if 'before all ${name}' in plan['hooks']: raise RuntimeError('the hook before all fails')
    yield
    if 'after all ${name}' in plan['hooks']: raise RuntimeError('the hook after all fails')

@pytest.fixture(autouse=True)
def around_each(request):
    setup(request.node.originalname or request.node.name)
    yield
    teardown(request.node.originalname or request.node.name)
`;
  return fixtures + tests.map((test) => `\ndef ${test.name}():\n    body('${test.name}')\n`).join('');
}
