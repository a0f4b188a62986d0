import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Schema } from './contract-file';
import { isObject, referencesIn, toJsonSchema } from './json-schema';

export type Json = Record<string, unknown>;

export interface Description {
  readonly document: Json;
  /** The package with the description, and its version. */
  readonly source: string;
}

const FIXTURES = join(__dirname, '..', '..', 'fixtures', 'github');

/** Reads a file of one of GitHub's description packages. The package may be unpacked in any folder. */
export function readDescription(file: string | undefined): Description {
  if (file === undefined) throw new Error('Which file? Name generated/api.github.com.json of the unpacked package.');
  const { name, version } = JSON.parse(readFileSync(join(dirname(file), '..', 'package.json'), 'utf8')) as Json;
  return {
    document: JSON.parse(readFileSync(file, 'utf8')) as Json,
    source: `${String(name)} ${String(version)}`,
  };
}

/** Schemas by name, including all schemas to which they refer. */
export function schemasOf(document: Json, names: readonly string[]): Record<string, Schema> {
  const all = (document.components as { schemas: Record<string, unknown> }).schemas;
  const found = new Map<string, Schema>();
  const open = [...names];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue;
    const schema = toJsonSchema(all[name]);
    found.set(name, schema);
    open.push(...referencesIn(schema));
  }
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function resolve(document: Json, described: Json): Json {
  if (typeof described.$ref !== 'string') return described;
  const found = described.$ref
    .slice(2)
    .split('/')
    .reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), document);
  return resolve(document, found as Json);
}

/** The text of a fixture with one line per item, so that the difference to a newer description is readable. */
export function writeFixture(name: string, content: object): string {
  const fields = Object.entries(content).map(([key, value]) => `  ${JSON.stringify(key)}: ${linesOf(value)}`);
  const text = `{\n${fields.join(',\n')}\n}\n`;
  writeFileSync(join(FIXTURES, name), text);
  return `${name}: ${text.length} bytes\n`;
}

function linesOf(value: unknown): string {
  if (Array.isArray(value)) return `[\n${value.map((one) => `    ${JSON.stringify(one)}`).join(',\n')}\n  ]`;
  if (!isObject(value)) return JSON.stringify(value);
  const lines = Object.entries(value).map(([key, one]) => `    ${JSON.stringify(key)}: ${JSON.stringify(one)}`);
  return `{\n${lines.join(',\n')}\n  }`;
}
