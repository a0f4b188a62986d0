import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoredUpload } from '../../src/modules/test-health/http/uploads/dto/stored-upload.dto';
import { EvaluationTicker } from '../../src/modules/test-health/storage/evaluation/evaluation-ticker';
import type { Client } from './client';
import { Rows, shaOf } from './rows';
import { NOW, Service } from './service';

const REPO = { host: 'local', owner: 'acme', name: 'widgets' };
const MINUTE_MS = 60_000;

describe('The failures in the answer to an upload', () => {
  let service: Service;
  let ci: Client;
  let folder: string;
  let uploads = 0;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-known-'));
    service = await Service.start({ dataDirectory: folder });
    const organization = await service.organization('acme');
    const rows = new Rows(service.prisma, NOW);
    await rows.repository(organization, 'widgets');
    await rows.repository(organization, 'gadgets', 'acme', 'gitlab.example');
    ci = await service.client('acme', 'ci');
    const settings = { repo: REPO, org_url_slug: 'acme', quarantine_enabled: true, auto_quarantine: true };
    await (await service.client('acme', 'admin')).post('flaky-tests/update-settings', settings);
  });
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true });
  });

  /** Uploads results in the notation `a b!`: a passed, and b failed. */
  async function upload(tests: string, more: object = {}, codeowners = '* @all\n/w/ @web\n'): Promise<StoredUpload> {
    service.clock.advance(MINUTE_MS);
    uploads += 1;
    const cases = tests.split(' ').map((word) => {
      const failure =
        '<failure message="expected 2">expected 2\n  at w.ts:12\n  token=ghp_a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1</failure>';
      return `<testcase name="${word.replace('!', '')}" classname="W" file="w/w.ts">${word.endsWith('!') ? failure : ''}</testcase>`;
    });
    const form = new FormData();
    const of = {
      repo: REPO,
      org_url_slug: 'acme',
      branch: 'main',
      job: 'unit',
      commit: shaOf(uploads),
      attempt: `${uploads}`,
    };
    form.append('metadata', JSON.stringify({ ...of, ...more }));
    form.append('codeowners', codeowners);
    form.append('r', new Blob([`<testsuite>${cases.join('')}</testsuite>`]), 'r.xml');
    const path = `${service.url}/v1/flaky-tests/upload-results`;
    const response = await fetch(path, { method: 'POST', headers: { 'x-api-token': ci.token ?? '' }, body: form });
    expect(response.status).toBe(200);
    const body = (await response.json()) as StoredUpload;
    await service.app.get(EvaluationTicker).drain();
    return body;
  }

  it('have the earlier health, owner and page of each test, and the failure message without secrets', async () => {
    for (let run = 0; run < 3; run++) await upload('a b c d e f g h i j k l');
    const { failures } = await upload('a! b c d e f g h i j k l', { upload_id: 'first' });
    const [{ known, test_case_id } = { known: null, test_case_id: '' }] = failures;
    expect(known).toEqual({
      ...{ since: expect.any(String) as string, reason: 'no monitor is active on the test', codeowners: ['@web'] },
      html_url: expect.stringMatching(new RegExp(`^https?://.+/ui/tests/${test_case_id}$`)) as string,
      quarantine_url: expect.stringMatching(new RegExp(`/ui/tests/${test_case_id}\\?quarantine=always$`)) as string,
      ...{ earlier_runs: { days: 7, ran: 3, failed: 0 }, passed_on_retry: false, last_failure: null },
      message: 'expected 2',
      stack: expect.stringMatching(/at w\.ts:12\n {2}token=<secret>$/) as string,
    });
  });

  it('tell a test that passed on a retry in the upload from tests that failed', async () => {
    await upload('retried twice once other');
    const { failures } = await upload('retried! retried twice! twice! once! other');
    const retried = failures.map(({ name, known }) => `${name} ${known?.passed_on_retry}`);
    expect(retried.toSorted()).toEqual(['once false', 'retried true', 'twice false']);
  });

  it('are the same when the upload is repeated, whatever was uploaded meanwhile', async () => {
    await upload('a! b');
    const again = await upload('x', { upload_id: 'first' });
    expect([again.status, again.failures[0]?.known]).toEqual([
      'known',
      expect.objectContaining({ earlier_runs: { days: 7, ran: 3, failed: 0 } }),
    ]);
  });

  it('show how long a test has been flaky, and when the test last failed outside of pull requests', async () => {
    const commit = { commit: shaOf(900) };
    await upload('b! c', commit);
    const failedAt = service.clock.now();
    await upload('b c', commit);
    await upload('b! c', { branch: 'topic', pr_number: 7 });
    const { failures } = await upload('c! b!');
    expect(failures.map(({ name, status, quarantined }) => `${name} ${status} ${quarantined}`)).toEqual([
      'c healthy false',
      'b flaky true',
    ]);
    expect(failures[1]?.known).toMatchObject({
      reason: 'failed and passed on commit 0000000',
      earlier_runs: { days: 30, failed: 2 },
      last_failure: { at: failedAt.toISOString(), branch: 'main' },
    });
  });

  it("have the owner by GitLab's rules, for a repository on GitLab", async () => {
    const rules = '* @all\nw/ @web\n!w.ts\n';
    const of = (repo: object) => upload('owned!', { repo }, rules);
    expect((await of(REPO)).failures[0]?.known?.codeowners).toEqual(['@web']);
    expect(
      (await of({ host: 'gitlab.example', owner: 'acme', name: 'gadgets' })).failures[0]?.known?.codeowners,
    ).toEqual([]);
  });
});
