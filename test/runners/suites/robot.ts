import type { RandomFile, RandomTest } from '../random-suite';
import type { TestRunner } from '../runner';
import { installPython, pythonOf } from './python';

export const robot: TestRunner = {
  name: 'Robot',
  install: ({ folder }) => installPython(folder, 'robot', ['robotframework==7.5']),
  filesOf: ({ files }) =>
    Object.fromEntries([['Plan.py', PLAN], ...files.map((file) => [`${file.name}.robot`, suiteOf(file)] as const)]),
  commandOf: ({ stopsAfter }, files, folder) => [
    ...[pythonOf(folder, 'robot'), '-m', 'robot', '--xunit', 'report.xml'],
    ...['--output', 'none', '--log', 'none', '--report', 'none', '--pythonpath', '.'],
    ...(stopsAfter > 0 ? ['--exitonfailure'] : []),
    ...files.map(({ name }) => `${name}.robot`),
  ],
};

const PLAN = `
from robot.api import logger, SkipExecution

class Plan:
    def __init__(self):
        self.lines = set(open('plan.txt').read().split('\\n'))

    def hook(self, name):
        if 'hooks ' + name in self.lines: raise RuntimeError('the hook fails')

    def body(self, name):
        if 'skipped ' + name in self.lines: raise SkipExecution('on purpose')
        open('ran.log', 'a').write(name + '\\n')
        if 'warns ' + name in self.lines: logger.warn('an old way')
        if 'fails ' + name in self.lines: raise AssertionError('it fails')
`;

function suiteOf({ name, tests }: RandomFile): string {
  return `*** Settings ***
Library    Plan.py
Suite Setup    Hook    before all ${name}
Suite Teardown    Hook    after all ${name}

*** Test Cases ***
${tests.map(testOf).join('\n')}`;
}

function testOf({ name, title, hook }: RandomTest): string {
  const setup = hook === 'setup' ? `    [Setup]    Hook    setup ${name}\n` : '';
  const teardown = hook === 'teardown' ? `    [Teardown]    Hook    teardown ${name}\n` : '';
  return `${title}${name}\n${setup}    Body    ${name}\n${teardown}`;
}
