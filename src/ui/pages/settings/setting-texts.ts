import { QUEUE_SETTINGS, type QueueSettingName } from '../../../domain/queue-settings';
import type { QueueSetting } from '../../../domain/setting-kinds';
import type { QueueRecord } from '../../../modules/queues/queue-record.dto';

/**
 * Settings that the form does not show. The pause button asks for the reason of a pause, and the end of the pause
 * clears the reason.
 */
const ELSEWHERE: readonly string[] = ['pauseReason'];

const GROUPS: readonly { readonly title: string; readonly names: readonly QueueSettingName[] }[] = [
  {
    title: 'Scheduling and concurrency',
    names: ['concurrency', 'bisectionConcurrency', 'mode', 'scheduling', 'lineDepth', 'canOptimisticallyMerge'],
  },
  {
    title: 'Batching',
    names: ['batch', 'batchingMinSize', 'batchingMaxWaitTimeMinutes', 'batchingRules', 'optimizationMode'],
  },
  {
    title: 'Tests and required statuses',
    names: [
      ...(['requiredStatuses', 'statusReporters', 'testingTimeoutMinutes', 'notReadyTimeoutHours'] as const),
      ...(['neverReportedMinutes', 'pendingFailureDepth', 'retestFlakyFailures'] as const),
    ],
  },
  { title: 'Merging', names: ['mergeMethod', 'directMergeMode', 'maxMergesPerHour', 'freezeWindows'] },
];

export const SHOWN_SETTINGS = (Object.keys(QUEUE_SETTINGS) as QueueSettingName[]).filter(
  (name) => !ELSEWHERE.includes(name),
);

/** Every setting is in exactly one group: the last group has all settings that no other group names. */
export const SETTING_GROUPS = [
  ...GROUPS,
  {
    title: 'At the code host',
    names: SHOWN_SETTINGS.filter((name) => !GROUPS.some(({ names }) => names.includes(name))),
  },
];

export function settingNamed(name: QueueSettingName): QueueSetting {
  return QUEUE_SETTINGS[name];
}

/** The values of a queue as texts for its form. Lists have one item per line. */
export function textsOf(record: QueueRecord): Readonly<Record<QueueSettingName, string>> {
  const texts = SHOWN_SETTINGS.map((name): [string, string] => [name, textOf(settingNamed(name), record[name])]);
  return Object.fromEntries(texts) as Readonly<Record<QueueSettingName, string>>;
}

function textOf(setting: QueueSetting, value: unknown): string {
  if (value === null || value === undefined) return '';
  switch (setting.kind) {
    case 'integer':
      // A number below the range means "off", so the form does not show it as a number.
      return typeof value === 'number' && value >= setting.range.minimum ? String(value) : '';
    case 'names':
      return (value as readonly string[]).join('\n');
    case 'batching rules':
      return (value as QueueRecord['batchingRules']).map(({ targetPattern }) => targetPattern).join('\n');
    case 'status reporters':
      return (value as QueueRecord['statusReporters']).map(({ name, reporter }) => `${name} by ${reporter}`).join('\n');
    case 'freeze windows':
      return (value as QueueRecord['freezeWindows']).map(textOfWindow).join('\n');
    default:
      return typeof value === 'string' || typeof value === 'boolean' ? String(value) : '';
  }
}

function textOfWindow({
  days,
  from,
  to,
  timeZone,
  exceptPriorityAtMost,
}: QueueRecord['freezeWindows'][number]): string {
  const except = exceptPriorityAtMost === null ? '' : ` except ${exceptPriorityAtMost}`;
  return `${days.join(' ')} ${from}-${to} ${timeZone}${except}`;
}

/** The typed text as an API value. For a text that cannot be parsed, it is a value that the API refuses. */
export function valueOf(setting: QueueSetting, typed: string): unknown {
  const text = typed.trim();
  switch (setting.kind) {
    case 'integer':
      if (/^\d{1,15}$/.test(text)) return Number(text);
      return text === '' && setting.nullMeans !== undefined ? null : text;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'text':
      return text === '' && setting.nullMeans !== undefined ? null : text;
    case 'names':
      return linesOf(text);
    case 'batching rules':
      return linesOf(text).map((targetPattern) => ({ targetPattern, policy: 'isolate' }));
    case 'status reporters':
      return linesOf(text).map(reporterOf);
    case 'freeze windows':
      return linesOf(text).map(windowOf);
    default:
      return text;
  }
}

/** `friday saturday 16:00-24:00 Europe/Berlin except 0`. */
function windowOf(line: string): object {
  const words = line.split(/[\s,]+/);
  const at = words.findIndex((word) => /^\d/.test(word));
  const [from = '', to = ''] = (words[at] ?? '').split('-');
  const [timeZone = '', except, priority] = words.slice(at + 1);
  const isExcept = except !== undefined;
  return {
    days: words.slice(0, Math.max(0, at)),
    from,
    to,
    timeZone,
    ...(isExcept && { exceptPriorityAtMost: Number(priority) }),
  };
}

/** `jenkins by login:jenkins-bot`; the last `by` separates the two parts, because names may contain ` by `. */
function reporterOf(line: string): object {
  const at = line.lastIndexOf(' by ');
  return at < 0
    ? { name: line, reporter: '' }
    : { name: line.slice(0, at).trim(), reporter: line.slice(at + 4).trim() };
}

function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

export function isSameText(one: string, other: string): boolean {
  return one.replaceAll('\r\n', '\n').trim() === other.replaceAll('\r\n', '\n').trim();
}
