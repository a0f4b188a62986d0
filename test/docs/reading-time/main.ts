import { parseArgs } from 'node:util';
import { QUESTIONS, readingTime, SECONDS_PER_COMMAND, SECONDS_PER_FILE, WORDS_PER_MINUTE } from './reading-time';

const HELP = `npm run docs:reading-time: how long the documents take until a reader has an answer.

  --help  this text

${WORDS_PER_MINUTE} words a minute. Where the reader also acts, ${SECONDS_PER_COMMAND} seconds for each command and ${SECONDS_PER_FILE} for each file.
Ends with 1 if a question takes longer than its limit.`;

const { values } = parseArgs({ options: { help: { type: 'boolean' } } });
if (values.help) console.log(HELP);
else printTimes();

function printTimes(): void {
  for (const question of QUESTIONS) {
    const { words, commands, files, seconds } = readingTime(question);
    const isMissed = seconds > question.limitSeconds;
    if (isMissed) process.exitCode = 1;
    const doing = question.withDoing ? `, ${commands} commands, ${files} files` : '';
    const places = question.sections.map(({ file, heading }) =>
      heading === undefined ? file : `${file} "${heading}"`,
    );
    console.log(
      `${isMissed ? 'MISSED' : 'ok    '} ${question.name}: ${time(seconds)} of ${time(question.limitSeconds)}`,
    );
    console.log(`       ${words} words${doing}: ${places.join(', ')}`);
  }
}

function time(seconds: number): string {
  return seconds < 100 ? `${Math.round(seconds)} s` : `${(seconds / 60).toFixed(1)} min`;
}
