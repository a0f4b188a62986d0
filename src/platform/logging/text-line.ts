import { visibleText } from '../visible-text';

type Fields = Readonly<Record<string, unknown>>;

const LEVEL_WORDS: Readonly<Record<string, string>> = {
  fatal: 'fatal: ',
  error: 'error: ',
  warn: 'warning: ',
  debug: 'debug: ',
  trace: 'trace: ',
};
/** Fields that a line shows in another place or form. */
const OTHERWISE_SHOWN: readonly string[] = ['level', 'time', 'msg', 'context', 'err', 'stack'];

/** A log line for people: the time of day, the message and, except at the level info, the other fields. */
export function textLine(json: string): string {
  const fields = JSON.parse(json) as Fields;
  const { level, time, msg, err, stack } = fields;
  const message = textOf(msg ?? '');
  const rest = level === 'info' && message !== '' ? [] : fieldsBeyond(message, fields);
  const first = `${timeOfDay(time)} ${LEVEL_WORDS[String(level)] ?? ''}${[message, ...rest].join('  ').trimStart()}`;
  const trace = stack ?? (err as Fields | undefined)?.stack;
  return visibleText(typeof trace === 'string' ? `${first}\n${indented(trace)}\n` : `${first}\n`);
}

function fieldsBeyond(message: string, fields: Fields): string[] {
  return Object.entries(fields)
    .filter(([name]) => !OTHERWISE_SHOWN.includes(name))
    .map(([name, value]) => [name, textOf(value)] as const)
    .filter(([, value]) => !message.includes(value))
    .map(([name, value]) => `${name}=${value}`);
}

/** The time of day in the local time of this machine, which the person at the terminal expects. */
function timeOfDay(time: unknown): string {
  return new Date(String(time)).toLocaleTimeString('en-GB');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function indented(text: string): string {
  return text.replace(/^/gm, '  ');
}
