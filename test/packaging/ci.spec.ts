import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const ROOT = join(__dirname, '..', '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const yaml = (path: string): unknown => parse(read(path));

/** The oldest of each major version that package.json allows, such as 20.19. */
const ALLOWED = [
  ...(JSON.parse(read('package.json')) as { engines: { node: string } }).engines.node.matchAll(/(\d+\.\d+)\.0/g),
].map(([, version]) => version);
const OLDEST = ALLOWED[0];
const OF_THE_CONTAINER = [...read('docker/Dockerfile').matchAll(/^FROM node:(\d+)\./gm)].map(([, major]) => major);

describe('the Node versions', () => {
  it('are one in the container: the newest that package.json allows', () => {
    expect(new Set(OF_THE_CONTAINER)).toEqual(new Set([ALLOWED.at(-1)?.split('.')[0]]));
  });

  it('are those of package.json in the matrix of tests', () => {
    const [, versions = ''] = /^for version in (.*); do$/m.exec(read('test/matrix.sh')) ?? [];
    const majors = versions.split(' ').map((version) => version.split('.')[0]);
    expect(majors).toEqual(ALLOWED.map((version) => version?.split('.')[0]));
    expect(versions.split(' ')[0]).toBe(OLDEST);
  });
});

describe('the workflow for GitHub Actions', () => {
  interface Workflow {
    on: Record<string, { branches?: string[] } | null>;
    jobs: Record<string, { strategy: { matrix: { node: string[] } }; steps: { uses?: string; run?: string }[] }>;
  }
  const workflow = yaml('.github/workflows/ci.yml') as Workflow;
  const jobs = Object.values(workflow.jobs);

  it('runs for pull requests and for main', () => {
    expect(workflow.on).toEqual({ push: { branches: ['main'] }, pull_request: null });
  });

  it('does nothing but call .ci/run', () => {
    expect(jobs).toHaveLength(1);
    expect(jobs[0]?.steps.flatMap(({ run }) => run ?? [])).toEqual(['.ci/run']);
    expect(jobs[0]?.steps.map(({ uses }) => uses?.split('@')[0])).toEqual([
      'actions/checkout',
      'actions/setup-node',
      undefined,
    ]);
  });

  it('runs on the Node of the container and on the oldest', () => {
    expect(jobs[0]?.strategy.matrix.node).toEqual([OF_THE_CONTAINER[0], OLDEST]);
    expect(jobs[0]?.steps[1]).toMatchObject({ with: { 'node-version': '${{ matrix.node }}' } });
  });
});

describe('the pipeline for GitLab', () => {
  const pipeline = yaml('.gitlab-ci.yml') as Record<string, unknown>;

  it('does nothing but call .ci/run, on the Node of the container and on the oldest', () => {
    expect(Object.keys(pipeline)).toEqual(['workflow', 'check']);
    expect(pipeline.check).toEqual({
      parallel: { matrix: [{ NODE: [OF_THE_CONTAINER[0], OLDEST] }] },
      image: 'node:${NODE}-bookworm',
      script: ['.ci/run'],
    });
  });
});

describe('the templates', () => {
  const forms = readdirSync(join(ROOT, '.github/ISSUE_TEMPLATE'));

  it.each(forms)('%s is a form that GitHub can show', (file) => {
    const form = yaml(`.github/ISSUE_TEMPLATE/${file}`) as {
      name: string;
      description: string;
      body: { type: string; id?: string; attributes: { label?: string; value?: string } }[];
    };
    expect([typeof form.name, typeof form.description]).toEqual(['string', 'string']);
    const questions = form.body.filter(({ type }) => type !== 'markdown');
    expect(questions.filter(({ type }) => !['textarea', 'input'].includes(type))).toEqual([]);
    expect(questions.every(({ attributes }) => typeof attributes.label === 'string')).toBe(true);
    expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length);
  });

  it.each(forms)('%s asks the same as the template for GitLab', (file) => {
    const form = yaml(`.github/ISSUE_TEMPLATE/${file}`) as { body: { attributes: { label?: string } }[] };
    const name = `${file.charAt(0).toUpperCase()}${file.slice(1).replace('.yml', '.md')}`;
    const asked = [...read(`.gitlab/issue_templates/${name}`).matchAll(/^## (.*)$/gm)].map(([, question]) => question);
    expect(form.body.flatMap(({ attributes }) => attributes.label ?? [])).toEqual(asked);
  });

  it('ask the same of a change on both', () => {
    expect(read('.gitlab/merge_request_templates/Default.md')).toBe(read('.github/pull_request_template.md'));
  });
});
