import type { MergeMethod } from '../../domain/code-host.port';
import type { HostUnderTest } from './host-under-test';
import type { Later } from './host-world';

/** The functions of the test runner: the globals of jest or, for example, node:test with the package `expect`. */
export interface ContractRunner {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly it: (name: string, body: () => Promise<void>) => unknown;
  readonly beforeEach: (body: () => Promise<void>) => unknown;
  readonly afterEach: (body: () => Later<void>) => unknown;
  readonly expect: ContractExpect;
}

interface ContractExpect {
  (actual: unknown): ContractMatchers & { readonly not: ContractMatchers; readonly rejects: ContractMatchers };
  stringContaining(text: string): unknown;
  readonly not: { stringContaining(text: string): unknown };
}

/** Methods instead of function properties, because matchers of a runner accept narrower types than `unknown`. */
interface ContractMatchers {
  toBe(expected: unknown): unknown;
  toBeInstanceOf(expected: unknown): unknown;
  toBeNull(): unknown;
  toContain(expected: unknown): unknown;
  toEqual(expected: unknown): unknown;
  toHaveLength(expected: number): unknown;
  toMatch(expected: string | RegExp): unknown;
  toMatchObject(expected: object): unknown;
}

/** The functions with which the parts of the contract are written. Every test gets a host in its own world. */
export interface ContractSuite {
  readonly describe: (name: string, body: () => void) => void;
  readonly describeEach: (methods: readonly MergeMethod[], what: string, body: (method: MergeMethod) => void) => void;
  readonly it: (name: string, body: (tested: HostUnderTest) => Promise<void>) => void;
  readonly itEach: (
    names: readonly string[],
    what: string,
    body: (tested: HostUnderTest, name: string) => Promise<void>,
  ) => void;
  readonly expect: ContractExpect;
}

/** The suite for a runner. `current` returns the host of the current test. */
export function suiteOf({ describe, it, expect }: ContractRunner, current: () => HostUnderTest): ContractSuite {
  return {
    expect,
    describe: (name, body) => void describe(name, body),
    describeEach: (methods, what, body) => {
      for (const method of methods) describe(`${what} ${method}`, () => body(method));
    },
    it: (name, body) => void it(name, () => body(current())),
    itEach: (names, what, body) => {
      for (const name of names) it(`${what} ${JSON.stringify(name)}`, () => body(current(), name));
    },
  };
}
