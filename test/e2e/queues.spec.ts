import { hashesOf } from '../../src/domain/impacted-targets';
import { FLOW_AT_START } from '../../src/engine/flow-state';
import { BareRepository, runGit } from '../support/bare-repository';
import { Rows } from './rows';
import { type Client, codeOf, wrongFields } from './client';
import { NOW, Service } from './service';

const REPO = { host: 'local', owner: 'acme', name: 'widgets' };
const MAIN = { repo: REPO, targetBranch: 'main' };
const DEFAULTS = {
  state: 'running',
  branch: 'main',
  concurrency: 1,
  bisectionConcurrency: 1,
  testingTimeoutMinutes: 300,
  pendingFailureDepth: 0,
  canOptimisticallyMerge: false,
  batch: false,
  batchingMaxWaitTimeMinutes: 5,
  batchingMinSize: 4,
  mode: 'single',
  scheduling: 'in_order',
  lineDepth: 'full',
  commentsEnabled: true,
  commandsEnabled: true,
  createPrsForTestingBranches: true,
  statusCheckEnabled: true,
  requiredStatuses: [],
  directMergeMode: 'off',
  optimizationMode: 'off',
  mergeMethod: 'squash',
  extensionEnabled: true,
  labelCommandsEnabled: true,
  stateLabelsEnabled: false,
  enqueueingLabel: 'sluice-merge-queue-submit',
  notReadyTimeoutHours: 24,
  testBranchConstructionMode: 'push_new_branch_from_temp',
  allowedBotSubmitters: [],
  batchingRules: [],
  retestFlakyFailures: true,
  pauseReason: null,
  maxMergesPerHour: null,
  statusReporters: [],
  forkWorkflows: 'comment',
  neverReportedMinutes: 10,
  freezeWindows: [],
};
const EVERY_SETTING = {
  state: 'paused',
  concurrency: 3,
  bisectionConcurrency: 2,
  testingTimeoutMinutes: 30,
  pendingFailureDepth: 4,
  canOptimisticallyMerge: true,
  batch: true,
  batchingMaxWaitTimeMinutes: 7,
  batchingMinSize: 4_294_967_295,
  mode: 'parallel',
  scheduling: 'in_order',
  lineDepth: 'by_chance',
  commentsEnabled: false,
  commandsEnabled: false,
  createPrsForTestingBranches: false,
  statusCheckEnabled: false,
  requiredStatuses: ['tests', 'lint'],
  directMergeMode: 'always',
  optimizationMode: 'bisection_skip_redundant_tests',
  mergeMethod: 'rebase',
  extensionEnabled: false,
  labelCommandsEnabled: false,
  stateLabelsEnabled: true,
  enqueueingLabel: 'merge me',
  notReadyTimeoutHours: 48,
  testBranchConstructionMode: 'rename_temp_branch',
  allowedBotSubmitters: ['renovate[bot]'],
  batchingRules: [{ targetPattern: '//infra/*', policy: 'isolate' }],
  retestFlakyFailures: false,
  pauseReason: 'release day',
  maxMergesPerHour: 10,
  statusReporters: [{ name: 'tests', reporter: 'token:ci' }],
  forkWorkflows: 'refuse',
  neverReportedMinutes: 20,
  freezeWindows: [
    { days: ['friday'], from: '22:00', to: '06:00', timeZone: 'Europe/Berlin', exceptPriorityAtMost: null },
  ],
};
const INTEGERS = [
  'concurrency',
  'bisectionConcurrency',
  'testingTimeoutMinutes',
  'pendingFailureDepth',
  'batchingMaxWaitTimeMinutes',
  'batchingMinSize',
  'notReadyTimeoutHours',
  'maxMergesPerHour',
  'neverReportedMinutes',
];
const SWITCHES = Object.entries(DEFAULTS)
  .filter(([, value]) => typeof value === 'boolean')
  .map(([name]) => name);

describe('A queue', () => {
  let git: BareRepository;
  let service: Service;
  let rows: Rows;
  let admin: Client;
  let reader: Client;

  beforeAll(async () => {
    git = BareRepository.create('acme', 'widgets');
    for (const branch of ['release', 'next', 'spare', 'suspects']) git.setBranch(branch, git.tip('main'));
    service = await Service.onGit(git, { repositoryClaims: 'on' });
    rows = new Rows(service.prisma, NOW);
    await service.organization('acme');
    await service.organization('other');
    admin = await service.client('acme', 'admin');
    reader = await service.client('acme', 'read');
    const created = await admin.post('createQueue', MAIN);
    expect(created.status).toBe(200);
  });

  afterAll(async () => {
    await service.stop();
    git.close();
  });

  const queueOf = async (branch: string) => (await reader.post('getQueue', { ...MAIN, targetBranch: branch })).body;

  describe('is created', () => {
    afterEach(async () => {
      for (const targetBranch of ['release', 'next']) await admin.post('deleteQueue', { ...MAIN, targetBranch });
    });

    it('with the default settings that the API documents', async () => {
      const answer = await admin.post('createQueue', { ...MAIN, targetBranch: 'release' });
      expect({ status: answer.status, body: answer.body }).toEqual({
        status: 200,
        body: { ...DEFAULTS, branch: 'release' },
      });
      expect(await queueOf('release')).toEqual({ ...answer.body, enqueuedPullRequests: [] });
    });

    it('with a value for any setting', async () => {
      const answer = await admin.post('createQueue', { ...MAIN, targetBranch: 'release', ...EVERY_SETTING });
      expect({ status: answer.status, body: answer.body }).toEqual({
        status: 200,
        body: { ...EVERY_SETTING, branch: 'release' },
      });
    });

    it('with the present tip of its target branch', async () => {
      await admin.post('createQueue', { ...MAIN, targetBranch: 'release' });
      const row = await service.prisma.queue.findFirstOrThrow({ where: { liveBranch: 'release' } });
      expect(row).toMatchObject({
        tipCommit: git.tip('release'),
        tipTree: runGit(git.bare, ['rev-parse', 'release^{tree}']),
      });
    });

    it('only once for a branch: a second request changes nothing', async () => {
      const again = await admin.post('createQueue', { ...MAIN, concurrency: 9 });
      expect(codeOf(again)).toBe('409 QUEUE_ALREADY_EXISTS');
      expect(await queueOf('main')).toMatchObject({ concurrency: 1 });
    });

    it('only once for a branch by two concurrent requests', async () => {
      const asked = [1, 2, 3, 4].map((concurrency) =>
        admin.post('createQueue', { ...MAIN, targetBranch: 'next', concurrency }),
      );
      const codes = (await Promise.all(asked)).map(codeOf).sort();
      expect(codes).toEqual([
        '200',
        '409 QUEUE_ALREADY_EXISTS',
        '409 QUEUE_ALREADY_EXISTS',
        '409 QUEUE_ALREADY_EXISTS',
      ]);
    });

    it('only on a branch that exists', async () => {
      expect(codeOf(await admin.post('createQueue', { ...MAIN, targetBranch: 'nowhere' }))).toBe(
        '404 BRANCH_NOT_FOUND',
      );
    });

    it.each(['../widgets', '-x'])('only in a repository with a valid name, not with %s', async (name) => {
      const answer = await admin.post('createQueue', { ...MAIN, repo: { ...REPO, name } });
      expect(codeOf(answer)).toBe('400 VALIDATION_FAILED');
      expect(Object.keys(wrongFields(answer))).toEqual(['repo.name']);
    });

    it.each(['nowhere', '.git'])('only in a repository that its code host knows, not with %s', async (name) => {
      const answer = await admin.post('createQueue', { ...MAIN, repo: { ...REPO, name } });
      expect(codeOf(answer)).toBe('404 REPOSITORY_NOT_FOUND');
    });

    it('only on a configured code host; the error names the configured hosts', async () => {
      const answer = await admin.post('createQueue', { ...MAIN, repo: { ...REPO, host: 'github.com' } });
      expect(wrongFields(answer)['repo.host']).toContain('configured: local');
    });

    it('on a code host in any letter case', async () => {
      const otherwise = { repo: { ...REPO, host: 'LOCAL' }, targetBranch: 'next' };
      expect(codeOf(await admin.post('createQueue', otherwise))).toBe('200');
      expect(codeOf(await admin.post('createQueue', { ...MAIN, targetBranch: 'next' }))).toBe(
        '409 QUEUE_ALREADY_EXISTS',
      );
      expect(await queueOf('next')).toMatchObject({ branch: 'next', state: 'running' });
      const known = await service.prisma.repository.findMany({ where: { name: REPO.name, queues: { some: {} } } });
      expect(known.map(({ host }) => host)).toEqual(['local']);
    });
  });

  describe('is updated', () => {
    it('field by field: a field that is absent keeps its value', async () => {
      await admin.post('createQueue', { ...MAIN, targetBranch: 'spare' });
      let expected: Record<string, unknown> = { ...DEFAULTS, branch: 'spare' };
      for (const [name, value] of Object.entries(EVERY_SETTING)) {
        const answer = await admin.post('updateQueue', { ...MAIN, targetBranch: 'spare', [name]: value });
        if (name === 'concurrency') expected = { ...expected, bisectionConcurrency: value };
        expected = { ...expected, [name]: value };
        expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: expected });
      }
      expect(await queueOf('spare')).toEqual({ ...expected, enqueuedPullRequests: [] });
    });

    it('by an empty request, which answers the queue unchanged', async () => {
      const answer = await admin.post('updateQueue', MAIN);
      expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: DEFAULTS });
    });

    it('with null for fields that may be null', async () => {
      await admin.post('updateQueue', {
        ...MAIN,
        concurrency: 3,
        bisectionConcurrency: 2,
        pendingFailureDepth: 2,
        requiredStatuses: ['tests'],
      });
      const answer = await admin.post('updateQueue', {
        ...MAIN,
        bisectionConcurrency: null,
        pendingFailureDepth: null,
        requiredStatuses: null,
      });
      expect(answer.body).toMatchObject({ bisectionConcurrency: 3, pendingFailureDepth: 0, requiredStatuses: [] });
      await admin.post('updateQueue', { ...MAIN, concurrency: 1 });
    });

    it('with choices in any letter case', async () => {
      const answer = await admin.post('updateQueue', {
        ...MAIN,
        state: 'Paused',
        mergeMethod: 'REBASE',
        directMergeMode: 'Off',
      });
      expect(answer.body).toMatchObject({ state: 'paused', mergeMethod: 'rebase', directMergeMode: 'off' });
      await admin.post('updateQueue', { ...MAIN, state: 'RUNNING', mergeMethod: 'squash' });
    });

    it.each([
      { requiredStatuses: [] },
      { deleteRequiredStatuses: true },
      { requiredStatuses: [], deleteRequiredStatuses: true },
    ])('with %j: the queue itself then requires no status', async (change) => {
      const set = await admin.post('updateQueue', { ...MAIN, requiredStatuses: ['tests', 'lint', 'tests'] });
      expect(set.body.requiredStatuses).toEqual(['tests', 'lint']);
      expect(
        (await admin.post('updateQueue', { ...MAIN, deleteRequiredStatuses: false })).body.requiredStatuses,
      ).toHaveLength(2);
      expect((await admin.post('updateQueue', { ...MAIN, ...change })).body.requiredStatuses).toEqual([]);
    });

    it('only by a request without contradictions, not with a list of required statuses and their removal', async () => {
      const answer = await admin.post('updateQueue', {
        ...MAIN,
        requiredStatuses: ['tests'],
        deleteRequiredStatuses: true,
      });
      expect(Object.keys(wrongFields(answer))).toEqual(['deleteRequiredStatuses']);
    });
  });

  describe.each(['createQueue', 'updateQueue'])('refuses a wrong field of %s:', (operation) => {
    const refused = async (change: object) => wrongFields(await admin.post(operation, { ...MAIN, ...change }));

    it.each(
      INTEGERS.flatMap((name) => [-1, 1.5, 4_294_967_296, '7', true, [], {}].map((value) => [name, value] as const)),
    )('%s cannot be %j', async (name, value) => expect(Object.keys(await refused({ [name]: value }))).toEqual([name]));

    it.each(['pendingFailureDepth', 'bisectionConcurrency'])(
      '%s cannot be 0, because null stands for it',
      async (name) => {
        expect((await refused({ [name]: 0 }))[name]).toContain('send null');
      },
    );

    it.each(['concurrency', 'testingTimeoutMinutes'])('%s can be neither 0 nor null', async (name) => {
      expect((await refused({ [name]: 0 }))[name]).not.toContain('null');
      expect(Object.keys(await refused({ [name]: null }))).toEqual([name]);
    });

    it.each(SWITCHES.flatMap((name) => ['true', 1, null].map((value) => [name, value] as const)))(
      '%s cannot be %j',
      async (name, value) => {
        expect(await refused({ [name]: value })).toEqual({ [name]: `${name} must be true or false` });
      },
    );

    it.each([
      ['state', 'switching_modes'],
      ['state', 'stopped'],
      ['state', null],
      ['mode', 'serial'],
      ['mode', 7],
      ['scheduling', 'fifo'],
      ['scheduling', null],
      ['lineDepth', 'deep'],
      ['directMergeMode', 'on'],
      ['optimizationMode', ''],
      ['mergeMethod', 'fast_forward'],
      ['testBranchConstructionMode', 'other'],
      ['requiredStatuses', ['']],
      ['requiredStatuses', [' ']],
      ['requiredStatuses', ['tests ']],
      ['requiredStatuses', 'tests'],
      ['requiredStatuses', [7]],
      ['deleteRequiredStatuses', 'yes'],
      ['enqueueingLabel', ''],
      ['enqueueingLabel', 'x'.repeat(51)],
      ['allowedBotSubmitters', 'renovate'],
      ['allowedBotSubmitters', null],
    ])('%s cannot be %j', async (name, value) => expect(Object.keys(await refused({ [name]: value }))).toEqual([name]));

    it.each([
      [{ days: [] }, 'days'],
      [{ days: ['Freitag'] }, 'days'],
      [{ from: '25:00' }, 'from'],
      [{ from: '9:00' }, 'from'],
      [{ to: '24:01' }, 'to'],
      [{ to: '22:00' }, 'to'],
      [{ timeZone: 'Mars/Base' }, 'timeZone'],
      [{ exceptPriorityAtMost: -1 }, 'exceptPriorityAtMost'],
      [{ until: '2026-12-01' }, 'until'],
    ])('freezeWindows cannot have %j, and the field is named', async (wrong, field) => {
      const window = { ...EVERY_SETTING.freezeWindows[0], ...wrong };
      expect(Object.keys(await refused({ freezeWindows: [window] }))).toEqual([`freezeWindows.0.${field}`]);
    });

    it.each([[[]], [[null]], [['monday']], [[EVERY_SETTING.freezeWindows]]])(
      'attack: freezeWindows cannot be %j',
      async (freezeWindows) => {
        expect(Object.keys(await refused({ freezeWindows: [freezeWindows] }))).toContain('freezeWindows');
      },
    );

    it.each([
      ['//a', 'batchingRules'],
      [[{ targetPattern: '//a' }], 'batchingRules.0.policy'],
      [[{ targetPattern: '', policy: 'isolate' }], 'batchingRules.0.targetPattern'],
      [[{ targetPattern: '//a', policy: 'isolate', priority: 1 }], 'batchingRules.0.priority'],
      [[[]], 'batchingRules'],
      [[[{ targetPattern: '//a', policy: 'isolate' }]], 'batchingRules'],
    ])('batchingRules cannot be %j', async (batchingRules, field) => {
      expect(Object.keys(await refused({ batchingRules }))).toContain(field);
    });

    it.each([
      [{ scheduling: 'flow', mode: 'parallel', canOptimisticallyMerge: true }, 'mode', 'single'],
      [{ scheduling: 'flow' }, 'canOptimisticallyMerge', 'true'],
      [{ scheduling: 'flow', canOptimisticallyMerge: false }, 'canOptimisticallyMerge', 'true'],
    ])('%j: the error names both fields', async (settings, field, needed) => {
      expect(await refused({ ...settings, targetBranch: operation === 'createQueue' ? 'next' : 'main' })).toEqual({
        scheduling: `flow needs ${field} ${needed}`,
        [field]: `must be ${needed} with scheduling flow`,
      });
    });

    it('the error names a misspelt setting', async () => {
      expect(await refused({ concurency: 3 })).toEqual({ concurency: 'is not a field of this request' });
      expect(await refused({ repo: { ...REPO, branch: 'main' } })).toEqual({
        'repo.branch': 'is not a field of this request',
      });
    });

    it('the error names all wrong fields at once', async () => {
      const answer = await admin.post(operation, {
        repo: { host: 7, owner: '' },
        concurrency: 'two',
        batch: null,
        x: 1,
      });
      expect(Object.keys(wrongFields(answer)).sort()).toEqual(
        ['batch', 'concurrency', 'repo.host', 'repo.name', 'repo.owner', 'targetBranch', 'x'].sort(),
      );
    });

    it.each([undefined, null, [], [REPO], 'acme/widgets', 7])('repo cannot be %j', async (repo) => {
      expect(Object.keys(await refused({ repo }))).toContain('repo');
    });

    it.each([
      ...[['owner', '..'] as const, ['owner', 'acme/'] as const, ['owner', 'acme/../demo'] as const],
      ...[['name', '..'] as const, ['name', 'a/b'] as const, ['name', '-x'] as const, ['name', 'a b'] as const],
    ])('repo.%s cannot be %j', async (field, value) => {
      expect(Object.keys(await refused({ repo: { ...REPO, [field]: value } }))).toEqual([`repo.${field}`]);
    });

    it.each(['refs/heads/main', '', 'a b', '-x', 7, null])('targetBranch cannot be %j', async (targetBranch) => {
      expect(Object.keys(await refused({ targetBranch }))).toEqual(['targetBranch']);
    });
  });

  it('shows the mode to which it is switching', async () => {
    const { id } = await service.prisma.queue.findFirstOrThrow({ where: { liveBranch: 'main' } });
    const inForce = { state: 'running', mode: 'single', requestedMode: null, stateAfterSwitch: null };
    const asked = { state: 'switching_modes', requestedMode: 'parallel', stateAfterSwitch: 'running' };
    await service.prisma.queue.update({ where: { id }, data: { ...inForce, ...asked } });
    expect(await queueOf('main')).toMatchObject({ mode: 'parallel', state: 'switching_modes' });
    expect(codeOf(await admin.post('updateQueue', { ...MAIN, mode: 'single' }))).toBe('409 MODE_CHANGE_IN_PROGRESS');
    await service.prisma.queue.update({ where: { id }, data: inForce });
    expect(await queueOf('main')).toMatchObject({ mode: 'single', state: 'running' });
  });

  describe('that has entries', () => {
    it('lists the sequence first, then bisections, then waiting entries in their order, then entries not ready', async () => {
      const { id } = await service.prisma.queue.findFirstOrThrow({ where: { liveBranch: 'main' } });
      const at = (place: number, placeIndex = 0) => ({ place, placeIndex, state: 'testing' });
      await rows.entry(id, 11, { state: 'not_ready', submittedOrder: 1 });
      await rows.entry(id, 10, { state: 'not_ready', submittedOrder: 2, priority: 0, pendingRank: 0 });
      await rows.entry(id, 9, { submittedOrder: 3 });
      await rows.entry(id, 8, { submittedOrder: 4, priority: 10, usedDefaultPriority: false });
      await rows.entry(id, 7, { submittedOrder: 5, pendingRank: 1, returnedOrder: 1 });
      await rows.entry(id, 6, { submittedOrder: 6, pendingRank: 0, priority: 0, usedDefaultPriority: false });
      await rows.entry(id, 5, { submittedOrder: 7, state: 'testing', search: 1 });
      await rows.entry(id, 4, { submittedOrder: 8, search: 1 });
      await rows.entry(id, 13, { submittedOrder: 0, search: 2, pendingRank: 0, priority: 0 });
      await rows.entry(id, 3, { submittedOrder: 9, ...at(2, 1), state: 'pending_failure' });
      await rows.entry(id, 2, { submittedOrder: 10, ...at(2, 0), state: 'pending_failure' });
      await rows.entry(id, 1, { submittedOrder: 11, ...at(1), noBatch: true, priority: 7, usedDefaultPriority: false });
      await rows.entry(id, 12, { state: 'merged' });
      const { enqueuedPullRequests } = await queueOf('main');
      const numbers = enqueuedPullRequests.map((item) => item.prNumber);
      expect(numbers).toEqual([1, 2, 3, 5, 4, 13, 6, 7, 8, 9, 11, 10]);
      expect(enqueuedPullRequests[0]).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        state: 'testing',
        stateChangedAt: NOW.toISOString(),
        priorityValue: 7,
        priorityName: 'custom',
        usedDefaultPriorityName: '',
        skipTheLine: false,
        noBatch: true,
        prNumber: 1,
        prTitle: 'Change 1',
        prSha: '0000000000000000000000000000000000000001',
        prBaseBranch: 'main',
        prAuthor: 'Ada',
      });
      expect(enqueuedPullRequests[6]).toMatchObject({ priorityValue: 0, priorityName: 'urgent', skipTheLine: true });
      expect(enqueuedPullRequests[8]).toMatchObject({ priorityName: 'high', usedDefaultPriorityName: '' });
      expect(enqueuedPullRequests[9]).toMatchObject({ priorityName: 'medium', usedDefaultPriorityName: 'medium' });
    });

    it('in flow scheduling lists passed entries first, then running tests, then suspects by their sets', async () => {
      await admin.post('createQueue', {
        ...MAIN,
        targetBranch: 'suspects',
        scheduling: 'flow',
        canOptimisticallyMerge: true,
      });
      const { id } = await service.prisma.queue.findFirstOrThrow({ where: { liveBranch: 'suspects' } });
      const standing = (at: string, flow: object) => ({ standing: at, flow });
      await rows.entry(id, 27, { submittedOrder: 1 });
      await rows.entry(id, 26, { submittedOrder: 2, ...standing('suspect', { set: 4, index: 1 }) });
      await rows.entry(id, 25, { submittedOrder: 3, ...standing('suspect', { set: 4, index: 0 }) });
      await rows.entry(id, 24, { submittedOrder: 9, ...standing('suspect', { set: -5, index: 0 }) });
      await rows.entry(id, 23, { submittedOrder: 4, state: 'testing', ...standing('waiting', { run: 3 }) });
      await rows.entry(id, 22, { submittedOrder: 5, ...standing('passed', { passedAs: 9 }) });
      await rows.entry(id, 21, { submittedOrder: 6, ...standing('passed', { passedAs: 7 }) });
      const { enqueuedPullRequests, learned } = await queueOf('suspects');
      expect(enqueuedPullRequests.map((item) => item.prNumber)).toEqual([21, 22, 23, 24, 25, 26, 27]);
      expect(learned).toEqual({
        failure: { chance: 0.05, outcomes: 0 },
        misfit: { chance: expect.closeTo(0.005, 4) as number, outcomes: 0 },
        flake: { chance: 0.01, outcomes: 0 },
        targets: [],
        problem: null,
      });
    });

    const flowWith = (more: object): object => ({ ...FLOW_AT_START, ...more });

    it('in flow scheduling shows what was learned about the targets of its pull requests', async () => {
      const { id, repositoryId } = await service.prisma.queue.findFirstOrThrow({ where: { liveBranch: 'suspects' } });
      const names = ['docs', 'api', 'web'];
      const hashes = names.map((name) => hashesOf([name])[0]!);
      const { number, head: sha } = await service.prisma.entry.findFirstOrThrow({ where: { queueId: id } });
      await service.prisma.impactedTargets.create({
        data: { repositoryId, number, sha, all: false, targetCount: 3, names, hashes, updatedAt: new Date() },
      });
      const [docs, api] = hashes.map(Number);
      const areas = [
        { area: docs!, yes: 0, no: 40 },
        { area: 7, yes: 40, no: 0 },
        { area: api!, yes: 30, no: 10 },
      ];
      await service.prisma.queue.update({ where: { id }, data: { flow: flowWith({ areas }) } });
      expect((await queueOf('suspects')).learned).toMatchObject({
        targets: [
          { name: 'api', outcomes: 40, chance: expect.closeTo((1 + 28) / 60, 3) as number },
          { name: 'docs', outcomes: 40, chance: expect.closeTo(1 / 60, 3) as number },
        ],
        problem: null,
      });
    });

    it('in flow scheduling says if the learned facts cannot be read, and begins to learn again', async () => {
      const where = { id: (await service.prisma.queue.findFirstOrThrow({ where: { liveBranch: 'suspects' } })).id };
      const learned = { ...FLOW_AT_START.learned, flake: { yes: 1, no: 'many' } };
      await service.prisma.queue.update({ where, data: { flow: flowWith({ learned }) } });
      const answer = await admin.post('getQueue', { ...MAIN, targetBranch: 'suspects' });
      expect(answer.status).toBe(200);
      expect(answer.body.learned).toMatchObject({
        flake: { chance: 0.01, outcomes: 0 },
        problem: expect.stringContaining('(learned.flake.no is no number): the queue starts again') as string,
      });
      await service.prisma.queue.update({ where, data: { flow: flowWith({ results: 'some' }) } });
      expect((await queueOf('suspects')).learned).toMatchObject({
        problem: expect.stringContaining('This queue decides nothing until this is fixed') as string,
      });
    });

    it('is not deleted while it has any entry, even if the entry is not ready', async () => {
      expect(codeOf(await admin.post('deleteQueue', MAIN))).toBe('409 QUEUE_HAS_ACTIVE_ENTRIES');
      const concluded = { state: 'cancelled', place: null, search: null };
      await service.prisma.entry.updateMany({ where: { state: { notIn: ['merged', 'not_ready'] } }, data: concluded });
      expect(codeOf(await admin.post('deleteQueue', MAIN))).toBe('409 QUEUE_HAS_ACTIVE_ENTRIES');
      await service.prisma.entry.updateMany({ where: { state: 'not_ready' }, data: concluded });
      const answer = await admin.post('deleteQueue', MAIN);
      expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: {} });
    });

    it('is not found after its deletion; a new queue on that branch is empty', async () => {
      for (const operation of ['getQueue', 'updateQueue', 'deleteQueue']) {
        expect(codeOf(await admin.post(operation, MAIN))).toBe('404 MERGE_QUEUE_NOT_FOUND');
      }
      const pullRequest = { ...MAIN, pr: { number: 1 } };
      expect(codeOf(await admin.post('getSubmittedPullRequest', pullRequest))).toBe('404 MERGE_QUEUE_NOT_FOUND');
      expect((await admin.post('createQueue', MAIN)).status).toBe(200);
      expect((await queueOf('main')).enqueuedPullRequests).toEqual([]);
      expect(codeOf(await admin.post('getSubmittedPullRequest', pullRequest))).toBe('404 PR_NOT_FOUND');
    });
  });
});

describe('A repository without an owner', () => {
  let git: BareRepository;

  beforeAll(() => {
    git = BareRepository.create('acme', 'widgets');
  });

  afterAll(() => git.close());

  it.each([
    ['single', ['acme'], '200'],
    ['single', ['acme', 'other'], '404 REPOSITORY_NOT_FOUND'],
    ['on', ['acme', 'other'], '200'],
    ['off', ['acme'], '404 REPOSITORY_NOT_FOUND'],
  ] as const)(
    'with repositoryClaims %s and the organizations %j: createQueue answers %s',
    async (repositoryClaims, slugs, expected) => {
      const service = await Service.onGit(git, { repositoryClaims });
      try {
        for (const slug of slugs) await service.organization(slug);
        const admin = await service.client('acme', 'admin');
        expect(codeOf(await admin.post('createQueue', MAIN))).toBe(expected);
        expect(await service.prisma.repository.count()).toBe(expected === '200' ? 1 : 0);
      } finally {
        await service.stop();
      }
    },
  );

  it('is not assigned while its host does not answer, and nothing is stored', async () => {
    const unreachable = await Service.onGit(git, {
      hosts: [{ host: 'local', kind: 'git', url: '/nowhere/{owner}/{name}.git', pollSeconds: 5, settings: {} }],
    });
    try {
      await unreachable.organization('acme');
      const answer = await (await unreachable.client('acme', 'admin')).post('createQueue', MAIN);
      expect([codeOf(answer), await unreachable.prisma.repository.count()]).toEqual(['502 UPSTREAM_ERROR', 0]);
      expect(answer.text).not.toContain('/nowhere');
    } finally {
      await unreachable.stop();
    }
  });

  it('belongs to the organization that created a queue: other organizations get 404', async () => {
    const service = await Service.onGit(git, { repositoryClaims: 'on' });
    try {
      for (const slug of ['acme', 'other']) await service.organization(slug);
      await (await service.client('acme', 'admin')).post('createQueue', MAIN);
      const other = await service.client('other', 'admin');
      expect(codeOf(await other.post('createQueue', MAIN))).toBe('404 REPOSITORY_NOT_FOUND');
      expect(codeOf(await other.post('getQueue', MAIN))).toBe('404 REPOSITORY_NOT_FOUND');
    } finally {
      await service.stop();
    }
  });
});
