import type { Attributes } from '../bounded-xml';
import { isOutsideMethod } from './java-stacks';
import type { Runner } from './runner-of';

/** The failure of a hook that the report attributes to a test. */
export interface FailedHook {
  /** The name of the hook in the runner's words, such as `setup of test_a`. */
  readonly name: string;
  /** The result of the test itself; `unknown`: the test may not have been run. */
  readonly test: 'passed' | 'failed' | 'unknown';
}

interface Failure {
  readonly attributes: Attributes;
  readonly text: string;
}

/** A line of a code frame: the mark `>` of the failed line, and the code after the line number. */
const FRAME_LINE = /^\s*(>?)\s*\d+ \|(.*)$/;
const PYTHON_HOOK = /^(?:setUp|tearDown|asyncSetUp|asyncTearDown|setup_method|teardown_method)$/;
const RUBY_HOOK = /^(?:before_|after_)?(?:setup|teardown)$/;
const NODE_HOOK = /^failed running (\w+ )hook$/;
const JS_HOOK = /\b(?:before|after)(?:All|Each)\s*\(/;
const JS_TEST = /\b(?:test|it)(?:\.(?!before|after|describe)\w+)*\s*\(/;

/**
 * Recognizes hook failures that reports attribute to tests, by runner. Each row comes from a report of that runner: see
 * test/fixtures/runners. If a failure may come from a hook or from its test, it counts as the hook's, because failures
 * of hooks are never ignored.
 */
const HOOKS: Partial<Record<Runner, (failure: Failure, testCase: Attributes) => FailedHook | null>> = {
  pytest: ({ attributes: { message = '' }, text }, { name = '' }) => {
    const [, hook] = /^failed on (setup|teardown) with "/.exec(message) ?? [];
    if (hook !== undefined) return { name: `${hook} of ${name}`, test: hook === 'teardown' ? 'passed' : 'unknown' };
    // The outermost frame has the name of the hook: `def setUp(self):`, or with --tb=short `test_a.py:20: in setUp`.
    const [, written, short] = /^>? *def (\w+)\(|^\S+:\d+: in (\w+)$/m.exec(text) ?? [];
    const method = written ?? short ?? '';
    return PYTHON_HOOK.test(method) ? { name: `${method} of ${name}`, test: 'unknown' } : null;
  },
  robot: ({ attributes: { message = '' } }, { name = '' }) => {
    if (/^Parent suite (setup|teardown) failed:/.test(message)) {
      const isTeardown = message.startsWith('Parent suite teardown');
      return { name: `suite ${isTeardown ? 'teardown' : 'setup'}`, test: isTeardown ? 'passed' : 'unknown' };
    }
    if (message.startsWith('Setup failed:')) return { name: `setup of ${name}`, test: 'unknown' };
    if (message.startsWith('Teardown failed:')) return { name: `teardown of ${name}`, test: 'passed' };
    if (/\n\nAlso parent suite teardown failed:\n/.test(message)) return { name: 'suite teardown', test: 'failed' };
    return /\n\nAlso teardown failed:\n/.test(message) ? { name: `teardown of ${name}`, test: 'failed' } : null;
  },
  bats: ({ text }, { name = '' }) => {
    const [, hook] = /^[( ]from function `(setup|teardown|setup_file|teardown_file)' in /m.exec(text) ?? [];
    return hook === undefined ? null : { name: `${hook} of ${name}`, test: 'unknown' };
  },
  minitest: ({ text }, { name = '' }) => {
    const frames = [...text.matchAll(/:\d+:in [`'](?:[\w:]+#)?(\w+)'$/gm)].map(([, method]) => method!);
    const hook = frames.includes(name) ? undefined : frames.find((method) => RUBY_HOOK.test(method));
    return hook === undefined ? null : { name: `${hook} of ${name}`, test: 'unknown' };
  },
  jest: ({ text }, { name = '' }) =>
    /^\s+at _callCircusHook \(/m.test(text) || /\bExceeded timeout of \d+ ms for a hook\b/.test(text)
      ? { name: `hook of ${name.trim()}`, test: 'unknown' }
      : null,
  vitest: ({ attributes: { message = '' } }, { name = '' }) =>
    /^Hook timed out in \d+ms\b/.test(message) ? { name: `hook of ${name}`, test: 'unknown' } : null,
  playwright: ({ attributes: { message = '' }, text }, { name = '' }) => {
    const [, hook] = /^"((?:before|after)(?:All|Each))" hook timeout\b/.exec(message) ?? [];
    if (hook !== undefined) return { name: `${hook} hook of ${name}`, test: 'unknown' };
    return isFrameOfHook(text) || isAboveTest(text) ? { name: `hook of ${name}`, test: 'unknown' } : null;
  },
  rspec: ({ attributes: { type }, text }, { name = '', time }) => {
    // The example and a hook after it failed, and the text of the failure is empty.
    if (type === 'RSpec::Core::MultipleExceptionError') return { name: `after hook of ${name}`, test: 'failed' };
    const [, hook] = /^Failure\/Error: (before|after|around)(?:\(|\s*\{|\s+do\b|\s+:)/.exec(text) ?? [];
    if (hook !== undefined) return { name: `${hook} hook of ${name}`, test: 'unknown' };
    // An example whose before(:context) failed is not run: its reported time is some millionths of a second.
    return Number(time) < 0.000_02 ? { name: `hook of ${name}`, test: 'unknown' } : null;
  },
  'phpunit-9': ({ text }, { name = '', time, classname = '', file = '', line = '' }) => {
    if (/^(?:setUpBeforeClass|tearDownAfterClass)$/.test(name))
      return { name: `${name} of ${classname}`, test: 'unknown' };
    // PHPUnit reports the failure of setUpBeforeClass at the first test of the class, which was not run.
    if (time === '0.000000') return { name: `setUpBeforeClass of ${classname}`, test: 'unknown' };
    const own = text.split('\n').filter((frame) => frame.startsWith(`${file}:`));
    const outermost = own.at(-1)?.slice(file.length + 1) ?? '';
    return Number(outermost) < Number(line) && outermost !== '' ? { name: `hook of ${name}`, test: 'unknown' } : null;
  },
  surefire: ({ text }, { name = '' }) =>
    /^\s+at org\.testng\..*ConfigInvoker\./m.test(text) || isOutsideMethod(text, name)
      ? { name: `hook of ${name}`, test: 'unknown' }
      : null,
  other: ({ attributes: { message = '', type }, text }, { name = '' }) => {
    // node --test 20.
    if (type === 'hookFailed') return { name: `${NODE_HOOK.exec(message)?.[1] ?? ''}hook of ${name}`, test: 'unknown' };
    // Gradle and JUnit's own launcher: a name with brackets is a method, any other name is a display name.
    const isOutside = name.includes('(') && isOutsideMethod(text, name);
    return isOutside ? { name: `hook of ${name}`, test: 'unknown' } : null;
  },
};

/** The first hook failure among the failures of a test case. */
export function failedHookOf(runner: Runner, failures: readonly Failure[], testCase: Attributes): FailedHook | null {
  const rule = HOOKS[runner];
  if (rule === undefined) return null;
  for (const failure of failures) {
    const hook = rule(failure, testCase);
    if (hook !== null) return hook;
  }
  return null;
}

/**
 * Whether the marked line of a code frame is inside a hook. False if the frame does not show the beginning of the hook.
 */
function isFrameOfHook(text: string): boolean {
  const lines = text.split('\n').map((line) => FRAME_LINE.exec(line));
  return lines.some((line, at) => line?.[1] === '>' && pointsIntoHook(lines.slice(0, at + 1)));
}

function pointsIntoHook(frame: readonly (RegExpExecArray | null)[]): boolean {
  for (const line of frame.toReversed()) {
    const code = line?.[2];
    if (code === undefined) return false;
    if (JS_HOOK.test(code)) return true;
    if (JS_TEST.test(code)) return false;
  }
  return false;
}

const STACK_LINE = /^\s+at (?:.*[(/\\])?([^()\s]+):(\d+):\d+\)?$/;

/** Whether the outermost line of a stack is above the test in the test's file: `  a.spec.js:5:3 › cart › adds`. */
function isAboveTest(text: string): boolean {
  const [, file, line] = /^\s*(?:\[[^\]]*\] › )?(\S+?):(\d+):\d+ › /.exec(text) ?? [];
  if (file === undefined) return false;
  const nameOf = (path: string): string => path.split(/[/\\]/).at(-1)!;
  return stacksIn(text).some((stack) => {
    const outermost = stack.findLast(([, own]) => nameOf(own!) === nameOf(file));
    return outermost !== undefined && Number(outermost[2]) < Number(line);
  });
}

/** The stacks of several failures: the lines of each are consecutive. */
function stacksIn(text: string): readonly (readonly RegExpExecArray[])[] {
  const stacks: RegExpExecArray[][] = [[]];
  for (const line of text.split('\n')) {
    const match = STACK_LINE.exec(line);
    if (match !== null) stacks.at(-1)!.push(match);
    else if (stacks.at(-1)!.length > 0) stacks.push([]);
  }
  return stacks;
}
