import { matchesGlob } from '../../domain/glob-set';
import type { BatchingRule } from '../../engine/model';
import type { Happening, QueueHistory } from './history';
import { atOnce, type Steps } from './steps';
import type { StartingPoint } from '../decision-log/logged-decision';

/**
 * Replaces everything in the history that identifies its owner: numbers of pull requests, commits, impacted targets and
 * required statuses get new numbers. Time begins at 0, unless freeze windows need the days of the week. A replay of the
 * result gives the same figures.
 */
export function anonymous(history: QueueHistory): QueueHistory {
  return atOnce(anonymizing(history));
}

/** Like `anonymous`, in steps of one list item. */
export function* anonymizing(history: QueueHistory): Steps<QueueHistory> {
  const numbers = new Map<number, number>();
  const texts = new Map<string, string>();
  const names = [...new Set(history.happenings.flatMap(namesIn))];
  const hasFreezes = [history.start, ...history.happenings].some(hasFreezeWindows);
  const renaming: Renaming = {
    numberOf: (number) => kept(numbers, number, numbers.size + 1),
    textOf: (text) => kept(texts, text, `x${texts.size + 1}`),
    rulesOf: (rules) => rules.flatMap((rule) => spelledOut(rule, names)),
    from: hasFreezes ? 0 : history.from,
  };
  const renamed: [string, unknown][] = [];
  for (const [name, value] of Object.entries(history)) {
    if (!Array.isArray(value)) {
      renamed.push([name, walked(value, name, renaming)]);
      continue;
    }
    const items: unknown[] = [];
    for (const item of value as readonly unknown[]) {
      yield;
      items.push(walked(item, name, renaming));
    }
    renamed.push([name, items]);
  }
  return Object.fromEntries(renamed) as unknown as QueueHistory;
}

interface Renaming {
  readonly numberOf: (number: number) => number;
  readonly textOf: (text: string) => string;
  /** Replaces each pattern by the numbers of the names that it matches, because names are replaced by numbers. */
  readonly rulesOf: (rules: readonly BatchingRule[]) => readonly BatchingRule[];
  readonly from: number;
}

/** Names of fields that contain numbers of pull requests, names or instants, at any depth. */
const NUMBERS: ReadonlySet<string> = new Set(['number', 'numbers', 'dependsOn', 'with']);
const TEXTS: ReadonlySet<string> = new Set([
  ...['head', 'commits', 'targets', 'targetPattern', 'requiredStatuses', 'newEntryId', 'commit', 'tree'],
]);
const INSTANTS: ReadonlySet<string> = new Set([
  ...['at', 'from', 'until', 'to', 'orderedAt', 'submittedAt', 'endedAt', 'seenAt', 'since', 'againAt'],
]);
/** Fields that stay as they are, such as freeze windows, which contain times of day. */
const AS_IT_IS: ReadonlySet<string> = new Set(['freezeWindows', 'version']);
/** Fields that are dropped because they contain words of people and hosts. */
const DROPPED: ReadonlySet<string> = new Set(['details', 'problem', 'why', 'words', 'pauseReason', 'files', 'actor']);

function walked(value: unknown, field: string, renaming: Renaming): unknown {
  if (AS_IT_IS.has(field)) return value;
  if (field === 'batchingRules' && Array.isArray(value)) value = renaming.rulesOf(value as BatchingRule[]);
  if (DROPPED.has(field)) return Array.isArray(value) ? [] : value === null ? null : '';
  if (typeof value === 'number' && NUMBERS.has(field)) return renaming.numberOf(value);
  if (typeof value === 'number' && INSTANTS.has(field)) return value - renaming.from;
  if (typeof value === 'string' && TEXTS.has(field) && value !== 'ALL') return renaming.textOf(value);
  if (Array.isArray(value)) return value.map((item) => walked(item, field, renaming));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, walked(inner, name, renaming)]));
}

function hasFreezeWindows(value: StartingPoint | Happening): boolean {
  const isSet = 'settings' in value;
  const settings = isSet
    ? value.settings
    : value.type === 'event' && 'settings' in value.event
      ? value.event.settings
      : {};
  return (settings.freezeWindows ?? []).length > 0;
}

function namesIn(happening: Happening): readonly string[] {
  return happening.type === 'targetsGiven' && happening.targets !== 'ALL' ? happening.targets : [];
}

function spelledOut({ targetPattern, policy }: BatchingRule, names: readonly string[]): readonly BatchingRule[] {
  return names
    .filter((name) => matchesGlob(targetPattern, name, 'text'))
    .map((name) => ({ targetPattern: name, policy }));
}

function kept<Key, Value>(known: Map<Key, Value>, key: Key, next: Value): Value {
  const value = known.get(key) ?? next;
  known.set(key, value);
  return value;
}
