import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certify, type CertifyResult } from '../../../src/cli/certify/certify';
import { exitOf } from '../../../src/cli/certify/report';
import type { CertifyRow } from '../../../src/cli/certify/rows/row';
import { testedServer } from '../../../src/cli/certify/servers/make-server';
import type { CertifiedKind } from '../../../src/cli/certify/servers/tested-server';
import { rowsThat } from './mock-runs';

/** A mock server with two ordinary accounts. The first account may create repositories in the organization. */
export interface OrdinaryMock {
  readonly kind: CertifiedKind;
  readonly gitUrl: string;
  readonly tokens: readonly [string, string];
  readonly organization: string;
  readonly countRepositories: () => number;
  readonly close: () => Promise<void>;
}

async function runAt(mock: OrdinaryMock, rows: readonly CertifyRow[]): Promise<CertifyResult> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-certified-'));
  const { kind, gitUrl, organization, tokens } = mock;
  const [token, secondToken] = tokens;
  try {
    return await certify({
      ...{ server: await testedServer(kind, gitUrl, token), rows, token, secondToken, organization },
      ...{ runFile: join(folder, 'run.jsonl'), runnerLabel: null, listener: null },
      ...{ signal: new AbortController().signal, onRow: () => undefined },
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Expects that at least this many rows pass, that no row differs, and that nothing is left behind. */
export async function expectNoDifference(
  start: () => Promise<OrdinaryMock>,
  rows: readonly CertifyRow[],
  least: number,
): Promise<void> {
  const mock = await start();
  try {
    const result = await runAt(mock, rows);
    expect(rowsThat('differs', result)).toEqual([]);
    expect(rowsThat('cut_short', result)).toEqual([]);
    const passed = rowsThat('passed', result).length;
    expect(passed).toBeGreaterThanOrEqual(least);
    expect([exitOf(result) === 0, result.kept, mock.countRepositories()]).toEqual([passed > 0, [], 0]);
  } finally {
    await mock.close();
  }
}
