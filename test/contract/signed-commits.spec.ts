import { generateKeyPairSync } from 'node:crypto';
import { commitKeyIn } from '../../src/code-hosts/git/signing/commit-key';
import type { CodeHost, HostRepository, MergeMethod, PullRequestAtHead } from '../../src/domain/code-host.port';
import { landToTheEnd } from '../../src/testing/contract/land-to-the-end';
import type { BareRepository } from '../support/bare-repository';
import { GiteaDouble } from '../support/gitea/gitea-double';
import { GitHubDouble } from '../support/github/github-double';
import { GitLabDouble } from '../support/gitlab/gitlab-double';
import { checkedByGitea, connectToGitea, GITEA_WIDGETS } from './gitea-host';
import { checkedByContract, connectTo, GITHUB_WIDGETS } from './github-host';
import { checkedByGitLab, connectToGitLab, GITLAB_WIDGETS } from './gitlab-host';

const NOON = new Date('2026-03-01T12:00:00Z');
const BOT = 'bot@acme.example';
const BRANCH = 'sluice-merge/pr-1/run-1';
const KEY = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const SIGNED = { committerEmail: BOT, signingKey: KEY };

/** A code host, a repository with one open pull request, and a rule that requires signed commits. */
interface Place {
  readonly repository: HostRepository;
  readonly connect: (settings: object) => { readonly host: CodeHost; readonly release: () => void };
  readonly world: BareRepository;
  /** Opens pull request 1 with a new head. */
  readonly open: () => string;
  readonly demandSignatures: () => void;
  readonly keys: Map<string, Buffer>;
  readonly close: () => Promise<void>;
}

async function gitea(): Promise<Place> {
  const exchanges = checkedByGitea();
  const double = await GiteaDouble.start({ onExchange: exchanges.onExchange });
  const place = double.createRepository('acme', 'widgets');
  return {
    ...{ repository: GITEA_WIDGETS, world: place.record.world, keys: double.state.signingKeys },
    connect: (settings) => connectToGitea(double, { settings: { ...settings } }),
    open: () => place.openPullRequest({ 'a.txt': 'one\n' }, { number: 1 }).head.sha,
    demandSignatures: () => {
      for (const name of ['main', 'sluice-merge/**'])
        place.protect(name, { demandsSignatures: true, pushers: [double.bot] });
      place.changePermission(double.bot, 'admin');
    },
    close: async () => {
      await double.close();
      exchanges.assertFits();
    },
  };
}

async function github(): Promise<Place> {
  const exchanges = checkedByContract();
  const double = await GitHubDouble.start({ onExchange: exchanges.onExchange });
  const place = double.createRepository('acme', 'widgets');
  place.answerUnknown(0);
  return {
    ...{ repository: GITHUB_WIDGETS, world: place.record.world, keys: double.state.signingKeys },
    connect: (settings) => connectTo(double, { settings: { ...settings } }),
    open: () => place.openPullRequest({ 'a.txt': 'one\n' }, { number: 1 }).head.sha,
    demandSignatures: () => {
      for (const name of ['main', 'sluice-merge/**']) place.protect(name, { kind: 'ruleset', signatures: true });
    },
    close: async () => {
      await double.close();
      exchanges.assertFits();
    },
  };
}

async function gitlab(): Promise<Place> {
  const exchanges = checkedByGitLab();
  const double = await GitLabDouble.start({ onExchange: exchanges.onExchange });
  const project = double.createProject(GITLAB_WIDGETS.owner, 'widgets');
  project.protectedBranches.set('main', 40);
  return {
    ...{ repository: GITLAB_WIDGETS, world: project.world, keys: double.state.signingKeys },
    connect: (settings) => connectToGitLab(double, { settings: { closesWhatLanded: true, ...settings } }),
    open: () => {
      const commit = project.world.commitTo(
        'refs/heads/topic',
        project.world.tip('main'),
        { 'a.txt': 'one\n' },
        { title: 'A' },
      );
      project.noticeBranches();
      const author = double.state.accounts.of('ada');
      const facts = { sourceBranch: 'topic', targetBranch: 'main', title: 'Change 1', description: '' };
      project.open({ iid: 1, author, ...facts });
      return commit;
    },
    demandSignatures: () => {
      project.pushRule = { reject_unsigned_commits: true };
    },
    close: async () => {
      await double.close();
      exchanges.assertFits();
    },
  };
}

const PLACES: readonly (readonly [string, () => Promise<Place>])[] = [
  ['GitHub', github],
  ['Gitea', gitea],
  ['GitLab', gitlab],
];

describe.each(PLACES)('A rule that accepts only signed commits on %s', (name, make) => {
  let place: Place;
  let release: () => void = () => undefined;

  beforeEach(async () => {
    place = await make();
  });
  afterEach(async () => {
    release();
    await place.close();
  });

  function connect(settings: object): CodeHost {
    const connection = place.connect(settings);
    release = connection.release;
    return connection.host;
  }

  function knowsKey(): void {
    const key = commitKeyIn(KEY);
    if ('why' in key) throw new Error(key.why);
    place.keys.set(BOT, key.publicKey);
  }

  async function built(host: CodeHost, mergeMethod: MergeMethod) {
    const pullRequests: readonly PullRequestAtHead[] = [
      {
        number: 1,
        head: place.open(),
        headBranch: null,
        title: 'A',
        body: '',
        author: 'Ada',
        authorEmail: 'ada@example.com',
      },
    ];
    const onto = place.world.tip('main');
    const made = { repository: place.repository, targetBranch: 'main', onto, pullRequests, mergeMethod };
    const candidate = await host.buildCandidate({ ...made, targetTip: onto, alreadyMerged: [], committedAt: NOON });
    if (candidate.type !== 'built') throw new Error(candidate.type);
    return { ...made, expectedTip: onto, candidate };
  }

  const push = (host: CodeHost, commit: string) =>
    host.pushTestingBranch({
      ...{ repository: place.repository, branch: BRANCH, commit, testRunId: 'run', requiredStatuses: ['ci'] },
    });

  const examine = async (host: CodeHost, mergeMethod: MergeMethod = 'squash'): Promise<readonly string[]> => {
    const queues = [{ targetBranch: 'main', mergeMethod }];
    const about = { host: place.repository.host, brand: 'sluice', publicUrl: 'https://sluice.example' };
    const findings = await host.examine?.({ ...about, repositories: [{ repository: place.repository, queues }] });
    return (findings ?? []).map(({ verdict, what }) => `${verdict}: ${what}`);
  };

  it('accepts the commits of a service with a signing key', async () => {
    place.demandSignatures();
    knowsKey();
    const host = connect(SIGNED);
    const { candidate, ...made } = await built(host, 'squash');
    expect(await push(host, candidate.commit)).toEqual({ type: 'pushed' });
    const { commit: testedCommit, tree: testedTree } = candidate;
    const landing = { ...made, testedCommit, testedTree, committedAt: NOON, testingBranches: [BRANCH] };
    const landed = await landToTheEnd(host, landing);
    // GitHub makes its own squash commit, as its merge button does, and signs it.
    const tip = name === 'GitHub' ? place.world.tip('main') : testedCommit;
    expect([landed.type, place.world.tip('main')]).toEqual(['landed', tip]);
  });

  it.each([
    ['without a key', {}],
    ['with a key that no account has', SIGNED],
  ])('refuses the commits of a service %s', async (_which, settings) => {
    place.demandSignatures();
    const host = connect(settings);
    const { candidate } = await built(host, 'squash');
    // Gitea fails when a signature has a key that it does not know.
    const answer = await push(host, candidate.commit).catch((error: unknown) => error);
    expect(answer).not.toEqual({ type: 'pushed' });
    expect(place.world.branches()).not.toContain(BRANCH);
  });

  it('gives no warning if the account has the signing key: the doctor pushes a signed commit, and removes it', async () => {
    place.demandSignatures();
    knowsKey();
    const before = place.world.inBare('for-each-ref');
    const found = await examine(connect(SIGNED));
    expect(found).toContain('ok: commits of the service are signed, and the host verifies them');
    expect(found.filter((one) => one.includes('has no key'))).toEqual([]);
    expect(place.world.inBare('for-each-ref')).toBe(before);
  });

  it('is reported as a problem by the doctor before any test run if the account lacks the signing key', async () => {
    const found = await examine(connect(SIGNED));
    expect(found).toContainEqual(
      expect.stringMatching(/^problem: the host does not verify commits that the service signed/),
    );
  });

  it('is reported as a problem by the doctor if the service has no signing key', async () => {
    place.demandSignatures();
    expect(await examine(connect({}))).toContainEqual(expect.stringMatching(/^problem: .* has no key to sign/));
  });

  it('is not examined by the doctor if the service has no signing key', async () => {
    expect((await examine(connect({}))).filter((one) => one.includes('sign'))).toEqual([]);
  });

  it.each([
    [{ signingKey: KEY }, /has a signing key, but no "committerEmail"/],
    [
      { committerEmail: BOT, signingKey: 'secret words' },
      /^SLUICE_HOSTS: the signing key of \S+ contains no private SSH key/,
    ],
    [{ committerEmail: BOT, signingKeyFile: '/nowhere/key' }, /"signingKeyFile" of \S+ names \/nowhere\/key/],
  ])('stops the start of a service whose key cannot sign (%#)', (settings, message) => {
    expect(() => place.connect(settings)).toThrow(message);
  });
});

describe('A rule that accepts only signed commits on GitHub', () => {
  it('refuses merges by rebase before any test run, because GitHub does not sign rebased commits', async () => {
    const place = await github();
    const { host, release } = place.connect({});
    place.open();
    const read = () => host.readPullRequest(place.repository, 1, 'main', 'rebase');
    expect(await read()).toMatchObject({ mergeability: 'mergeable' });
    place.demandSignatures();
    expect(await read()).toMatchObject({
      mergeability: 'not_mergeable',
      unmet: [
        { words: 'signed commits, and GitHub does not sign commits that it rebases: choose another merge method' },
      ],
    });
    expect(await host.readPullRequest(place.repository, 1, 'main', 'squash')).toMatchObject({
      mergeability: 'mergeable',
    });
    release();
    await place.close();
  });
});
