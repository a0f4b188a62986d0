import { createHash } from 'node:crypto';
import { knownInWords, testTitle } from './failure-words';
import { codeBlock, codeSpan, firstLines, othersLine, linkAddress } from './others-text';
import type { FailedTest, UploadAnswer } from './send-upload';
import { count } from './upload-progress';

/** The maximum number of annotations for each kind and step, because GitHub shows no more. */
const MOST_ANNOTATIONS = 10;
const MOST_LISTED = 40;
const MOST_STACK_LINES = 5;
const MOST_LINE = 500;
const MOST_TEXT = 1_000;

/**
 * The job summary of GitHub and the annotation of Buildkite: Markdown, limited in bytes; empty if the limit is too
 * small.
 */
export function failuresInMarkdown(answer: UploadAnswer, now: Date, mostBytes: number): string {
  const { failures } = answer;
  const counting = failures.filter(({ quarantined }) => !quarantined).length;
  const ignored = failures.length - counting;
  const more = answer.failures_truncated ? ', and more' : '';
  const heading = `### ${count(counting, 'failed test')}${ignored > 0 ? `, ${ignored} quarantined` : ''}${more}\n\n`;
  const end = (left: number): string => (left === 0 ? '' : `\n… and ${left} more\n`);
  const space = mostBytes - Buffer.byteLength(heading) - Buffer.byteLength(end(failures.length)) - 1;
  let [text, listed] = ['', 0];
  for (const test of failures.slice(0, MOST_LISTED)) {
    const item = itemOf(test, now);
    if (Buffer.byteLength(text) + Buffer.byteLength(item) > space) break;
    text += item;
    listed += 1;
  }
  return space < 0 ? '' : `${heading}${text}${end(failures.length - listed)}\n`;
}

function itemOf(test: FailedTest, now: Date): string {
  const known = codeSpan(wordsWithoutAddress(test, now), MOST_TEXT);
  const [word, given] = test.quarantined
    ? ['Its page', test.known?.html_url]
    : ['Quarantine…', test.known?.quarantine_url ?? test.known?.html_url];
  const address = linkAddress(given ?? '');
  const link = address === undefined ? '' : ` [${word}](${address})`;
  const mark = test.quarantined ? ' (quarantined)' : '';
  const said = [...firstLines(test.known?.message ?? '', 2, MOST_LINE), ...stackOf(test)];
  const lines = [
    `- ${codeSpan(testTitle(test), MOST_TEXT)}${mark}`,
    ...(known === '' ? [] : [`  ${known}${link}`]),
    ...codeBlock(said),
  ];
  return `${lines.join('\n')}\n`;
}

/** The first lines of the stack, without lines that repeat the message. */
function stackOf({ known }: FailedTest): readonly string[] {
  const message = new Set(firstLines(known?.message ?? '', 2, MOST_LINE));
  return firstLines(known?.stack ?? '', MOST_STACK_LINES + message.size, MOST_LINE)
    .filter((line) => !message.has(line))
    .slice(0, MOST_STACK_LINES);
}

function wordsWithoutAddress(test: FailedTest, now: Date): string {
  if (!test.known) return '';
  return knownInWords({ ...test, known: { ...test.known, html_url: '' } }, now) ?? '';
}

/**
 * Workflow commands of GitHub, Gitea and Forgejo: an error for each test that counts, a notice for each quarantined
 * test.
 */
export function annotationsOf({ failures }: UploadAnswer, now: Date): readonly string[] {
  const of = (quarantined: boolean): readonly FailedTest[] =>
    failures.filter((failure) => failure.quarantined === quarantined).slice(0, MOST_ANNOTATIONS);
  return [
    ...of(false).map((test) => commandOf('error', test, now)),
    ...of(true).map((test) => commandOf('notice', test, now)),
  ];
}

function commandOf(command: 'error' | 'notice', test: FailedTest, now: Date): string {
  const title = `title=${property(othersLine(testTitle(test), MOST_TEXT))}`;
  const file = test.file === '' ? [] : [`file=${property(othersLine(test.file, MOST_TEXT))}`];
  const text = [knownInWords(test, now), ...firstLines(test.known?.message ?? '', 2, MOST_LINE), ...stackOf(test)];
  return `::${command} ${[...file, title].join(',')}::${data(text.filter(Boolean).join('\n'))}`;
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** An entry of GitLab's code quality report. */
interface Issue {
  readonly description: string;
  readonly check_name: string;
  readonly fingerprint: string;
  readonly severity: 'info' | 'major';
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

export function issuesOf({ failures }: UploadAnswer, now: Date): readonly Issue[] {
  return failures.map((test) => {
    const words = [othersLine(testTitle(test), MOST_TEXT), wordsWithoutAddress(test, now)];
    const message = firstLines(test.known?.message ?? '', 1, MOST_LINE);
    return {
      description: withoutMarkup([...words, ...message].filter(Boolean).join(': ')),
      check_name: test.quarantined ? 'quarantined test' : 'failed test',
      fingerprint: createHash('sha256')
        .update(JSON.stringify([test.file, test.classname, test.parent, test.name]))
        .digest('hex'),
      severity: test.quarantined ? 'info' : 'major',
      location: { path: withoutMarkup(othersLine(test.file, MOST_TEXT)) || 'tests', lines: { begin: 1 } },
    };
  });
}

/**
 * Removes markup. GitLab shows the texts of the report as they are, but other programs that read the report may
 * interpret them.
 */
function withoutMarkup(text: string): string {
  return text
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replaceAll('&', '＆')
    .replace(/[`*_[\]]/g, ' ');
}
