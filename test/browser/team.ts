import type { Type } from '@nestjs/common';
import type { MemoryRepository, NewPullRequest } from '../../src/code-hosts/memory/memory-repository';
import { HostPoller } from '../../src/processing/inbox/host-poller';
import type { Config } from '../../src/platform/config/config';
import type { Role } from '../../src/platform/requests/roles';
import { type Answer, type Client, codeOf } from '../e2e/client';
import { Service } from '../e2e/service';

const HOST = 'memory.example';
const MINUTE_MS = 60_000;

/** A service with the queues of a team. People and CI of the team act as the test says. */
export class Team {
  private readonly clients = new Map<string, Client>();

  private constructor(
    readonly service: Service,
    readonly organization: string,
  ) {}

  static async start(
    organization = 'acme',
    extensions: readonly Type[] = [],
    settings: Partial<Config> = {},
  ): Promise<Team> {
    const service = await Service.inMemory({ rateLimitPerMinute: 0, ...settings }, extensions);
    await service.organization(organization);
    return new Team(service, organization);
  }

  stop(): Promise<void> {
    return this.service.stop();
  }

  async client(role: Role): Promise<Client> {
    const known = this.clients.get(role) ?? (await this.service.client(this.organization, role));
    this.clients.set(role, known);
    return known;
  }

  async queue(name: string, settings: object = {}, branch = 'main'): Promise<QueueOfTeam> {
    const admin = await this.client('admin');
    const repo = { host: HOST, owner: this.organization, name };
    // The repository exists at the host only from its first pull request on.
    const repository = this.service.memory.repository(repo.owner, name);
    if (branch !== 'main') repository.branches.set(branch, repository.branches.get('main')!);
    const answer = await admin.post('createQueue', {
      repo,
      targetBranch: branch,
      requiredStatuses: ['unit'],
      ...settings,
    });
    if (answer.status !== 200) throw new Error(answer.text);
    return new QueueOfTeam(this.service, admin, { repo, repository, branch });
  }
}

/** One queue with its pull requests and its CI. */
export class QueueOfTeam {
  readonly repo: { readonly host: string; readonly owner: string; readonly name: string };
  readonly repository: MemoryRepository;
  readonly branch: string;

  constructor(
    private readonly service: Service,
    private readonly admin: Client,
    { repo, repository, branch }: Pick<QueueOfTeam, 'repo' | 'repository' | 'branch'>,
  ) {
    this.repo = repo;
    this.repository = repository;
    this.branch = branch;
  }

  get path(): string {
    const { host, owner, name } = this.repo;
    return `/ui/queue?${new URLSearchParams({ repo: `${host}/${owner}/${name}`, branch: this.branch }).toString()}`;
  }

  pathOf(number: number): string {
    const { host, owner, name } = this.repo;
    const question = { repo: `${host}/${owner}/${name}`, branch: this.branch, number: String(number) };
    return `/ui/pull-request?${new URLSearchParams(question).toString()}`;
  }

  async submit(number: number, pullRequest: NewPullRequest, more: object = {}): Promise<void> {
    this.repository.openPullRequest(number, pullRequest);
    await this.ask('submitPullRequest', { pr: { number }, ...more });
    await this.service.settles();
  }

  async ask(operation: string, more: object): Promise<Answer> {
    const answer = await this.admin.post(operation, { repo: this.repo, targetBranch: this.branch, ...more });
    if (answer.status !== 200) throw new Error(`${operation}: ${codeOf(answer)} ${answer.text}`);
    return answer;
  }

  /** CI reports a state for the test run that has the pull request at this time. */
  async report(number: number, state: string, context = 'unit', more: object = {}): Promise<void> {
    const { body } = await this.ask('getMergeQueueTestingDetails', { pr: { number } });
    await this.reportOn(body.testBranchSha, state, context, more);
  }

  async reportOn(sha: string, state: string, context = 'unit', more: object = {}): Promise<void> {
    const report = { repo: this.repo, sha, context, state, ...more };
    const answer = await this.admin.post('reportStatus', report);
    if (answer.status !== 200) throw new Error(answer.text);
    await this.service.settles();
  }

  /** Somebody pushes to the pull request, and the service notices. */
  async push(number: number): Promise<void> {
    this.repository.pushToPullRequest(number, { 'src/late.ts': `${number}\n` });
    await this.service.app.get(HostPoller).poll();
    await this.service.settles();
  }

  async pass(minutes: number): Promise<void> {
    this.service.clock.advance(minutes * MINUTE_MS);
    await this.service.settles();
  }

  /** Submits a pull request, lets its tests pass after this many minutes, and lets it merge. */
  async land(number: number, pullRequest: NewPullRequest, minutes = 9): Promise<void> {
    await this.submit(number, pullRequest);
    await this.pass(minutes);
    await this.report(number, 'success');
  }
}
