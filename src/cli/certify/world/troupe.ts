import type { RunFile } from '../run-file';
import type { CertifiedRepository, HostAccount, TestedServer } from '../servers/tested-server';
import type { WebhookListener } from './webhook-listener';

/** The accounts of a run, and the place of its repositories. */
export interface TroupeParts {
  readonly server: TestedServer;
  readonly runFile: RunFile;
  /** The name of the organization, group or user that owns new repositories. */
  readonly organization: string;
  /** Administers the repositories. */
  readonly owner: HostAccount;
  /** The account of the adapter, which may be the same as `owner`. */
  readonly service: HostAccount;
  /** Null: no second account has a token. */
  readonly other: HostAccount | null;
  /** Null: no runner takes jobs. */
  readonly runnerLabel: string | null;
  /** Null: the server cannot reach any address of this machine. */
  readonly listener: WebhookListener | null;
}

/** The accounts of a run, and the repositories that it creates and removes. */
export class Troupe {
  readonly server: TestedServer;
  readonly owner: HostAccount;
  readonly service: HostAccount;
  readonly other: HostAccount | null;

  constructor(private readonly parts: TroupeParts) {
    ({ server: this.server, owner: this.owner, service: this.service, other: this.other } = parts);
  }

  get runnerLabel(): string | null {
    return this.parts.runnerLabel;
  }

  get listener(): WebhookListener | null {
    return this.parts.listener;
  }

  get marker(): string {
    return markerOf(this.parts.runFile.facts.run);
  }

  get hostName(): string {
    return new URL(this.server.gitUrl).hostname;
  }

  secrets(): readonly string[] {
    const tokens = [this.owner, this.service, this.other].flatMap((account) =>
      account === null ? [] : [account.token],
    );
    const listened = this.listener === null ? [] : [this.listener.secret];
    const basic = tokens.map((token) => Buffer.from(`sluice:${token}`).toString('base64'));
    return [...new Set([...tokens, ...basic, ...listened])];
  }

  async makeRepository(suffix: string): Promise<CertifiedRepository> {
    const { runFile, organization, server } = this.parts;
    const name = nameOf(runFile.facts.run, suffix);
    runFile.intends('repository', `${organization}/${name}`);
    const made = await server.makeRepository(organization, name, this.marker);
    runFile.made('repository', `${organization}/${name}`, made.number);
    return made;
  }

  /** Forks the repository as the second account, into the namespace of that account. Returns owner and name. */
  async fork(repository: CertifiedRepository, as: HostAccount): Promise<{ owner: string; name: string }> {
    const { runFile, server } = this.parts;
    const name = `${repository.name}-fork`;
    runFile.intends('repository', `${as.login}/${name}`);
    const number = await server.fork(repository, { owner: as.login, name }, as, this.marker);
    runFile.made('repository', `${as.login}/${name}`, number);
    return { owner: as.login, name };
  }

  async rename(repository: CertifiedRepository, suffix: string): Promise<CertifiedRepository> {
    const { runFile, server } = this.parts;
    const name = nameOf(runFile.facts.run, suffix);
    runFile.renames('repository', `${repository.owner}/${repository.name}`, `${repository.owner}/${name}`);
    return server.renameRepository(repository, name);
  }
}

/** The marker that a run writes into the description of everything that it creates. */
export function markerOf(run: string): string {
  return `sluice-certify run ${run}`;
}

export function nameOf(run: string, suffix: string): string {
  return `sluice-certify-${run}-${suffix}`;
}
