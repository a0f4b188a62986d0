const METHOD = /^[\p{L}_$][\p{L}\p{N}_$]*(?=$|[([{])/u;
const FRAME = /^\s*at (?:[\w.@-]*\/)*([\w.$]+)\.([\w$<>]+)\(\w+\.(?:java|kt):\d+\)$/;
const LINE = /^(\s*)(Suppressed: |Caused by: |at |\.\.\. (?=\d+ (?:more|common frames)))/;
/** Classes that call tests and hooks, or that both of them call. */
const OF_NO_PROJECT =
  /^(?:java|javax|jdk|sun|com\.sun|kotlin|kotlinx|junit|worker|org\.(?:junit|opentest4j|testng|hamcrest|assertj|mockito|gradle|apache\.maven))\./;

/** Reports are others' text: what is beyond these is not looked at. */
const MOST_CHARACTERS_OF_LINE = 500;
const MOST_LINES = 5_000;
const MOST_COMMON = 200;

/** One failure and its causes, or one that was suppressed by another and its causes. */
interface Stacks {
  /** Of its first line. */
  readonly indent: number;
  /** All lines of its stacks. */
  readonly lines: string[];
  /** Those of the failure that suppressed it, until they were counted or its causes begin: what these have in common stands there already. */
  around: readonly string[];
}

/**
 * Whether a failure of Java or Kotlin comes from a hook, or suppressed one of a hook: it has a stack that passes through the project,
 * and not through the method of the test. False where the name of the test is none of a method.
 */
export function isOutsideMethod(text: string, name: string): boolean {
  const [method] = METHOD.exec(name) ?? [];
  if (method === undefined) return false;
  return failuresIn(text).some(({ lines }) => {
    const frames = lines.flatMap((line) => {
      const [, type, called] = FRAME.exec(line) ?? [];
      return type === undefined ? [] : [{ type, called: called! }];
    });
    const isOfTest = frames.some(
      ({ type, called }) => `$${called}$`.includes(`$${method}$`) || type.includes(`$${method}$`),
    );
    return !isOfTest && frames.some(({ type }) => !OF_NO_PROJECT.test(type));
  });
}

/** As Java prints them: `Suppressed:` and its stack stand further right, and `... 3 more` are the last lines of the stack around it. */
function failuresIn(text: string): readonly Stacks[] {
  const all: Stacks[] = [{ indent: 0, lines: [], around: [] }];
  let open: readonly Stacks[] = [...all];
  for (const line of text.split(/\r?\n/).slice(0, MOST_LINES)) {
    if (line.length > MOST_CHARACTERS_OF_LINE) continue;
    const [, blanks = '', word = ''] = LINE.exec(line) ?? [];
    if (word === 'Suppressed: ') {
      open = open.filter(({ indent }) => indent < blanks.length);
      const added = { indent: blanks.length, lines: [], around: open.at(-1)?.lines ?? [] };
      all.push(added);
      open = [...open, added];
    } else if (word === 'Caused by: ') {
      open = open.filter(({ indent }) => indent <= blanks.length);
      open.at(-1)!.around = [];
    } else if (word === 'at ') {
      open.at(-1)!.lines.push(line);
    } else if (word !== '') {
      const last = open.at(-1)!;
      last.lines.push(...last.around.slice(-Number(/\d+/.exec(line)![0])).slice(-MOST_COMMON));
      last.around = [];
    }
  }
  return all;
}
