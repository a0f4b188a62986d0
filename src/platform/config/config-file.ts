import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { ConfigError } from './config';
import type { Environment } from './environment';
import { extensionVariable } from './extension-variable';
import type { FileEntry, FileSettings } from './file-settings';
import { closestTo } from './spelling';
import { FILE_SETTINGS, type FileSetting } from './settings-table';
import { isMapping } from '../mapping';

export const CONFIG_FILE = 'sluice.config.yaml';
/** The key of extension settings: `ext.acme.retryLimit` stands for SLUICE_EXT_ACME_RETRY_LIMIT. */
const EXTENSIONS = 'ext';
const REFERENCE = 'docs/configuration.md';

/**
 * Reads the file that SLUICE_CONFIG names, or else sluice.config.yaml in `folder`. Undefined: no file. Throws a
 * ConfigError with the line of the first unknown key or wrong type. Error messages contain no values of settings. With
 * `keys`, a file that contains none of these words outside comments counts as absent, so that a command with few
 * settings does not load the YAML package.
 */
export function readConfigFile(
  { SLUICE_CONFIG: named }: Environment,
  folder: string,
  keys?: readonly string[],
): FileSettings | undefined {
  const path = named ? resolve(folder, named) : join(folder, CONFIG_FILE);
  const text = textOf(path, named);
  if (text === undefined || (keys && !mentions(text, keys))) return undefined;
  const inside = relative(folder, path);
  const shown = inside.startsWith('..') ? path : inside;
  const document = parse(text, shown);
  const entries = Object.entries(mappingIn(document.value, shown)).flatMap(([key, value]) =>
    key === EXTENSIONS ? extensionEntries(value, document) : [entryOf(key, value, document)],
  );
  const given = entries.filter(({ value }) => value !== null);
  return {
    ...{ path, shown, isNamed: Boolean(named) },
    values: Object.fromEntries(given.map(({ variable, value }) => [variable, value])) as Record<string, string>,
    places: Object.fromEntries(given.map(({ variable, key, line }) => [variable, { key, line }])),
    secrets: secretsIn(given),
  };
}

interface FileDocument {
  readonly shown: string;
  readonly value: unknown;
  lineOf(...path: readonly string[]): number;
}

function textOf(path: string, named: string | undefined): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    if (!named && code === 'ENOENT') return undefined;
    const subject = named ? `SLUICE_CONFIG is ${JSON.stringify(named)}, which` : path;
    throw new ConfigError(`${subject} cannot be read (${code}).`);
  }
}

function mentions(text: string, words: readonly string[]): boolean {
  const withoutComments = text.replace(/^\s*#.*$/gm, '');
  // eslint-disable-next-line no-restricted-syntax -- The words are names of our settings.
  return new RegExp(`\\b(${words.join('|')})\\b`).test(withoutComments);
}

function parse(text: string, shown: string): FileDocument {
  // Only processes with a file load the YAML package.
  const { parseYaml } = require('../yaml') as typeof import('../yaml');
  const parsed = parseYaml(text);
  if (parsed.type === 'problem') throw new ConfigError(`${shown} ${parsed.problem}.`);
  return { shown, value: parsed.value, lineOf: (...path) => parsed.lineOf(...path) };
}

function mappingIn(value: unknown, shown: string): Readonly<Record<string, unknown>> {
  if (value === null || value === undefined) return {};
  if (isMapping(value)) return value;
  throw new ConfigError(`${shown}:1: the file must contain settings, one per line, such as "port: 3000".`);
}

function entryOf(key: string, value: unknown, document: FileDocument): FileEntry {
  const line = document.lineOf(key);
  const setting = FILE_SETTINGS.get(key);
  if (setting === undefined) throw unknownKey(key, line, document.shown);
  const text = textFrom(value, setting);
  if (text !== undefined) return { variable: setting.variable, key, line, value: text };
  throw new ConfigError(`${document.shown}:${line}: ${key} must be ${ALLOWED[setting.kind]}.`);
}

function unknownKey(key: string, line: number, shown: string): ConfigError {
  const place = `${shown}:${line}:`;
  if (key === 'token')
    return new ConfigError(`${place} token must not be in this file. Give tokenFile, or set SLUICE_TOKEN.`);
  const keys = [...FILE_SETTINGS.keys(), EXTENSIONS];
  const similar = closestTo(key, keys);
  const hint = similar === undefined ? `${REFERENCE} lists the keys.` : `Did you mean ${JSON.stringify(similar)}?`;
  const basic = keys.filter((one) => !one.endsWith('File') || one === 'tokenFile').sort();
  return new ConfigError(
    `${place} ${JSON.stringify(key)} is not a setting. ${hint}\nSettings: ${basic.join(', ')}. A key that ends with File names a file with the value.`,
  );
}

const ALLOWED: Readonly<Record<FileSetting['kind'], string>> = {
  text: 'text; put a number or true between quotes',
  word: 'a word',
  number: 'a whole number',
  list: 'text, or a list of texts',
  hosts: 'the path of a JSON file, or a list of code hosts',
};

/** Null: no value. Undefined: the type is wrong. */
function textFrom(value: unknown, { kind }: FileSetting): string | null | undefined {
  if (value === null) return null;
  if (typeof value === 'string') return value;
  switch (kind) {
    case 'text':
      return undefined;
    case 'word':
      return typeof value === 'boolean' ? String(value) : undefined;
    case 'number':
      return typeof value === 'number' ? String(value) : undefined;
    case 'list':
      return isListOfTexts(value) ? value.join(',') : undefined;
    case 'hosts':
      return Array.isArray(value) ? JSON.stringify(value) : undefined;
  }
}

function extensionEntries(value: unknown, document: FileDocument): FileEntry[] {
  const wrong = (...path: readonly string[]) =>
    new ConfigError(
      `${document.shown}:${document.lineOf(EXTENSIONS, ...path)}: ${[EXTENSIONS, ...path].join('.')} must hold settings of extensions, such as "acme: { retryLimit: 3 }".`,
    );
  if (value === null) return [];
  if (!isMapping(value)) throw wrong();
  return Object.entries(value).flatMap(([extension, settings]) => {
    if (!isMapping(settings)) throw wrong(extension);
    return Object.entries(settings).map(([name, one]): FileEntry => {
      if (!isScalar(one)) throw wrong(extension, name);
      const line = document.lineOf(EXTENSIONS, extension, name);
      const key = [EXTENSIONS, extension, name].join('.');
      return {
        variable: extensionVariable(extension, name),
        key,
        line,
        value: one === null ? null : String(one),
      };
    });
  });
}

function isScalar(value: unknown): value is string | number | boolean | null {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function isListOfTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

/** Names of settings that hold a secret. A name with `File` at its end, such as `tokenFile`, holds a path instead. */
const SECRET = /(token|secret|password|key)$/i;

/** The keys whose values other users of the machine must not read. */
function secretsIn(entries: readonly FileEntry[]): readonly string[] {
  return entries.filter(({ variable, key, value }) => isSecret(variable, key, value ?? '')).map(({ key }) => key);
}

function isSecret(variable: string, key: string, value: string): boolean {
  if (variable === 'SLUICE_HOSTS') return hasSecretHost(value);
  return SECRET.test(key) || (URL.canParse(value) && new URL(value).password !== '');
}

/** `hosts`: JSON, or the path of a file. */
function hasSecretHost(hosts: string): boolean {
  return hosts.startsWith('[') && /"[^"]*(?:token|secret|password|key)"\s*:/i.test(hosts);
}
