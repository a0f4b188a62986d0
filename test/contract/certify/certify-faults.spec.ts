import { rowsWith } from '../../../src/cli/certify/certify';
import { exitOf } from '../../../src/cli/certify/report';
import { STORIES } from '../../../src/cli/certify/stories/stories';
import { type AdapterWanted, type MakeAdapter, realAdapter } from '../../../src/cli/certify/world/real-adapter';
import { GiteaApi } from '../../../src/code-hosts/gitea/client/gitea-api';
import { GiteaPullRequests } from '../../../src/code-hosts/gitea/reading/gitea-pull-requests';
import { listAt, numberAt, textAt } from '../../../src/code-hosts/reading';
import {
  type CodeHost,
  type CommitState,
  HostUnavailable,
  type HostRepository,
  type StatusReport,
} from '../../../src/domain/code-host.port';
import { MockRun, rowsThat } from './mock-runs';

type Ask = (method: string, repository: HostRepository, path: string, body?: object) => Promise<unknown>;
type Broken = (host: CodeHost, ask: Ask) => Partial<CodeHost>;

/** The list requests that servers answer with a `Link` header. */
const LINKED = /^(pulls|issues|branches|commits\/[^/]+\/statuses)$/;
const KNOWN_STATES = ['pending', 'success', 'failure', 'error', 'warning', 'skipped'];

function asking({ apiUrl, token }: AdapterWanted): Ask {
  return async (method, { owner, name }, path, body) => {
    const answer = await fetch(`${apiUrl}/repos/${owner}/${name}/${path}`, {
      ...{ method, body: body && JSON.stringify(body) },
      headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
    });
    if (answer.status >= 300) throw new HostUnavailable('certified', 'no_access', `${path}: ${answer.status}`);
    const text = await answer.text();
    return text === '' ? null : (JSON.parse(text) as unknown);
  };
}

const breaking = (broken: Broken): MakeAdapter => {
  return (wanted) => {
    const host = realAdapter(wanted);
    const parts = broken(host, asking(wanted)) as Record<string | symbol, unknown>;
    return new Proxy(host, {
      get: (target, name) => {
        const value = parts[name] ?? (Reflect.get(target, name) as unknown);
        return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
      },
    });
  };
};

const changingStatuses =
  (
    change: (
      reports: readonly StatusReport[],
      ask: Ask,
      repository: HostRepository,
      commit: string,
    ) => Promise<readonly StatusReport[]>,
  ): Broken =>
  (host, ask) => ({
    readStatuses: async (repository, commit) =>
      change(await host.readStatuses(repository, commit), ask, repository, commit),
  });

const withState = (report: StatusReport, state: CommitState): StatusReport => ({ ...report, state });

type Fault = readonly [fault: string, row: string, broken: Broken | null, server: 'Gitea' | 'Forgejo'];

const AT_GITEA: readonly (readonly [fault: string, row: string, broken: Broken | null])[] = [
  ['`Link` is trusted', `a rejection behind 51 reviews`, null],
  ['`Link` is trusted', 'a command behind 51 comments', null],
  [
    'the newest of namesakes counts',
    'a failed job counts, even if a job of the same name passes later',
    changingStatuses(async (reports, ask, repository, commit) => {
      const rows = listAt(await ask('GET', repository, `commits/${commit}/statuses?limit=50`));
      return reports.map((report) => {
        const own = rows.filter((row) => textAt(row, 'context') === report.name);
        const newest = own.toSorted((a, b) => (numberAt(b, 'id') ?? 0) - (numberAt(a, 'id') ?? 0))[0];
        return withState(report, textAt(newest, 'status') as CommitState);
      });
    }),
  ],
  [
    'a cancelled job is a verdict',
    'a job that CI cancelled has no verdict',
    changingStatuses((reports) =>
      Promise.resolve(reports.map((one) => (one.state === 'cancelled' ? withState(one, 'failure') : one))),
    ),
  ],
  [
    'fail-fast is not known',
    'a job that was cancelled after another job of its run failed',
    changingStatuses(async (reports, ask, repository, commit) => {
      const runs = listAt(await ask('GET', repository, `actions/runs?head_sha=${commit}`), 'workflow_runs');
      const jobs = await Promise.all(
        runs.map((run) => ask('GET', repository, `actions/runs/${numberAt(run, 'id')}/jobs`)),
      );
      const cancelled = jobs
        .flatMap((list) => listAt(list, 'jobs'))
        .filter((job) => textAt(job, 'conclusion') === 'cancelled')
        .map((job) => ` / ${textAt(job, 'name')} `);
      return reports.map((one) =>
        cancelled.some((name) => one.name.includes(name)) ? withState(one, 'cancelled') : one,
      );
    }),
  ],
  ['an empty list of statuses demands nothing', 'if a rule requires statuses without naming them', null],
  [
    'an unknown state makes the list unreadable',
    'a status with an unknown state counts as pending',
    changingStatuses(async (reports, ask, repository, commit) => {
      const rows = listAt(await ask('GET', repository, `commits/${commit}/statuses?limit=50`));
      const unknown = rows.find((row) => !KNOWN_STATES.includes(textAt(row, 'status') ?? ''));
      if (unknown !== undefined) throw new HostUnavailable('certified', 'server_error', 'an unknown state');
      return reports;
    }),
  ],
  [
    'a refused mark holds up the merge',
    'even if the server refuses to mark the pull request as merged',
    (host, ask) => ({
      land: async (request) => {
        const outcome = await host.land(request);
        if (outcome.type !== 'landed') return outcome;
        for (const { number, commit } of outcome.commits)
          await ask('POST', request.repository, `pulls/${number}/merge`, {
            Do: 'manually-merged',
            MergeCommitID: commit,
          });
        return outcome;
      },
    }),
  ],
];

const FAULTS: readonly Fault[] = [
  ...AT_GITEA.map((fault): Fault => [...fault, 'Gitea']),
  [
    'a stop goes by the commit',
    'a stop cancels the jobs of the testing branch',
    (_host, ask) => ({
      stopJobs: async (repository, { commit }) => {
        const runs = listAt(await ask('GET', repository, `actions/runs?head_sha=${commit}`), 'workflow_runs');
        for (const run of runs) await ask('POST', repository, `actions/runs/${numberAt(run, 'id')}/cancel`);
      },
    }),
    'Forgejo',
  ],
];

function breakPrototypes(fault: string): void {
  if (fault.startsWith('`Link`')) {
    // eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with its own object
    const { readPage } = GiteaApi.prototype;
    jest.spyOn(GiteaApi.prototype, 'readPage').mockImplementation(async function (
      this: GiteaApi,
      repository,
      path,
      ...more
    ) {
      const page = await readPage.call(this, repository, path, ...more);
      return page && { ...page, hasMore: page.hasMore && LINKED.test(path) };
    });
  }
  if (fault.startsWith('an empty list')) {
    // eslint-disable-next-line @typescript-eslint/unbound-method -- as above
    const { readDemands } = GiteaPullRequests.prototype;
    jest.spyOn(GiteaPullRequests.prototype, 'readDemands').mockImplementation(async function (
      this: GiteaPullRequests,
      ...asked
    ) {
      return { ...(await readDemands.apply(this, asked)), demandsAnyStatus: false };
    });
  }
}

describe('sluice certify', () => {
  afterEach(() => jest.restoreAllMocks());

  it.each(FAULTS)(
    'with the adapter fault "%s" reports a difference in the row "%s"',
    async (fault, words, broken, server) => {
      const run = await MockRun.start({ isForgejo: server === 'Forgejo' });
      const rows = rowsWith(STORIES, words);
      expect(rows).toHaveLength(1);
      breakPrototypes(fault);
      const result = await run.certify({ rows, makeAdapter: broken === null ? realAdapter : breaking(broken) });
      await run.close();
      expect(rowsThat('differs', result)).toEqual([expect.stringContaining(words)]);
      const [{ outcome }] = result.rows as [(typeof result.rows)[number]];
      expect(outcome).toMatchObject({
        exchange: expect.arrayContaining([expect.objectContaining({ method: 'GET' })]) as unknown,
      });
      expect(JSON.stringify(result)).not.toContain(run.token);
      expect(exitOf(result)).toBe(3);
    },
  );
});
