import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { writeNotes } from './ci-notes';
import type { UploadAnswer } from './send-upload';

const NOW = new Date('2026-11-29T12:00:00.000Z');
const TEST = { name: 'adds', classname: 'Cart', parent: '', file: 'cart.spec.ts', status: 'flaky' };
const ANSWER = { failures: [{ ...TEST, quarantined: false }], failures_truncated: false } as unknown as UploadAnswer;
const IGNORED = { ...ANSWER, failures: [{ ...TEST, quarantined: true }] };
const NONE = { ...ANSWER, failures: [] };

describe('the note about failed tests in CI', () => {
  let folder: string;
  let said: string[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-notes-'));
    said = [];
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const write = (env: Readonly<Record<string, string>>, answer = ANSWER) =>
    writeNotes(answer, { env, folder, say: (line) => said.push(line), now: NOW });
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

  it.each(['GITHUB_ACTIONS', 'GITEA_ACTIONS', 'FORGEJO_ACTIONS'])(
    'is in the log and the summary of the step: %s',
    async (name) => {
      const summary = join(folder, 'summary.md');
      writeFileSync(summary, 'before\n');
      await write({ [name]: 'true', GITHUB_STEP_SUMMARY: summary });
      expect(said).toEqual(['::error file=cart.spec.ts,title=Cart › adds (cart.spec.ts)::']);
      expect(read('summary.md')).toMatch(/^before\n### 1 failed test\n\n- `Cart › adds/);
    },
  );

  it("is left out if the summary, with the earlier output of the step, would exceed GitHub's limit", async () => {
    const summary = join(folder, 'summary.md');
    writeFileSync(summary, 'x'.repeat(1_048_570));
    await write({ GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary });
    expect(read('summary.md')).toHaveLength(1_048_570);
  });

  it("is in GitLab's code quality report, together with the issues of other tools", async () => {
    writeFileSync(join(folder, 'gl-code-quality-report.json'), '[{ "fingerprint": "of a linter" }]');
    for (const answer of [ANSWER, IGNORED]) await write({ GITLAB_CI: 'true' }, answer);
    expect(JSON.parse(read('gl-code-quality-report.json'))).toMatchObject([
      { fingerprint: 'of a linter' },
      { check_name: 'quarantined test' },
    ]);
    expect(said).toEqual([]);
  });

  it('leaves an existing code quality file unchanged if it is no list, and prints a warning', async () => {
    writeFileSync(join(folder, 'gl-code-quality-report.json'), '{}');
    await write({ GITLAB_CI: 'true' });
    expect([read('gl-code-quality-report.json'), said]).toEqual([
      '{}',
      ['Warning: The failed tests were not reported to CI: gl-code-quality-report.json is no list.'],
    ]);
  });

  it('is an annotation of Buildkite, through its agent', async () => {
    // The agent is a link to the shell, which gets the script as an argument, because the temporary folder may forbid
    // execution.
    symlinkSync('/bin/sh', join(folder, 'buildkite-agent'));
    writeFileSync(join(folder, 'annotate'), 'echo "annotate $@" > words\ncat > body\n');
    const PATH = `${folder}${delimiter}${process.env.PATH}`;
    await write({ BUILDKITE: 'true', BUILDKITE_STEP_ID: 's1', BUILDKITE_PARALLEL_JOB: '2', PATH });
    expect(said).toEqual([]);
    expect([read('words'), read('body')]).toEqual([
      'annotate --style error --context sluice-s1-2\n',
      expect.stringMatching(/^### 1 failed test\n/),
    ]);
    await write({ BUILDKITE: 'true', PATH }, IGNORED);
    expect(read('words')).toContain('--style info');
  });

  it('is a warning in the log if there is no Buildkite agent', async () => {
    await write({ BUILDKITE: 'true', PATH: folder });
    expect(said).toEqual([
      expect.stringMatching(/^Warning: The failed tests were not reported to CI: .*buildkite-agent/),
    ]);
  });

  it('is absent without a failed test, and in any other CI system', async () => {
    const summary = join(folder, 'summary.md');
    await write({ GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary }, NONE);
    await write({ CIRCLECI: 'true' });
    expect([said, existsSync(summary)]).toEqual([[], false]);
  });
});
