/**
 * Compares recorded exchanges with GitHub's present description. The recordings are years old and were made outside
 * this project, so a difference is reported as drift. Only an unreadable recording is a failure.
 */
import type { Exchange } from '../../support/forge/exchange';
import type { GitHubContract } from './contract';
import { isObject } from './json-schema';
import { readByUs } from './our-readers';

export interface OperationReport {
  /** GitHub's name for the operation; method and path if the service does not use the operation. */
  readonly operation: string;
  readonly isInUse: boolean;
  readonly read: number;
  readonly fit: number;
  /**
   * The number of answers in which our own client finds the fields that it needs; null if our client does not read
   * these answers.
   */
  readonly readByUs: number | null;
  /** Each difference with the number of exchanges that show the difference. */
  readonly differences: ReadonlyMap<string, number>;
}

interface OpenReport extends OperationReport {
  read: number;
  fit: number;
  readByUs: number | null;
  readonly differences: Map<string, number>;
}

export interface RecordedReport {
  readonly operations: readonly OperationReport[];
  /** Line numbers of the recording, each with the problem of the line. */
  readonly unreadable: readonly { readonly line: number; readonly why: string }[];
}

export function checkRecorded(text: string, contract: GitHubContract): RecordedReport {
  const reports = new Map<string, OpenReport>();
  const unreadable: { line: number; why: string }[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const exchange = readExchange(line);
    if (typeof exchange === 'string') {
      unreadable.push({ line: index + 1, why: exchange });
      continue;
    }
    const { operation, requestErrors, responseErrors } = contract.checkExchange(exchange);
    const name = operation ?? `${exchange.method} ${anonymous(exchange.path)}`;
    const isInUse = operation !== null;
    const report = reports.get(name) ?? {
      operation: name,
      isInUse,
      read: 0,
      fit: 0,
      readByUs: null,
      differences: new Map<string, number>(),
    };
    reports.set(name, report);
    report.read++;
    const byUs = readByUs(name, exchange);
    if (byUs === 'read') report.readByUs = (report.readByUs ?? 0) + 1;
    if (byUs === 'unreadable') unreadable.push({ line: index + 1, why: `lacks what our client needs of ${name}` });
    const differences = isInUse
      ? new Set([...requestErrors.map((error) => `sent: ${error}`), ...responseErrors].map(withoutPlaces))
      : new Set<string>();
    if (differences.size === 0) report.fit++;
    for (const difference of differences) {
      report.differences.set(difference, (report.differences.get(difference) ?? 0) + 1);
    }
  }
  const operations = [...reports.values()].sort(
    (a, b) => Number(b.isInUse) - Number(a.isInUse) || a.operation.localeCompare(b.operation),
  );
  return { operations, unreadable };
}

/** The exchange of the line, or the reason why it is unreadable. */
function readExchange(line: string): Exchange | string {
  let recorded: unknown;
  try {
    recorded = JSON.parse(line);
  } catch {
    return 'is no JSON';
  }
  if (!isObject(recorded)) return 'is no object';
  const { method, uri, status, req, res } = recorded;
  if (typeof method !== 'string' || typeof uri !== 'string' || typeof status !== 'number') {
    return 'lacks method, uri or status';
  }
  if (!URL.canParse(uri)) return `has no address: ${uri}`;
  const { pathname, search } = new URL(uri);
  // The recorder wrote an empty object for a request without a body, and nothing for an answer without a body.
  const hasSent = req !== null && req !== undefined && !(isObject(req) && Object.keys(req).length === 0);
  const hasAnswer = res !== null && res !== undefined && res !== '';
  return {
    method,
    path: pathname.replace(/^\/api\/v3/, ''),
    query: search.slice(1),
    requestBody: hasSent ? req : undefined,
    status,
    responseBody: hasAnswer ? res : undefined,
    mediaType: hasAnswer ? 'application/json' : null,
  };
}

/** The path of an operation that the service does not use, with placeholders for names and numbers. */
function anonymous(path: string): string {
  return path
    .replace(/^\/repos\/[^/]+\/[^/]+/, '/repos/{owner}/{repo}')
    .replace(/^\/users\/[^/]+/, '/users/{username}')
    .replaceAll(/\/(\d+|[0-9a-f]{40})(?=\/|$)/g, '/{id}')
    .replace(/\/(matching-refs|branches|labels)\/.+$/, '/$1/{name}');
}

/** The same difference at several places of a list counts once. */
function withoutPlaces(difference: string): string {
  return difference.replaceAll(/\/\d+(?=\/| )/g, '/*');
}

export function printReport({ operations, unreadable }: RecordedReport): string {
  const lines = operations.flatMap(({ operation, isInUse, read, fit, readByUs: byUs, differences }) => [
    `${operation.padEnd(62)} ${String(read).padStart(4)} read  ${isInUse ? `${String(fit).padStart(4)} fit` : '     not in use'}${byUs === null ? '' : `  ${byUs} read by our client`}`,
    ...[...differences].map(([difference, count]) => `    ${count} × ${difference}`),
  ]);
  const ours = operations.filter(({ isInUse }) => isInUse);
  const sum = (of: readonly OperationReport[], field: 'read' | 'fit'): number =>
    of.reduce((total, one) => total + one[field], 0);
  return [
    ...lines,
    ...unreadable.map(({ line, why }) => `line ${line} ${why}`),
    '',
    `${sum(operations, 'read')} read, ${unreadable.length} unreadable; ` +
      `${sum(ours, 'fit')} of the ${sum(ours, 'read')} of operations in use fit.`,
    '',
  ].join('\n');
}
