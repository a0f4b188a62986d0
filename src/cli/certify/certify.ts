import { randomBytes } from 'node:crypto';
import { type AccountsWanted, gatherTroupe } from './accounts';
import { type KeptThing, removeMade } from './removal';
import { playRow } from './rows/play-row';
import { type CertifyRow, type RowNeed, type RowResult, titleOf } from './rows/row';
import { RunFile, readRunFile } from './run-file';
import { type CertifiedKind, type ServerFacts, StepRefused, type TestedServer } from './servers/tested-server';
import { type MakeAdapter, realAdapter } from './world/real-adapter';
import type { Troupe } from './world/troupe';

export interface CertifyWanted extends AccountsWanted {
  readonly server: TestedServer;
  readonly rows: readonly CertifyRow[];
  /** The path of the run file. An existing file is overwritten, because the run in it is finished. */
  readonly runFile: string;
  readonly signal: AbortSignal;
  /** Called after each row, with the numbers of finished and of all rows. */
  readonly onRow: (result: RowResult, done: number, all: number) => void;
  /** Absent: the adapter of the service. */
  readonly makeAdapter?: MakeAdapter;
}

export interface CertifyResult {
  readonly run: string;
  readonly kind: CertifiedKind;
  readonly url: string;
  readonly version: string;
  readonly rows: readonly RowResult[];
  /** Things that are still on the server; the run file names them. */
  readonly kept: readonly KeptThing[];
}

const RUN_BYTES = 4;
const ROW_LIMIT_MS = 180_000;

/**
 * Tries every row in a repository that it creates and removes. Throws StepRefused when the run cannot begin, after it
 * has removed the accounts that it created.
 */
export async function certify(wanted: CertifyWanted): Promise<CertifyResult> {
  const { server, rows } = wanted;
  const facts = await server.about();
  requireRights(wanted, facts);
  const run = randomBytes(RUN_BYTES).toString('hex');
  const runFile = RunFile.begin(wanted.runFile, { run, kind: server.kind, url: server.gitUrl });
  const results: RowResult[] = [];
  let failure: Error | null = null;
  try {
    const troupe = await gatherTroupe(server, runFile, wanted);
    for (const [index, row] of rows.entries()) {
      const before = leftIn(wanted.runFile).map(({ name }) => name);
      const result = await playOne(row, index + 1, troupe, wanted);
      results.push(result);
      wanted.onRow(result, results.length, rows.length);
      const made = leftIn(wanted.runFile).filter(({ name }) => !before.includes(name));
      await removeMade(server, runFile, made);
    }
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
  }
  const kept = await removeMade(server, runFile, leftIn(wanted.runFile));
  if (kept.length === 0) runFile.finish();
  if (failure !== null) throw failure;
  return { run, kind: server.kind, url: server.gitUrl, version: facts.version, rows: results, kept };
}

/** Removes the leftovers of an earlier run. */
export async function cleanUp(server: TestedServer, path: string): Promise<readonly KeptThing[]> {
  const read = readRunFile(path);
  if (read === null) throw new StepRefused(`There is no run file ${path}.`);
  const runFile = RunFile.resume(path, read);
  const kept = await removeMade(server, runFile, read.left);
  if (kept.length === 0) runFile.finish();
  return kept;
}

function playOne(row: CertifyRow, number: number, troupe: Troupe, wanted: CertifyWanted): Promise<RowResult> {
  const { makeAdapter = realAdapter, signal } = wanted;
  const whyNot = (need: RowNeed): string | null => whyNotOffered(need, troupe, wanted);
  return playRow(row, { troupe, makeAdapter, number, signal, whyNot, limitMs: ROW_LIMIT_MS });
}

function whyNotOffered(
  need: RowNeed,
  { other }: Troupe,
  { runnerLabel, listener, server }: CertifyWanted,
): string | null {
  switch (need) {
    case 'second account':
      return other === null ? 'the row needs a second account: --second-token-file' : null;
    case 'ci':
      if (server.kind !== 'gitea') return `certify starts no CI at ${server.kind} yet`;
      return runnerLabel === null ? 'the row needs a CI runner: --runner-label' : null;
    case 'webhook':
      if (server.kind !== 'gitea') return `certify cannot receive webhooks of ${server.kind} yet`;
      return listener === null ? 'the row needs an address that the server can reach: --webhook-url' : null;
    case 'marks':
      return server.kind === 'gitea' ? null : `${server.kind} has no marks of merges`;
  }
}

function requireRights({ organization, server }: CertifyWanted, { isAdministrator, login }: ServerFacts): void {
  if (organization !== null || isAdministrator) return;
  throw new StepRefused(
    `${login} does not administer ${server.gitUrl}, so it makes no organization and no users there: name one with --organization.`,
  );
}

function leftIn(path: string) {
  return readRunFile(path)?.left ?? [];
}

/** The rows whose title contains the words, in any letter case. */
export function rowsWith(rows: readonly CertifyRow[], words: string): readonly CertifyRow[] {
  return rows.filter((row) => titleOf(row).toLowerCase().includes(words.toLowerCase()));
}
