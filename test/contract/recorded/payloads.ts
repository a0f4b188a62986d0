import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GitHubContract } from '../github/contract';

/** The result of reading a payload. */
export type Reading = 'read' | 'unreadable' | 'no_concern';

/** Readers for one kind of code host. Files are named `<kind>/<answers | webhooks>/<source>/<name>.json`. */
export interface PayloadKind {
  readonly kind: string;
  readonly contract: GitHubContract;
  /**
   * The path of the GET request that has the answer in the file of this name; null if the service does not use this
   * answer.
   */
  readonly pathOf: (name: string) => string | null;
  /** The result of our client's reading of an answer. */
  readonly readAnswer: (name: string, body: unknown) => Reading;
  /** The result of our client's reading of a delivery; null if our client reads no deliveries of this host. */
  readonly readDelivery: ((name: string, body: unknown) => Reading) | null;
}

export interface PayloadReport {
  readonly kind: string;
  /** Numbers of payloads by result. `not_read` is the number of payloads for which our client has no reader. */
  readonly counts: Readonly<Record<Reading | 'not_read', number>>;
  readonly unreadable: readonly string[];
  /**
   * `checked` is the number of answers that were compared with the description. `fit` is the number of compared answers
   * without a difference.
   */
  readonly described: { readonly checked: number; readonly fit: number };
  /** The files that have each difference. Keys have the form `operation: difference`. */
  readonly differences: ReadonlyMap<string, readonly string[]>;
}

/** Reads every payload of a host in a folder. */
export function checkPayloads(folder: string, host: PayloadKind): PayloadReport {
  const counts = { read: 0, unreadable: 0, no_concern: 0, not_read: 0 };
  const unreadable: string[] = [];
  const described = { checked: 0, fit: 0 };
  const differences = new Map<string, string[]>();
  for (const file of payloadsIn(join(folder, host.kind))) {
    const body = readJson(join(folder, host.kind, file));
    const reading = body === undefined ? 'unreadable' : readingOf(host, file, body);
    counts[reading]++;
    if (reading === 'unreadable') unreadable.push(`${host.kind}/${file}`);
    const found = file.startsWith('answers/') && body !== undefined ? differencesOf(host, file, body) : null;
    if (found === null) continue;
    described.checked++;
    if (found.length === 0) described.fit++;
    for (const one of found) differences.set(one, [...(differences.get(one) ?? []), file]);
  }
  return { kind: host.kind, counts, unreadable, described, differences };
}

function payloadsIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .sort();
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function readingOf(host: PayloadKind, file: string, body: unknown): Reading | 'not_read' {
  const name = nameOf(file);
  if (file.startsWith('answers/')) return host.readAnswer(name, body);
  if (!file.startsWith('webhooks/')) return 'no_concern';
  return host.readDelivery?.(name, body) ?? 'not_read';
}

/** Null if the service uses no operation that gives this answer. */
function differencesOf({ contract, pathOf }: PayloadKind, file: string, body: unknown): readonly string[] | null {
  const path = pathOf(nameOf(file));
  if (path === null) return null;
  const sent = { method: 'GET', path, query: '', requestBody: undefined };
  const exchange = { ...sent, status: 200, responseBody: body, mediaType: 'application/json' };
  const { operation, responseErrors } = contract.checkExchange(exchange);
  if (operation === null) return null;
  // The same difference at several places of a list counts once.
  const found = responseErrors.map((error) => `${operation}: ${error.replaceAll(/\/\d+(?=\/| )/g, '/*')}`);
  return [...new Set(found)];
}

function nameOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1).replace(/\.json$/, '');
}

export function printPayloads(reports: readonly PayloadReport[]): string {
  const lines = reports.flatMap(({ kind, counts, unreadable, described, differences }) => [
    `${kind}: ${counts.read} read, ${counts.unreadable} unreadable, ${counts.no_concern} of no concern, ` +
      `${counts.not_read} that nothing reads; ${described.fit} of ${described.checked} answers are as described`,
    ...unreadable.map((file) => `    cannot be read: ${file}`),
    ...[...differences].map(([difference, files]) => `    ${difference}  (${files.join(', ')})`),
  ]);
  const sum = (of: Reading | 'not_read'): number => reports.reduce((all, { counts }) => all + counts[of], 0);
  const payloads = sum('read') + sum('unreadable') + sum('no_concern') + sum('not_read');
  return [...lines, `${payloads} payloads, unreadable: ${sum('unreadable')}`, ''].join('\n');
}
