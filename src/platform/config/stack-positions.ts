import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAP_COMMENT = /^\/\/# sourceMappingURL=(\S+)\s*$/gm;
const DATA_URL = /^data:application\/json[^,]*;base64,/;

/** The folder of the compiled service, which may be installed in a node_modules. */
const OWN = resolve(__dirname, '../..') + sep;
const OF_A_PACKAGE = join(sep, 'node_modules', sep);

/** `null`: the file has no readable source map. */
type FoundMap = SourceMap | null;

/**
 * Makes stack traces name positions in the TypeScript sources. `process.setSourceMapsEnabled` would do so as well, but
 * it reads the source map of every loaded file, also of packages, and keeps them in memory: 7 MiB of heap. This
 * function reads the map of a file when a stack trace first names the file. Positions in packages stay as they are.
 */
export function readSourceMapsLazily(): void {
  const maps = new Map<string, FoundMap>();
  const mapOf = (file: string): FoundMap => {
    const known = maps.get(file);
    if (known !== undefined) return known;
    const found = readMap(file);
    maps.set(file, found);
    return found;
  };
  Error.prepareStackTrace = (error, frames) =>
    [headOf(error), ...frames.map((frame) => `    at ${positioned(frame, mapOf)}`)].join('\n');
}

/** Node gives its own errors a code in the first line of their stack. */
function headOf(error: Error & { readonly code?: unknown }): string {
  try {
    const { name, code, message } = error;
    if (typeof code === 'string' && code.startsWith('ERR_')) return `${name} [${code}]: ${message}`;
    return Error.prototype.toString.call(error);
  } catch {
    return '<error>';
  }
}

/** An error while an error is described must not hide the first one. */
function positioned(frame: NodeJS.CallSite & { toString(): string }, mapOf: (file: string) => FoundMap): string {
  const text = frame.toString();
  try {
    return withPosition(text, frame, mapOf);
  } catch {
    return text;
  }
}

function withPosition(text: string, frame: NodeJS.CallSite, mapOf: (file: string) => FoundMap): string {
  const [name, line, column] = [frame.getFileName(), frame.getLineNumber(), frame.getColumnNumber()];
  const file = name?.startsWith('file:') ? fileURLToPath(name) : name;
  if (!file || line === null || column === null || !isMapped(file)) return text;
  const entry = mapOf(file)?.findEntry(line - 1, column - 1);
  if (entry === undefined || !('originalSource' in entry)) return text;
  const source = resolve(dirname(file), entry.originalSource);
  const position = `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  return text.replace(`${name}:${line}:${column}`, () => position);
}

function isMapped(file: string): boolean {
  return file.startsWith(OWN) || (file.startsWith(sep) && !file.includes(OF_A_PACKAGE));
}

function readMap(file: string): FoundMap {
  try {
    const url = [...readFileSync(file, 'utf8').matchAll(MAP_COMMENT)].at(-1)?.[1];
    if (url === undefined) return null;
    const text = DATA_URL.test(url)
      ? Buffer.from(url.replace(DATA_URL, ''), 'base64').toString()
      : readFileSync(resolve(dirname(file), url), 'utf8');
    return new SourceMap(JSON.parse(text) as SourceMapPayload);
  } catch {
    return null;
  }
}
