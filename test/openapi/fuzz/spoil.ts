import type { Dice } from '../../simulation/oracle/random';
import { oneOf } from './draw-value';

/** A placeholder for `n` nested lists, because JSON.stringify cannot write so deep a nesting. */
const NESTED = /"@nested:(\d+)"/g;

/**
 * Values that break programs: limits of numbers, texts that databases do not store, and names that every object has.
 */
const VALUES: readonly unknown[] = [
  ...[null, true, false, 0, -0, -1, 1.5, 1e308, -1e-308, 2 ** 31, 2 ** 32, 2 ** 53, 2 ** 63],
  ...[
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    '\udfff\ud800',
    '\u202e',
    '𝒳'.repeat(300),
    'x'.repeat(5_000),
    '../../etc/passwd',
  ],
  ...['-x', '--help', "'; DROP TABLE x; --", '{{7*7}}', '${jndi:x}', '%00', '1e5', 'NaN', '٣', '0x10', '999999999999'],
  ...['__proto__', 'constructor', 'null', 'undefined', '[object Object]', 'refs/heads/main', 'HEAD', '@{-1}', 'a..b'],
  ...[[], {}, [[]], [null], [{}], [[[[]]]], Array(300).fill('x'), Array(300).fill({}), [1, 'a', null, {}]],
  ...[{ constructor: 1 }, { constructor: null }, { constructor: { prototype: { x: 1 } } }, { prototype: 1 }],
  ...[{ then: 1 }, { toString: 1 }, { valueOf: 'x' }, { toJSON: {} }, { hasOwnProperty: 1 }, { length: 1e9 }, { 0: 1 }],
  ...[
    JSON.parse('{"__proto__":{"admin":true}}') as unknown,
    JSON.parse('{"__proto__":[]}') as unknown,
    { 100000000: 1 },
    { '': '' },
  ],
  ...['@nested:10', '@nested:62', '@nested:63', '@nested:64', '@nested:65', '@nested:1500', '@nested:20000'],
];
const NAMES = [
  'constructor',
  '__proto__',
  'prototype',
  'then',
  'toString',
  'length',
  '',
  '\0',
  '0',
  'x'.repeat(300),
  'extra',
];
const BYTES = [
  '\ufeff',
  '\0',
  '{',
  '}',
  '[',
  ']',
  '"',
  ',',
  ':',
  '\\',
  '\\u',
  '\\ud800',
  'NaN',
  '-',
  '1e999',
  '/*',
  "'",
];

/** Changes one thing at a random place in the value. */
export function spoilValue(value: unknown, dice: Dice): unknown {
  if (typeof value !== 'object' || value === null || dice.happens(0.15)) return spoiled(value, dice);
  if (Array.isArray(value)) {
    if (value.length === 0) return [hostile(dice)];
    const at = dice.below(value.length);
    return value.map((one: unknown, index) => (index === at ? spoilValue(one, dice) : one));
  }
  const entries = Object.entries(value);
  if (entries.length === 0 || dice.happens(0.1)) return withEntry(entries, oneOf(NAMES, dice), hostile(dice));
  const at = dice.below(entries.length);
  if (dice.happens(0.1)) return Object.fromEntries(entries.filter((_, index) => index !== at));
  return Object.fromEntries(entries.map(([name, own], i) => [name, i === at ? spoilValue(own, dice) : own]));
}

/** Changes the text of a body in ways that no program writes. */
export function spoilText(text: string, dice: Dice): string {
  const at = dice.below(text.length + 1);
  const rest = dice.happens(0.3) ? '' : text.slice(at + dice.below(3));
  return text.slice(0, at) + oneOf(BYTES, dice) + rest;
}

/** Writes the value like JSON.stringify, but replaces the placeholders by their nested lists. */
export function textOf(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.replace(NESTED, (_, levels: string) => '['.repeat(Number(levels)) + ']'.repeat(Number(levels)));
}

function spoiled(value: unknown, dice: Dice): unknown {
  if (dice.happens(0.1)) return [value];
  if (dice.happens(0.1)) return { value };
  if (typeof value === 'string' && dice.happens(0.4)) return spoilText(value, dice);
  return hostile(dice);
}

function hostile(dice: Dice): unknown {
  return oneOf(VALUES, dice);
}

/** Adds an entry to an object. The name may also be `__proto__`, which an object literal would not take as a field. */
function withEntry(entries: readonly (readonly [string, unknown])[], name: string, value: unknown): object {
  return Object.fromEntries([...entries, [name, value]]);
}
