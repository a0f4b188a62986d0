import { type Document, isScalar, LineCounter, parseDocument, visit } from 'yaml';

/** A configuration file has a few lines. A larger one costs time that nobody gains. */
const MOST_KIB = 64;

export type ParsedYaml =
  | { readonly type: 'parsed'; readonly value: unknown }
  /** A part of a sentence: `The file ${problem}.` */
  | { readonly type: 'problem'; readonly problem: string };

/** Reads YAML that anybody may have written, in a time that its size bounds. */
export function parseYaml(text: string): ParsedYaml {
  if (Buffer.byteLength(text) > MOST_KIB * 1024) return problem(`is larger than ${MOST_KIB} KiB`);
  const { stackTraceLimit } = Error;
  // The package makes an Error for every wrong character, and their stacks would take most of the time.
  Error.stackTraceLimit = 0;
  try {
    return parseShort(text);
  } catch (error) {
    // Too many aliases, or nested so deep that the stack overflows.
    return problem(`is not valid YAML: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function parseShort(text: string): ParsedYaml {
  const lines = new LineCounter();
  // Off is what takes quadratic time: to compare all keys, and to quote the file with every error.
  const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false, lineCounter: lines });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line, col } = lines.linePos(error.pos[0]);
    return problem(`is not valid YAML: ${error.message} at line ${line}, column ${col}`);
  }
  const twice = keyGivenTwice(document);
  if (twice !== undefined) return problem(`is not valid YAML: the key ${JSON.stringify(twice)} is there twice`);
  return { type: 'parsed', value: document.toJS() as unknown };
}

function keyGivenTwice(document: Document): string | undefined {
  let twice: string | undefined;
  visit(document, {
    Map: (_, map) => {
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        const value: unknown = isScalar(key) ? key.value : key;
        if (seen.has(value)) twice = String(value);
        seen.add(value);
      }
      return twice === undefined ? undefined : visit.BREAK;
    },
  });
  return twice;
}

function problem(text: string): ParsedYaml {
  return { type: 'problem', problem: text };
}
