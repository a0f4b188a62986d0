import { randomUUID } from 'node:crypto';
import { runSluice } from '../../src/cli/run-sluice';
import { EvaluationTicker } from '../../src/modules/test-health/storage/evaluation/evaluation-ticker';
import { testCaseId } from '../../src/modules/test-health/rules/test-identity';
import { type Answer, type Client, codeOf, wrongFields } from './client';
import { Rows, shaOf } from './rows';
import { NOW, Service } from './service';

const DAY_MS = 86_400_000;
const REPO = { host: 'local', owner: 'acme', name: 'widgets' };
const COMMON = { repo: REPO, org_url_slug: 'acme' };
const RETRY = {
  ...{ type: 'pass_on_retry', name: 'pass_on_retry', enabled: true, quiet_days: 7, minimum_commits: 1, branches: [] },
};
const STREAKS = {
  ...{ type: 'consecutive_failures', name: 'consecutive_failures', enabled: true, threshold: 3, flaky_threshold: 8 },
  branches: ['stable', 'queue'],
};
const TRANSITIONS = {
  ...{ type: 'transitions', name: 'transitions', enabled: true, threshold: 2, window_days: 30, minimum_runs: 10 },
  branches: ['stable', 'queue'],
};
const RATE = {
  ...{ type: 'failure_rate', name: 'often on main', enabled: true, window_hours: 24, threshold: 0.5 },
  ...{ recover_below: 0.25, minimum_runs: 2, branches: ['main'], verdict: 'broken' },
};
const COUNT = {
  ...{ type: 'failure_count', name: 'in the queue', enabled: false, window_hours: 6, threshold: 3 },
  ...{ branches: ['queue'], verdict: 'flaky', minimum_runs: 1 },
};

/** Fields that the answers of these operations share. */
interface State {
  readonly test_case_id: string;
  readonly quarantined: boolean;
  readonly reason: string;
  readonly status: string;
}

describe('Quarantine and its rules', () => {
  let service: Service;
  let admin: Client;
  let ci: Client;
  let reader: Client;
  let repositoryId: string;

  beforeAll(async () => {
    service = await Service.start();
    const rows = new Rows(service.prisma, NOW);
    repositoryId = await rows.repository(await service.organization('acme'), 'widgets');
    admin = await service.client('acme', 'admin');
    ci = await service.client('acme', 'ci');
    reader = await service.client('acme', 'read');
  });

  afterAll(() => service.stop());

  const ask = (client: Client, operation: string, body: object = {}) =>
    client.post(`flaky-tests/${operation}`, { ...COMMON, ...body });
  const stateOf = async (name: string): Promise<State> => {
    const answer = await ask(ci, 'get-quarantined', { tests: [{ name, classname: 'Widgets' }] });
    return (answer.body as unknown as { tests: State[] }).tests[0]!;
  };
  const idOf = (name: string) =>
    testCaseId(repositoryId, { file: '', classname: 'Widgets', parent: '', name, variant: '' });
  const sayOf = async (answer: Promise<Answer>): Promise<State> => {
    const { status, text, body } = await answer;
    if (status !== 200) throw new Error(text);
    return body as unknown as State;
  };

  /** CI uploads a report with results of some tests on one commit. */
  async function upload(commit: string, outcomes: Readonly<Record<string, 'passed' | 'failed'>>): Promise<void> {
    const cases = Object.entries(outcomes).map(
      ([name, outcome]) =>
        `<testcase name="${name}" classname="Widgets">${outcome === 'failed' ? '<failure message="no"/>' : ''}</testcase>`,
    );
    const report = `<testsuite>${cases.join('')}</testsuite>`;
    const of = { repo: 'local/acme/widgets', org_url_slug: 'acme', commit, branch: 'main', attempt: randomUUID() };
    const query = new URLSearchParams(of);
    const path = `flaky-tests/upload-results?${query.toString()}`;
    const answer = await ci.send('POST', path, report, { 'content-type': 'application/xml' });
    expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 });
    await service.app.get(EvaluationTicker).drain();
  }

  async function flake(name: string): Promise<string> {
    await upload(shaOf(1), { [name]: 'failed' });
    await upload(shaOf(1), { [name]: 'passed' });
    return idOf(name);
  }

  const settings = async () => {
    const { body } = await ask(reader, 'get-settings');
    return body as unknown as object;
  };
  const update = (body: object) => ask(admin, 'update-settings', body);
  const queuedHeadsOf = (name: string) =>
    service.prisma.testQuarantineChange.findMany({ where: { testCaseId: idOf(name) }, orderBy: { id: 'asc' } });
  const listed = async (): Promise<string[]> => {
    const answer = await ask(reader, 'list-quarantined-tests', { page_query: { page_size: 100 } });
    return answer.body.quarantined_tests.map(({ name }) => name);
  };

  afterEach(async () => {
    await update({ quarantine_enabled: false });
    await service.prisma.testHealthSettings.deleteMany();
  });

  describe('The settings of a repository', () => {
    it('are off by default: nothing is quarantined; the monitors for retries, failures and transitions are on', async () => {
      expect(await settings()).toEqual({
        quarantine_enabled: false,
        auto_quarantine: false,
        infrastructure_failures: 0.25,
        monitors: [RETRY, STREAKS, TRANSITIONS],
      });
    });

    it('keep fields that a request omits, and are answered as they were sent', async () => {
      const monitors = [RATE, { ...RETRY, enabled: false, quiet_days: 3 }, COUNT];
      expect((await update({ quarantine_enabled: true, infrastructure_failures: 0.5 })).status).toBe(200);
      const { body } = await update({ auto_quarantine: true, monitors });
      const expected = { quarantine_enabled: true, auto_quarantine: true, infrastructure_failures: 0.5, monitors };
      expect(body).toEqual(expected);
      expect(await settings()).toEqual(expected);
    });

    it('keep both changes of two people at the same time', async () => {
      const answers = await Promise.all([
        update({ quarantine_enabled: true }),
        update({ auto_quarantine: true }),
        update({ infrastructure_failures: 0.1 }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(await settings()).toMatchObject({
        quarantine_enabled: true,
        auto_quarantine: true,
        infrastructure_failures: 0.1,
      });
    });

    const rate = (more: object) => [RETRY, { ...RATE, ...more }];
    const count = (more: object) => [RETRY, { ...COUNT, ...more }];

    it.each([
      ['no monitors', [], ['monitors']],
      ['two that look for passes on retry', [RETRY, RETRY], ['monitors']],
      ['two of one name', [RETRY, RATE, { ...COUNT, name: RATE.name }], ['monitors']],
      ['a list as a monitor', [RETRY, []], ['monitors']],
      ['a field of another type', [{ ...RETRY, window_hours: 7 }], ['monitors.0.window_hours']],
      ['more quiet days than failures are remembered', [{ ...RETRY, quiet_days: 31 }], ['monitors.0.quiet_days']],
      ['another name for passes on retry', [{ ...RETRY, name: 'mine' }], ['monitors.0.name']],
      ['the name of passes on retry', rate({ name: 'pass_on_retry' }), ['monitors', 'monitors.1.name']],
      ['a percentage as a share', rate({ threshold: 30 }), ['monitors.1.threshold']],
      ['a recovery above the threshold', rate({ recover_below: 0.6 }), ['monitors.1.recover_below']],
      ['an empty pattern', rate({ branches: ['main', ''] }), ['monitors.1.branches']],
      [
        'an unknown verdict and field',
        rate({ verdict: 'bad', window: 7 }),
        ['monitors.1.verdict', 'monitors.1.window'],
      ],
      ['a share as a number of failures', count({ threshold: 0.5 }), ['monitors.1.threshold']],
      ['nothing of whether it is on', count({ enabled: undefined }), ['monitors.1.enabled']],
    ])('refuse monitors with %s', async (_what, monitors, fields) => {
      expect(Object.keys(wrongFields(await update({ monitors }))).sort()).toEqual(fields);
      expect(await settings()).toMatchObject({ monitors: [RETRY, STREAKS, TRANSITIONS] });
    });

    it('refuse a misspelt or unknown setting by name', async () => {
      const body = { quarantineEnabled: true, quarantine_enabled: 'yes', auto_quarantine: null };
      expect(Object.keys(wrongFields(await update({ ...body, infrastructure_failures: 1.1 }))).sort()).toEqual([
        'auto_quarantine',
        'infrastructure_failures',
        'quarantineEnabled',
        'quarantine_enabled',
      ]);
    });
  });

  describe('A flaky test', () => {
    it('is quarantined only while the settings of the repository say so', async () => {
      await flake('clicks');
      expect(await stateOf('clicks')).toMatchObject({
        status: 'flaky',
        quarantined: false,
        reason: 'quarantine is off in this repository',
      });
      await update({ quarantine_enabled: true });
      expect(await listed()).toEqual([]);
      await update({ auto_quarantine: true });
      expect(await listed()).toEqual(['clicks']);
      expect(await stateOf('clicks')).toMatchObject({
        quarantined: true,
        reason: 'flaky tests are quarantined in this repository',
      });
      await update({ quarantine_enabled: false });
      expect(await listed()).toEqual([]);
      expect(await queuedHeadsOf('clicks')).toMatchObject([
        { quarantined: true, actor: null, setting: 'unspecified', at: service.clock.now() },
        { quarantined: false, actor: null, reason: 'quarantine is off in this repository' },
      ]);
    });

    it('is quarantined when its status becomes flaky, and no longer when the status changes', async () => {
      await update({ quarantine_enabled: true, auto_quarantine: true });
      await flake('drags');
      expect(await listed()).toContain('drags');
      service.clock.advance(7 * DAY_MS);
      await service.app.get(EvaluationTicker).drain();
      expect(await stateOf('drags')).toMatchObject({ status: 'healthy', quarantined: false });
      expect(await listed()).not.toContain('drags');
    });

    it('gets its quarantine from changed settings without another upload', async () => {
      await upload(shaOf(2), { drops: 'failed' });
      await upload(shaOf(3), { drops: 'failed' });
      await upload(shaOf(4), { drops: 'failed' });
      expect(await stateOf('drops')).toMatchObject({ status: 'healthy' });
      await update({ monitors: [RETRY, RATE] });
      expect(await stateOf('drops')).toMatchObject({ status: 'broken' });
      const { statusReason } = await service.prisma.testCase.findUniqueOrThrow({ where: { id: idOf('drops') } });
      expect(statusReason).toBe('failed in 100 % of 3 runs on main in 24 hours; the limit is 50 %');
      await update({ monitors: [RETRY] });
      expect(await stateOf('drops')).toMatchObject({ status: 'healthy' });
    });
  });

  describe('A preview of monitors', () => {
    it('evaluates the stored results, and changes nothing', async () => {
      const id = await flake('previewed');
      await update({ monitors: [{ ...RETRY, enabled: false }] });
      expect(await stateOf('previewed')).toMatchObject({ status: 'healthy' });
      const { body } = await ask(reader, 'preview-monitors', { monitors: [RETRY] });
      const preview = body as unknown as { tests: object[]; flaky: number; changed: number; complete: boolean };
      expect(preview.tests).toContainEqual({
        ...{ test_case_id: id, name: 'previewed', status: 'healthy', would_be: 'flaky' },
        reason: 'failed and passed on commit 0000000',
      });
      expect([preview.flaky > 0, preview.changed, preview.complete]).toEqual([true, preview.flaky, true]);
      expect(await stateOf('previewed')).toMatchObject({ status: 'healthy' });
      expect(await settings()).toMatchObject({ monitors: [{ enabled: false }] });
      const wrong = await ask(reader, 'preview-monitors', { monitors: [] });
      expect(Object.keys(wrongFields(wrong))).toEqual(['monitors']);
    });
  });

  it('has the right status for every test after many parallel uploads, while people change settings', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `crowded ${index}`);
    const outcomes = (number: number) =>
      names.map((name, index) => [name, (index + number) % 2 === 0 ? 'passed' : 'failed'] as const);
    const uploads = Array.from({ length: 8 }, (_, number) => {
      const own = number < 4 ? outcomes(number) : outcomes(number).toReversed();
      return upload(shaOf(9), Object.fromEntries(own));
    });
    const changes = Array.from({ length: 4 }, () => update({ quarantine_enabled: true, auto_quarantine: true }));
    await Promise.all(uploads);
    expect((await Promise.all(changes)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await service.app.get(EvaluationTicker).drain();
    const answer = await ask(ci, 'get-quarantined', { tests: names.map((name) => ({ name, classname: 'Widgets' })) });
    expect(answer.body).toMatchObject({ all_quarantined: true, tests: names.map(() => ({ status: 'flaky' })) });
    expect((await listed()).filter((name) => name.startsWith('crowded'))).toHaveLength(40);
    const where = { testCaseId: { in: names.map(idOf) } };
    expect(await service.prisma.testStatusChange.count({ where })).toBe(40);
  });

  describe('A manual setting for a test', () => {
    const set = (client: Client, test_case_id: string, setting: string, reason = 'known') =>
      ask(client, 'set-quarantine', { test_case_id, setting, reason });

    beforeEach(() => update({ quarantine_enabled: true, auto_quarantine: true }));

    it('overrides the status, and is stored with author, time and reason', async () => {
      await upload(shaOf(4), { types: 'passed' });
      const always = await sayOf(set(admin, idOf('types'), 'ALWAYS_QUARANTINE', 'needs the new server'));
      expect(always).toEqual({
        test_case_id: idOf('types'),
        name: 'types',
        status: 'healthy',
        quarantine_setting: 'always_quarantine',
        quarantined: true,
        reason: 'set manually: always quarantined',
      });
      expect(await listed()).toContain('types');
      await flake('types');
      expect((await sayOf(set(admin, idOf('types'), 'never_quarantine'))).quarantined).toBe(false);
      expect((await sayOf(set(admin, idOf('types'), 'unspecified'))).quarantined).toBe(true);
      expect(await queuedHeadsOf('types')).toMatchObject([
        {
          ...{ actor: 'admin of acme', at: service.clock.now(), reason: 'needs the new server' },
          ...{ setting: 'always_quarantine', quarantined: true },
        },
        { setting: 'never_quarantine', quarantined: false },
        { setting: 'unspecified', quarantined: true },
      ]);
    });

    it('is forbidden for a CI job, because a CI job runs the code of the pull request', async () => {
      const id = await flake('scrolls');
      expect(codeOf(await set(ci, id, 'always_quarantine'))).toBe('403 INSUFFICIENT_PERMISSIONS');
    });

    it('must be for a test of this repository', async () => {
      const unknown = '7d1f0b7e-52a4-5c3e-9a61-0c9b7f3d2e11';
      expect(codeOf(await set(admin, unknown, 'always_quarantine'))).toBe('404 NOT_FOUND');
      const id = await flake('scrolls');
      await new Rows(service.prisma, NOW).repository(await service.organization('other'), 'widgets', 'other');
      const stranger = await service.client('other', 'admin');
      const foreign = { repo: { ...REPO, owner: 'other' }, org_url_slug: 'other', setting: 'always_quarantine' };
      const answer = await stranger.post('flaky-tests/set-quarantine', { ...foreign, test_case_id: id, reason: 'x' });
      expect(codeOf(answer)).toBe('404 NOT_FOUND');
      const tests = [{ id }];
      const asked = await stranger.post('flaky-tests/get-quarantined', { ...foreign, tests });
      expect(asked.body).toMatchObject({ tests: [{ known: false, name: '', quarantined: false }] });
      const wrong = { test_case_id: 'x', setting: 'sometimes', reason: '' };
      expect(Object.keys(wrongFields(await ask(admin, 'set-quarantine', wrong))).sort()).toEqual([
        'reason',
        'setting',
        'test_case_id',
      ]);
    });
  });

  describe('A CI job', () => {
    it('learns for each of its failures whether to ignore it, by name or id, in the order of the request', async () => {
      await update({ quarantine_enabled: true, auto_quarantine: true });
      const id = await flake('zooms');
      const tests = [
        { name: 'new', variant: 'linux' },
        { id: id.toUpperCase() },
        { name: 'zooms', classname: 'Widgets' },
      ];
      const { body } = await ask(ci, 'get-quarantined', { tests });
      expect(body).toMatchObject({
        quarantine_enabled: true,
        all_quarantined: false,
        tests: [
          { name: 'new', known: false, quarantined: false, reason: 'nothing was uploaded about this test' },
          { test_case_id: id, name: 'zooms', known: true, quarantined: true },
          { test_case_id: id, known: true, quarantined: true },
        ],
      });
      const own = await ask(ci, 'get-quarantined', { tests: tests.slice(1) });
      expect(own.body).toMatchObject({ all_quarantined: true });
    });

    it('may ask for a thousand tests at most, each with a name or an id', async () => {
      const many = Array.from({ length: 1_001 }, (_, index) => ({ name: `test ${index}` }));
      expect(wrongFields(await ask(ci, 'get-quarantined', { tests: many }))).toEqual({
        tests: 'tests must be a list of at most 1000 tests',
      });
      expect((await ask(ci, 'get-quarantined', { tests: many.slice(1) })).status).toBe(200);
      const wrong = [{}, { name: 7 }, { id: 'x' }, { name: 'right', file: null }];
      expect(Object.keys(wrongFields(await ask(ci, 'get-quarantined', { tests: wrong })))).toEqual([
        'tests.0.name',
        'tests.1.name',
        'tests.2.id',
        'tests.3.file',
      ]);
    });
  });

  describe('A monitor that is muted for a test', () => {
    const mute = (test_case_id: string, more: object = {}) =>
      ask(admin, 'mute-monitor', { test_case_id, monitor: 'pass_on_retry', reason: 'known', ...more });

    it('does not count until the mute ends, by time or manually', async () => {
      const id = await flake('hovers');
      const until = new Date(service.clock.now().getTime() + DAY_MS).toISOString();
      expect(await sayOf(mute(id, { until }))).toEqual({
        ...{ test_case_id: id, monitor: 'pass_on_retry', muted: true, until, status: 'healthy' },
      });
      expect(await service.prisma.testMute.findFirst()).toMatchObject({ actor: 'admin of acme', reason: 'known' });
      service.clock.advance(DAY_MS);
      await service.app.get(EvaluationTicker).drain();
      expect(await stateOf('hovers')).toMatchObject({ status: 'flaky' });

      expect(await sayOf(mute(id))).toMatchObject({ muted: true, until: null, status: 'healthy' });
      const body = { test_case_id: id, monitor: 'pass_on_retry' };
      const unmuted = { ...body, muted: false, until: null, status: 'flaky' };
      expect(await sayOf(ask(admin, 'unmute-monitor', body))).toEqual(unmuted);
      expect(await sayOf(ask(admin, 'unmute-monitor', body))).toEqual(unmuted);
    });

    it('needs an existing monitor, and an end of the mute in the future', async () => {
      const id = await flake('hovers');
      expect(wrongFields(await mute(id, { monitor: 'none' }))).toEqual({
        monitor: 'must be one of: pass_on_retry, consecutive_failures, transitions',
      });
      const until = service.clock.now().toISOString();
      expect(wrongFields(await mute(id, { until }))).toEqual({ until: 'must be in the future' });
      expect(Object.keys(wrongFields(await mute(id, { until: 'soon' })))).toEqual(['until']);
      expect(codeOf(await mute('7d1f0b7e-52a4-5c3e-9a61-0c9b7f3d2e11'))).toBe('404 NOT_FOUND');
    });
  });

  describe('sluice tests', () => {
    async function sluice(...args: string[]): Promise<string> {
      const said = { out: '', err: '' };
      const [command, ...more] = args;
      const exit = await runSluice(
        [
          'tests',
          command!,
          'local/acme/widgets',
          ...more,
          '--org',
          'acme',
          '--url',
          admin.url,
          '--token',
          admin.token!,
        ],
        { out: (text) => (said.out += text), err: (text) => (said.err += text), columns: undefined },
      );
      return exit === 0 ? said.out : `${exit}: ${said.err}`;
    }

    it('shows a test that becomes flaky, is quarantined and becomes healthy again', async () => {
      const id = await flake('swipes');
      expect(await sluice('list')).toMatch(
        new RegExp(`${id}  flaky +-  +swipes \\(failed and passed on commit 0000000\\)`),
      );
      // The command uses the machine's clock, which differs from the service's clock. So the command lists some tests,
      // or none.
      expect(await sluice('list', '--which', 'failing')).toMatch(/TEST +STATUS|No test of .* failed/);
      expect(await sluice('list', '--which', 'quarantined')).toContain('No test of local/acme/widgets is quarantined.');
      expect(await sluice('settings')).toContain('quarantine: off');
      const changed = await sluice('settings', '--quarantine-enabled', 'true', '--infrastructure-failures', '0.9');
      expect(changed).toContain('changed: quarantine_enabled, infrastructure_failures');
      expect(changed).toContain('quarantine: on, only manually');
      expect(await sluice('quarantine', id, 'always', '--reason', 'known')).toContain('swipes: quarantined');
      expect(await sluice('list', '--which', 'quarantined')).toContain('swipes');
      expect(await sluice('mute', id, 'pass_on_retry', '--reason', 'known', '--until', '2999-01-31')).toContain(
        'is healthy',
      );
      expect(await sluice('unmute', id, 'pass_on_retry')).toContain('is flaky');
      expect(await sluice('quarantine', id, 'unspecified', '--reason', 'mended')).toContain('swipes: not quarantined');
    });

    it('shows why a test has its status, and the messages of its failures', async () => {
      const id = await flake('slides');
      const shown = await sluice('show', id);
      expect(shown).toMatch(
        /^slides.*\n {2}flaky: failed and passed on commit 0000000\n {2}failed in 50\.0 % of its runs/,
      );
      expect(shown).toMatch(
        /\npass_on_retry \(flaky\): failed and passed on commit 0000000; until .*\n {2}failed 2026-/,
      );
      expect(shown).toMatch(/\nFailed 2026-\S+ 0000000 main.*\n {2}\S/);
      expect(JSON.parse(await sluice('show', id, '--json'))).toMatchObject({ failure_groups: [{ counted: true }] });
      expect(await sluice('show', 'x')).toMatch(/^1: sluice: test_id/);
    });

    it('shows monitors in the format that the command accepts', async () => {
      const { monitors } = JSON.parse(await sluice('settings', '--json')) as { monitors: object[] };
      const changed = await sluice('settings', '--monitors', JSON.stringify([...monitors, RATE]));
      expect(changed).toContain('monitor pass_on_retry: on; ');
      expect(changed).toContain(
        'monitor often on main (failure_rate): on; branches main; window_hours 24; threshold 0.5; verdict broken',
      );
    });

    it('shows a preview of monitors', async () => {
      const id = await flake('tried');
      await sluice('settings', '--monitors', JSON.stringify([{ ...RETRY, enabled: false }]));
      const said = await sluice('preview', '--monitors', JSON.stringify([RETRY]));
      expect(said).toMatch(/local\/acme\/widgets: \d+ flaky, 0 broken, \d+ with another status than now/);
      expect(said).toContain(`${id}  healthy -> flaky  tried (failed and passed on commit 0000000)`);
    });

    it('names arguments that it does not understand', async () => {
      expect(await sluice('quarantine', 'x', 'sometimes', '--reason', 'x')).toMatch(/^2: .*always, never, unspecified/);
      expect(await sluice('quarantine', 'x', 'always', '--reason', 'x')).toMatch(/^1: sluice: test_case_id/);
      expect(await sluice('settings', '--monitors', '[')).toMatch(/^2: .*not JSON/);
    });
  });
});
