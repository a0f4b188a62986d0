import { type Document, isNode, isScalar, LineCounter, type Node, parseDocument, visit } from 'yaml';

/** A configuration file has a few lines. A larger file would only cost time. */
const MOST_KIB = 64;
export const MOST_YAML_BYTES = MOST_KIB * 1024;

export type ParsedYaml =
  | {
      readonly type: 'parsed';
      readonly value: unknown;
      /**
       * The line of the node at this path of keys, or of the nearest existing node on the path; the first line is 1.
       */
      lineOf(...path: readonly string[]): number;
    }
  /** Part of a sentence: `The file ${problem}.` */
  | { readonly type: 'problem'; readonly problem: string };

const LONGEST_KEY = 80;

/** Other modules return it for a file that is too large to be read at all. */
export const TOO_LARGE_YAML = problem(`is larger than ${MOST_KIB} KiB`);

/** Reads untrusted YAML, in a time that is bounded by its size. */
export function parseYaml(text: string): ParsedYaml {
  if (Buffer.byteLength(text) > MOST_YAML_BYTES) return TOO_LARGE_YAML;
  const { stackTraceLimit } = Error;
  // The package makes an Error for every wrong character. The stacks of these errors would take most of the time.
  Error.stackTraceLimit = 0;
  try {
    return parseShort(text);
  } catch (error) {
    // The document has too many aliases, or is nested so deep that the stack overflows.
    return problem(`is not valid YAML: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function parseShort(text: string): ParsedYaml {
  const lines = new LineCounter();
  // Turns off the two options that take quadratic time: comparing all keys, and quoting the file with every error.
  const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false, lineCounter: lines });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line, col } = lines.linePos(error.pos[0]);
    return problem(`is not valid YAML: ${error.message} at line ${line}, column ${col}`);
  }
  const twice = keyGivenTwice(document);
  if (twice !== undefined) {
    const line = lineOfNode(lines, twice);
    return problem(`is not valid YAML: the key ${shown(twice)} is there twice, again at line ${line}`);
  }
  return {
    type: 'parsed',
    value: document.toJS() as unknown,
    lineOf: (...path) => lineOfNode(lines, nodeAt(document, path)),
  };
}

/** The second of two equal keys. */
function keyGivenTwice(document: Document): unknown {
  let twice: unknown;
  visit(document, {
    Map: (_, map) => {
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        const value: unknown = isScalar(key) ? key.value : key;
        if (seen.has(value)) twice ??= key;
        seen.add(value);
      }
      return twice === undefined ? undefined : visit.BREAK;
    },
  });
  return twice;
}

/** The node at the path, or the deepest existing node on the path. */
function nodeAt(document: Document, path: readonly string[]): unknown {
  const nodes = path.map((_, i) => document.getIn(path.slice(0, i + 1), true));
  return nodes.findLast((node) => isNode(node)) ?? document.contents;
}

function lineOfNode(lines: LineCounter, node: unknown): number {
  const range = isNode(node) ? (node as Node).range : null;
  return range ? lines.linePos(range[0]).line : 1;
}

function shown(key: unknown): string {
  const text = JSON.stringify(String(isScalar(key) ? key.value : key));
  return text.length > LONGEST_KEY ? `${text.slice(0, LONGEST_KEY)}…` : text;
}

function problem(text: string): Extract<ParsedYaml, { type: 'problem' }> {
  return { type: 'problem', problem: text };
}
