import { inspect, isDeepStrictEqual } from 'node:util';
import type { ContractRunner } from '../../../testing/code-host-contract';

/** The adapter's answer differs from the contract. */
export class Differs extends Error {
  override readonly name = 'Differs';
}

/** Stands for every text that contains `part`, or for every text that does not. */
class TextThat {
  constructor(
    readonly part: string,
    readonly isIn: boolean,
  ) {}

  fits(value: unknown): boolean {
    return typeof value === 'string' && value.includes(this.part) === this.isIn;
  }

  [inspect.custom](): string {
    return `a text ${this.isIn ? 'with' : 'without'} ${JSON.stringify(this.part)}`;
  }
}

type Check = (actual: unknown, expected: unknown) => boolean;

/** A field that is undefined counts as absent. */
const equals: Check = (actual, expected) => fits(actual, expected, true);
/** Additional fields are allowed. */
const matches: Check = (actual, expected) => fits(actual, expected, false);

function fits(actual: unknown, expected: unknown, isWhole: boolean): boolean {
  if (expected instanceof TextThat) return expected.fits(actual);
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return false;
    return expected.every((one, index) => fits(actual[index], one, isWhole));
  }
  if (!isPlain(expected)) return isDeepStrictEqual(actual, expected);
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual)) return false;
  const names = isWhole ? [...Object.keys(expected), ...Object.keys(actual)] : Object.keys(expected);
  const fieldOf = (value: object, name: string): unknown => (value as Record<string, unknown>)[name];
  return names.every(
    (name) => (isWhole || name in actual) && fits(fieldOf(actual, name), fieldOf(expected, name), isWhole),
  );
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value) as unknown;
  return prototype === Object.prototype || prototype === null;
}

const CHECKS = {
  toBe: (actual: unknown, expected: unknown) => Object.is(actual, expected),
  toBeInstanceOf: (actual: unknown, expected: unknown) => typeof expected === 'function' && actual instanceof expected,
  toBeNull: (actual: unknown) => actual === null,
  toContain: (actual: unknown, expected: unknown) =>
    typeof actual === 'string' ? actual.includes(String(expected)) : [...(actual as unknown[])].includes(expected),
  toEqual: equals,
  toHaveLength: (actual: unknown, expected: unknown) => (actual as { length?: unknown })?.length === expected,
  toMatch: (actual: unknown, expected: unknown) =>
    typeof actual === 'string' &&
    (expected instanceof RegExp ? expected.test(actual) : actual.includes(String(expected))),
  toMatchObject: matches,
} as const;

type CheckName = keyof typeof CHECKS;
type Matchers = Record<CheckName, (expected?: unknown) => undefined>;
type LaterMatchers = Record<CheckName, (expected?: unknown) => Promise<void>>;

function matchersOf(actual: unknown, isNegated: boolean): Matchers {
  const names = Object.keys(CHECKS) as CheckName[];
  const made = names.map((name) => {
    const check = (expected?: unknown): undefined => {
      const isAsExpected = CHECKS[name](actual, expected) !== isNegated;
      if (!isAsExpected) throw new Differs(wordsOf(name, actual, expected, isNegated));
    };
    return [name, check] as const;
  });
  return Object.fromEntries(made) as Matchers;
}

function wordsOf(name: CheckName, actual: unknown, expected: unknown, isNegated: boolean): string {
  const relation =
    { toMatchObject: 'what has', toHaveLength: 'the length', toContain: 'what contains' }[name as string] ?? '';
  const wanted = name === 'toBeNull' ? 'null' : shown(expected);
  const said = name === 'toHaveLength' ? (actual as { length?: unknown })?.length : actual;
  return `expected ${isNegated ? 'not ' : ''}${relation === '' ? '' : `${relation} `}${wanted}, got ${shown(said)}`;
}

function shown(value: unknown): string {
  return inspect(value, { depth: 6, breakLength: 120, maxArrayLength: 60, maxStringLength: 2_000 });
}

/** The matchers for the error of a rejected promise. */
function rejectionOf(actual: unknown): LaterMatchers {
  const names = Object.keys(CHECKS) as CheckName[];
  const made = names.map((name) => {
    const check = async (expected?: unknown): Promise<void> => {
      const thrown = await Promise.resolve(actual).then(
        (value) => {
          throw new Differs(`expected a failure, got ${shown(value)}`);
        },
        (error: unknown) => error,
      );
      if (thrown instanceof Differs) throw thrown;
      matchersOf(thrown, false)[name](expected);
    };
    return [name, check] as const;
  });
  return Object.fromEntries(made) as LaterMatchers;
}

/** The part of jest's `expect` that the contract of code hosts uses. */
export const expectations = Object.assign(
  (actual: unknown) => ({
    ...matchersOf(actual, false),
    not: matchersOf(actual, true),
    rejects: rejectionOf(actual),
  }),
  {
    stringContaining: (part: string): unknown => new TextThat(part, true),
    not: { stringContaining: (part: string): unknown => new TextThat(part, false) },
  },
) satisfies ContractRunner['expect'];
