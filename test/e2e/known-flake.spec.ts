import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shaOf } from './rows';
import { UploadingProject } from './uploading-project';
import { Visitor } from './visitor';

const SHOP = `
import { test } from 'node:test';
import { existsSync } from 'node:fs';
test('pays', () => { if (existsSync('slow')) throw new Error('no answer within 5 s'); });
test('sells', () => { if (existsSync('broken')) throw new Error('sold out'); });
`;
const ADDRESS = /https?:\/\/\S+\/ui\/tests\/[0-9a-f-]{36}\?quarantine=always/;

describe('A job that failed because of a known flaky test', () => {
  let project: UploadingProject;
  let folder: string;
  let admin: Visitor;
  let reader: Visitor;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-steps-'));
    project = await UploadingProject.open({ 'shop.test.mjs': SHOP });
    [admin, reader] = [new Visitor(project.service.url), new Visitor(project.service.url)];
    await admin.signIn(project.admin.token);
    await reader.signIn((await project.service.client('acme', 'read')).token);
    for (let run = 0; run < 3; run++) await project.runWithNode();
    const commit = shaOf(900);
    project.write('slow', '');
    await project.runWithNode({ commit });
    project.remove('slow');
    await project.runWithNode({ commit });
  });
  afterAll(async () => {
    await project.close();
    rmSync(folder, { recursive: true });
  });

  /** The values of the form's fields when nobody types anything, as a browser sends them. */
  function fieldsOf(page: string): Record<string, string> {
    const form = page.split('action="/ui/tests/quarantine')[1]!.split('</form>')[0]!;
    const inputs = [...form.matchAll(/<input\b[^>]*?\bname="([^"]*)"[^>]*?\bvalue="([^"]*)"/g)];
    const [, select = '', options = ''] = /<select\b[^>]*?\bname="([^"]*)"[^>]*>([\s\S]*?)<\/select>/.exec(form) ?? [];
    const [, chosen = ''] = /<option\b[^>]*?\bvalue="([^"]*)"[^>]*?\bselected/.exec(options) ?? [];
    return { ...Object.fromEntries(inputs.map(([, name, value]) => [name!, value!])), [select]: chosen };
  }

  it('passes again in three steps: read the log, open its link, and confirm on the page', async () => {
    const summary = join(folder, 'summary.md');
    Object.assign(process.env, { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary });
    project.write('slow', '');

    // 1. The job's log and its summary mark the failure as known, and contain a link.
    const red = await project.runWithNode();
    expect(red.exit).toBe(1);
    expect(red.out).toMatch(/^ {4}known flaky since .*: failed and passed on commit 0000000, http/m);
    const [address = ''] = ADDRESS.exec(red.out) ?? [];
    expect(readFileSync(summary, 'utf8')).toContain(`[Quarantine…](${address})`);
    expect(red.out + red.err).toContain('::error ');

    // 2. The link opens the form for that test. Opening the form changes nothing.
    const { pathname, search } = new URL(address);
    const page = await admin.get(pathname + search);
    expect(page.text).toMatch(/<details class="act" open>/);
    const fields = fieldsOf(page.text);
    expect(fields).toMatchObject({ setting: 'always_quarantine', reason: 'known to be flaky' });
    expect((await project.testNamed('pays')).quarantined).toBe(false);

    // 3. One click on the form's button is enough, without typing anything.
    expect(await admin.post('/ui/tests/quarantine', fields)).toMatchObject({
      status: 303,
      to: `${pathname}?done=quarantine_set`,
    });

    const green = await project.runWithNode();
    expect(green.exit).toBe(0);
    expect(green.out).toContain('Failed, and quarantined:');
    project.remove('slow');
    delete process.env.GITHUB_ACTIONS;
  });

  it('shows people who may not quarantine a page that says so, without a form', async () => {
    const { id } = await project.testNamed('sells');
    const page = await reader.get(`/ui/tests/${id}?quarantine=always`);
    expect(page.text).toContain('Only a token with the role <b>admin</b> quarantines a test.');
    expect(page.text).not.toContain('action="/ui/tests/quarantine');
  });

  it('has a page with a closed form and an empty reason, until somebody opens the form', async () => {
    const { id } = await project.testNamed('sells');
    expect((await admin.get(`/ui/tests/${id}`)).text).toMatch(/<details class="act"\s*>/);
    expect(fieldsOf((await admin.get(`/ui/tests/${id}?quarantine=always`)).text).reason).toBe('');
  });

  it('shows a test that never passed as "Failed each time", not as healthy, on the page of the test and in lists', async () => {
    project.write(
      'new.test.mjs',
      "import { test } from 'node:test';\ntest('rings', () => { throw new Error('no'); });\n",
    );
    await project.runWithNode();
    const { id, status } = await project.testNamed('rings');
    expect(status).toBe('healthy');
    for (const path of [`/ui/tests/${id}`, '/ui/tests?repo=local/acme/widgets&list=failing&q=rings']) {
      const { text } = await reader.get(path);
      expect([text.includes('Failed each time'), text.includes('Healthy')]).toEqual([true, false]);
    }
  });
});
