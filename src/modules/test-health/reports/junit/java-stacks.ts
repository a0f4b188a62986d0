const METHOD = /^[\p{L}_$][\p{L}\p{N}_$]*(?=$|[([{])/u;
const FRAME = /^\s*at (?:[\w.@-]*\/)*([\w.$]+)\.([\w$<>]+)\(\w+\.(?:java|kt):\d+\)$/;
const LINE = /^(\s*)(Suppressed: |Caused by: |at |\.\.\. (?=\d+ (?:more|common frames)))/;
/** Classes of runners and libraries, which call tests and hooks or are called by them. */
const OF_NO_PROJECT =
  /^(?:java|javax|jdk|sun|com\.sun|kotlin|kotlinx|junit|worker|org\.(?:junit|opentest4j|testng|hamcrest|assertj|mockito|gradle|apache\.maven))\./;

/** Longer lines and stacks are not searched, because anybody may write a report. */
const MOST_CHARACTERS_OF_LINE = 500;
const MOST_LINES = 5_000;
const MOST_COMMON = 200;

/** One failure with its causes, or a suppressed failure with its causes. */
interface Stacks {
  /** The indentation of the failure's first line. */
  readonly indent: number;
  /** All stack lines of the failure and its causes. */
  readonly lines: string[];
  /**
   * The lines of the failure that suppressed this one, until they are counted or the causes begin. Java prints common
   * lines only in that failure.
   */
  around: readonly string[];
}

/**
 * Whether a Java or Kotlin failure comes from a hook, or suppressed a hook's failure: a stack of the failure passes
 * through the project, but not through the method of the test. False if the name of the test is not a method.
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

/**
 * The failures in a text of Java's format: `Suppressed:` and the stack below it are indented, and `... 3 more` stands
 * for the last lines of the outer stack.
 */
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
