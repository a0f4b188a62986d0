const METHOD = /^[\p{L}_$][\p{L}\p{N}_$]*(?=$|[([{])/u;
const FRAME = /^\s*at (?:[\w.@-]*\/)*([\w.$]+)\.([\w$<>]+)\(\w+\.(?:java|kt):\d+\)$/;
/** Classes that call tests and hooks, or that both of them call. */
const OF_NO_PROJECT =
  /^(?:java|javax|jdk|sun|com\.sun|kotlin|kotlinx|junit|worker|org\.(?:junit|opentest4j|testng|hamcrest|assertj|mockito|gradle|apache\.maven))\./;

/** One failure and its causes, or one that was suppressed by another and its causes. */
interface Stacks {
  /** Of its first line. */
  readonly indent: number;
  /** All lines of its stacks, those that are common with an enclosing stack as well. */
  readonly lines: string[];
  /** Lines of the stack that is being read, and of the one around it. */
  stack: string[];
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
  const all: Stacks[] = [{ indent: 0, lines: [], stack: [], around: [] }];
  let open = all;
  for (const line of text.split(/\r?\n/)) {
    const [, blanks = '', word] = /^(\s*)(Suppressed: |Caused by: |at |\.\.\. (?=\d+ (?:more|common frames)))/.exec(line) ?? [];
    const last = open.at(-1)!;
    if (word === 'Suppressed: ') {
      open = [...open.filter(({ indent }) => indent < blanks.length)];
      const added = { indent: blanks.length, lines: [], stack: [], around: open.at(-1)?.stack ?? [] };
      all.push(added);
      open = [...open, added];
    } else if (word === 'Caused by: ') {
      open = open.filter(({ indent }) => indent <= blanks.length);
      const of = open.at(-1)!;
      of.around = of.stack;
      of.stack = [];
    } else if (word === 'at ') {
      last.stack.push(line);
      last.lines.push(line);
    } else if (word !== undefined) {
      const common = last.around.slice(-Number(/\d+/.exec(line)![0]));
      last.stack.push(...common);
      last.lines.push(...common);
    }
  }
  return all;
}
