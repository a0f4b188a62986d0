import { cutTo, MAX_ATTRIBUTE_CHARACTERS } from '../limits';
import { replaceUnstorableCharacters } from '../xml-characters';

/** A line of `go test -json`. Absent texts are empty. */
export interface GoEvent {
  /** run, pass, fail, skip, bench, output, start, pause, cont, attr, build-output, build-fail, … */
  readonly action: string;
  readonly package: string;
  readonly test: string;
  readonly output: string;
  /** frame, error or error-continue; only Go 1.26 and later write it. */
  readonly outputType: string;
  readonly time: string;
  readonly elapsedSeconds: number | null;
  readonly importPath: string;
  readonly failedBuild: string;
}

/** `unknown`: JSON that is no event, such as direct output of a test binary. */
export function goEvent(line: string): GoEvent | 'unknown' | 'malformed' {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    return 'malformed';
  }
  const fields = parsed as Readonly<Record<string, unknown>>;
  const text = (name: string): string => {
    const value = fields[name];
    return typeof value === 'string' ? cutTo(MAX_ATTRIBUTE_CHARACTERS, replaceUnstorableCharacters(value)) : '';
  };
  const action = text('Action');
  if (action === '') return 'unknown';
  const { Elapsed: elapsed } = fields;
  return {
    action,
    package: text('Package'),
    test: text('Test'),
    output: text('Output'),
    outputType: text('OutputType'),
    time: text('Time'),
    elapsedSeconds: typeof elapsed === 'number' ? elapsed : null,
    importPath: text('ImportPath'),
    failedBuild: text('FailedBuild'),
  };
}
