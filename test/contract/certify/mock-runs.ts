import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certify, type CertifyResult, type CertifyWanted } from '../../../src/cli/certify/certify';
import { type CertifyRow, titleOf } from '../../../src/cli/certify/rows/row';
import { testedServer } from '../../../src/cli/certify/servers/make-server';
import { WebhookListener } from '../../../src/cli/certify/world/webhook-listener';
import { GiteaDouble } from '../../support/gitea/gitea-double';

const LABEL = 'runner-of-tests';

export interface MockRunOptions {
  readonly isForgejo?: boolean;
}

/** A mock Gitea with a runner, an administrator and a folder for run files. */
export class MockRun {
  private constructor(
    readonly double: GiteaDouble,
    readonly token: string,
    readonly folder: string,
  ) {}

  static async start({ isForgejo = false }: MockRunOptions = {}): Promise<MockRun> {
    const double = await GiteaDouble.start({ isForgejo });
    double.startRunner();
    double.state.deliversToHooks = true;
    const token = double.createAdministrator('root1');
    return new MockRun(double, token, mkdtempSync(join(tmpdir(), 'sluice-certified-')));
  }

  get runFile(): string {
    return join(this.folder, 'run.jsonl');
  }

  /** Certifies with everything that the rows need, unless `more` says otherwise. */
  async certify(more: Partial<CertifyWanted> & Pick<CertifyWanted, 'rows'>): Promise<CertifyResult> {
    const { token, runFile, double } = this;
    const server = await testedServer('gitea', double.gitUrl, more.token ?? token);
    const listener = await WebhookListener.open(`http://127.0.0.1:${await freePort()}`);
    try {
      return await certify({
        ...{ server, token, runFile, secondToken: null, organization: null, runnerLabel: LABEL, listener },
        ...{ signal: new AbortController().signal, onRow: () => undefined },
        ...more,
      });
    } finally {
      await double.webhooks.settled();
      await listener.close();
    }
  }

  async close(): Promise<void> {
    await this.double.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}

/** Groups of rows, each with its name. */
export function groupsOf(
  rows: readonly CertifyRow[],
): readonly (readonly [group: string, rows: readonly CertifyRow[]])[] {
  return [...new Set(rows.map(({ group }) => group))].map((group) => [
    group,
    rows.filter((row) => row.group === group),
  ]);
}

/** Titles of the rows with this outcome, each with its reason. */
export function rowsThat(type: string, { rows }: CertifyResult): readonly string[] {
  return rows.flatMap((row) => {
    const { outcome } = row;
    if (outcome.type !== type) return [];
    return [outcome.type === 'passed' ? titleOf(row) : `${titleOf(row)}: ${outcome.why}`];
  });
}

/** Everything on a server that a run could damage. */
export function worldOf({ state }: GiteaDouble): unknown {
  return {
    accounts: [...state.madeAccounts].map(([login, { words, owners }]) => [login, words, owners]),
    repositories: [...state.repositories].map(([key, one]) => ({
      ...{ key, id: one.id, description: one.description, branches: [...one.branches] },
      ...{ permissions: [...one.permissions], pulls: [...one.pulls.keys()] },
    })),
    tokens: [...state.tokens.values()].map(({ login }) => login),
    formerNames: [...state.formerNames.keys()],
  };
}
