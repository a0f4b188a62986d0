import { runSluice } from '../../src/cli/run-sluice';
import type { StoredUpload } from '../../src/modules/test-health/http/uploads/dto/stored-upload.dto';
import { testCaseId } from '../../src/modules/test-health/rules/test-identity';
import { type Client, codeOf } from './client';
import { Rows, shaOf } from './rows';
import { NOW, Service } from './service';

const COMMON = { repo: { host: 'local', owner: 'acme', name: 'widgets' }, org_url_slug: 'acme' };
const [OLD, NEW] = ['old/cart.spec.ts', 'new/cart.spec.ts'];

describe('Moved tests in the API and the command line', () => {
  let service: Service;
  let admin: Client;
  let ci: Client;
  let repositoryId: string;
  let uploads = 0;

  beforeAll(async () => {
    service = await Service.start();
    repositoryId = await new Rows(service.prisma, NOW).repository(await service.organization('acme'), 'widgets');
    admin = await service.client('acme', 'admin');
    ci = await service.client('acme', 'ci');
    await ask(admin, 'update-settings', { quarantine_enabled: true });
  });
  afterAll(() => service.stop());

  const ask = (client: Client, operation: string, body: object = {}) =>
    client.post(`flaky-tests/${operation}`, { ...COMMON, ...body });
  const idOf = (file: string) =>
    testCaseId(repositoryId, { file, classname: 'Cart', parent: '', name: 'adds', variant: '' });

  /** Uploads a report of the job on a new commit. The report has one test, in this file. */
  async function upload(file: string, outcome: 'passed' | 'failed'): Promise<StoredUpload> {
    service.clock.advance(60_000);
    const of = { commit: shaOf(++uploads), branch: 'main', job: 'unit', attempt: `${uploads}`, test_exit_code: '1' };
    const query = new URLSearchParams({ repo: 'local/acme/widgets', org_url_slug: 'acme', ...of }).toString();
    const failure = outcome === 'failed' ? '<failure message="no"/>' : '';
    const report = `<testsuite><testcase name="adds" classname="Cart" file="${file}">${failure}</testcase><testcase name="stays"/></testsuite>`;
    const type = { 'content-type': 'application/xml' };
    const answer = await ci.send('POST', `flaky-tests/upload-results?${query}`, report, type);
    return answer.body as unknown as StoredUpload;
  }

  async function sluice(...words: readonly string[]): Promise<{ exit: number; out: string; err: string }> {
    const said = { out: '', err: '' };
    const terminal = {
      out: (text: string) => void (said.out += text),
      err: (text: string) => void (said.err += text),
      columns: undefined,
    };
    const to = ['--org', 'acme', '--url', service.url, '--token', admin.token ?? ''];
    return { exit: await runSluice(['tests', 'move', 'local/acme/widgets', ...words, ...to], terminal), ...said };
  }

  const quarantined = async () => {
    const tests = [OLD, NEW].map((file) => ({ name: 'adds', classname: 'Cart', file }));
    const { body } = await ask(ci, 'get-quarantined', { tests });
    return (body as unknown as { tests: { quarantined: boolean }[] }).tests.map((test) => test.quarantined);
  };

  it('are suggested, and their failures are not ignored until somebody confirms that both names are one test', async () => {
    for (let run = 0; run < 3; run++) await upload(OLD, 'passed');
    const setting = { setting: 'always_quarantine', reason: 'its clock is slow' };
    await ask(admin, 'set-quarantine', { test_case_id: idOf(OLD), ...setting });
    const { missing_tests: missing, all_failures_quarantined: isIgnored } = await upload(NEW, 'failed');
    expect([missing.map(({ file }) => file), isIgnored]).toEqual([[OLD], false]);
    expect(await quarantined()).toEqual([true, false]);
    expect((await ask(ci, 'list-moves')).body).toMatchObject({
      suggested: [{ from: { test_case_id: idOf(OLD), file: OLD }, to: { test_case_id: idOf(NEW) }, automatic: false }],
      moves: [],
    });
    const { out } = await sluice();
    expect(out).toContain(`${OLD} → ${NEW}`);
    expect(out).toContain('sluice tests move local/acme/widgets <test> <moved> --org acme');
  });

  it('keep the quarantine, are not reported as missing, and are found by either name', async () => {
    const { exit, out } = await sluice(idOf(OLD), idOf(NEW), '--reason', 'new folder');
    expect([exit, out]).toEqual([
      0,
      expect.stringMatching(/^The two tests are one test now: adds, healthy, quarantined\.\n[\s\S]*--undo \d+/),
    ]);
    expect(await quarantined()).toEqual([true, true]);
    const { missing_tests: missing, all_failures_quarantined: isIgnored, may_pass } = await upload(NEW, 'failed');
    expect([missing, isIgnored, may_pass]).toEqual([[], true, true]);
    expect((await upload(OLD, 'failed')).missing_tests).toEqual([]);
  });

  it('are two tests again after an undo, which is in the audit log', async () => {
    const { body } = await ask(admin, 'list-moves');
    const [{ id } = { id: '' }] = (body as unknown as { moves: { id: string }[] }).moves;
    const { exit, out } = await sluice('--undo', id);
    expect([exit, out]).toEqual([0, expect.stringContaining(`The second test has the id ${idOf(NEW)}.`)]);
    expect(await quarantined()).toEqual([true, false]);
    expect(codeOf(await ask(admin, 'undo-move', { move_id: id, reason: 'x' }))).toBe('404 NOT_FOUND');
    const events = await service.prisma.auditEvent.findMany({ where: { action: { startsWith: 'test.' } } });
    expect(events.map(({ action, actor, after }) => [action, actor, after])).toEqual([
      ['test.moved', 'admin of acme', { test_case_id: idOf(OLD), reason: 'new folder' }],
      ['test.move_undone', 'admin of acme', { test_case_id: idOf(NEW), reason: 'moved' }],
    ]);
  });

  it('are refused if both names are the same test, if one does not exist, or if both tests ran together', async () => {
    const move = async (from: string, to: string) =>
      codeOf(await ask(admin, 'move-test', { test_case_id: from, moved_test_case_id: to, reason: 'x' }));
    const nobody = '7d1f0b7e-52a4-5c3e-9a61-0c9b7f3d2e11';
    expect(await move(idOf(OLD), idOf(OLD))).toBe('400 VALIDATION_FAILED');
    expect(await move(idOf(OLD), nobody)).toBe('404 NOT_FOUND');
    const stays = testCaseId(repositoryId, { file: '', classname: '', parent: '', name: 'stays', variant: '' });
    expect(await move(idOf(OLD), stays)).toBe('400 VALIDATION_FAILED');
    expect((await sluice(idOf(OLD))).exit).toBe(2);
  });
});
