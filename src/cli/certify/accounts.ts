import type { RunFile } from './run-file';
import { type HostAccount, StepRefused, type TestedServer } from './servers/tested-server';
import { markerOf, nameOf, Troupe } from './world/troupe';
import type { WebhookListener } from './world/webhook-listener';

/** The place and the accounts of a run. */
export interface AccountsWanted {
  readonly token: string;
  /** The token of the second account; null: none. */
  readonly secondToken: string | null;
  /** An existing organization; null: the run creates an organization and users. */
  readonly organization: string | null;
  /** Null: the server cannot reach any address of this machine. */
  readonly listener: WebhookListener | null;
  /** The label of a runner that takes jobs; null: none. */
  readonly runnerLabel: string | null;
}

/** Creates or finds the accounts. Throws StepRefused. */
export async function gatherTroupe(server: TestedServer, runFile: RunFile, wanted: AccountsWanted): Promise<Troupe> {
  const { login } = await server.about();
  const owner = { login, token: wanted.token };
  if (wanted.organization !== null) return ordinaryTroupe(server, runFile, owner, wanted.organization, wanted);
  const { runnerLabel, listener } = wanted;
  const { run } = runFile.facts;
  const organization = nameOf(run, 'org');
  runFile.intends('organization', organization);
  runFile.made('organization', organization, await server.makeOrganization(organization, markerOf(run)));
  const service = await makeAccount(server, runFile, nameOf(run, 'bot'));
  const other = await makeAccount(server, runFile, nameOf(run, 'ann'));
  return new Troupe({ server, runFile, organization, owner, service, other, runnerLabel, listener });
}

/** Creates nothing but repositories. The first account also plays the service. */
async function ordinaryTroupe(
  server: TestedServer,
  runFile: RunFile,
  owner: HostAccount,
  organization: string,
  { secondToken, runnerLabel, listener }: AccountsWanted,
): Promise<Troupe> {
  const other = secondToken === null ? null : { login: await server.loginOf(secondToken), token: secondToken };
  if (other?.login === owner.login) throw new StepRefused('both tokens belong to the same account');
  return new Troupe({ server, runFile, organization, owner, service: owner, other, runnerLabel, listener });
}

async function makeAccount(server: TestedServer, runFile: RunFile, login: string): Promise<HostAccount> {
  runFile.intends('user', login);
  const { number, password } = await server.makeUser(login, markerOf(runFile.facts.run));
  runFile.made('user', login, number);
  return { login, token: await server.tokenOf(login, password) };
}
