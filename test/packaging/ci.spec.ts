import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const ROOT = join(__dirname, '..', '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const yaml = (path: string): unknown => parse(read(path));

interface Workflow {
  on: Record<string, { branches?: string[] } | null>;
  jobs: Record<string, { steps: { uses?: string; run?: string; with?: Record<string, string> }[] }>;
}

const workflow = yaml('.github/workflows/ci.yml') as Workflow;
const jobs = Object.values(workflow.jobs);
const documents = (yaml('.github/workflows/docs.yml') as Workflow).jobs.publish!;
const pipeline = yaml('.gitlab-ci.yml') as Record<string, unknown>;

/** The Node versions that `npm run test:matrix` runs. */
const NODE = JSON.parse(read('test/matrix/node-versions.json')) as Record<
  'oldest' | 'oldest22' | 'newest22' | 'newest24' | 'newest26',
  string
>;
const { engines, scripts } = JSON.parse(read('package.json')) as {
  engines: { node: string };
  scripts: Record<string, string>;
};
/** The version without its patch number, as sentences write it. */
const minorOf = (version: string) => version.replace(/\.\d+$/, '');

describe('the Node.js versions', () => {
  it('that package.json allows begin with the oldest that the matrix tests', () => {
    expect(engines.node).toBe(`^${NODE.oldest} || ^${NODE.oldest22} || >=24.0.0`);
  });

  it.each(['README.md', 'CONTRIBUTING.md'])('that %s names are the oldest that the matrix tests', (path) => {
    const named = [...read(path).matchAll(/\bNode (?:≥ )?(\d+\.\d+)(?:,? (?:or )?(\d+\.\d+))?/g)];
    expect(named.length).toBeGreaterThan(0);
    for (const [, first, second] of named) {
      expect([first, second]).toEqual([minorOf(NODE.oldest), minorOf(NODE.oldest22)]);
    }
  });

  it('of the container image and of both CI files are the newest Node.js 24 that the matrix tests', () => {
    const inContainer = [...read('docker/Dockerfile').matchAll(/^FROM node:([\d.]+)-/gm)].map(([, version]) => version);
    expect(new Set(inContainer)).toEqual(new Set([NODE.newest24]));
    expect(jobs[0]?.steps[1]).toMatchObject({ with: { 'node-version': NODE.newest24 } });
    expect(documents.steps[1]).toMatchObject({ with: { 'node-version': NODE.newest24 } });
    const image = `node:${NODE.newest24}-bookworm`;
    expect(pipeline).toMatchObject({ check: { image }, pages: { image } });
  });
});

describe('the CI workflow for GitHub', () => {
  it('runs for pull requests and for pushes to main', () => {
    expect(workflow.on).toEqual({ push: { branches: ['main'] }, pull_request: null });
  });

  it('runs no other command than .ci/run', () => {
    expect(jobs).toHaveLength(1);
    expect(jobs[0]?.steps.flatMap(({ run }) => run ?? [])).toEqual(['.ci/run']);
    expect(jobs[0]?.steps.map(({ uses }) => uses?.split('@')[0])).toEqual([
      'actions/checkout',
      'actions/setup-node',
      undefined,
    ]);
  });
});

describe('the site with the documentation', () => {
  it('is published by both CI files', () => {
    const { script } = pipeline.pages as { readonly script: readonly string[] };
    const commands = [...documents.steps.flatMap(({ run }) => run ?? []), ...script];
    expect(commands.map((command) => command.split(' -- ')[0])).toEqual(['npm run docs:site', 'npm run docs:site']);
    expect(scripts).toHaveProperty(['docs:site']);
  });
});

describe('the CI pipeline for GitLab', () => {
  it('runs only .ci/run, and publishes the documentation', () => {
    expect(Object.keys(pipeline)).toEqual(['workflow', 'check', 'pages']);
    expect(pipeline.check).toEqual({ image: expect.any(String) as string, script: ['.ci/run'] });
  });
});

describe('the templates for issues and pull requests', () => {
  const forms = readdirSync(join(ROOT, '.github/ISSUE_TEMPLATE'));

  it.each(forms)('%s is a form in the format of GitHub', (file) => {
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

  it.each(forms)('%s asks the same questions as the template for GitLab', (file) => {
    const form = yaml(`.github/ISSUE_TEMPLATE/${file}`) as { body: { attributes: { label?: string } }[] };
    const name = `${file.charAt(0).toUpperCase()}${file.slice(1).replace('.yml', '.md')}`;
    const asked = [...read(`.gitlab/issue_templates/${name}`).matchAll(/^## (.*)$/gm)].map(([, question]) => question);
    expect(form.body.flatMap(({ attributes }) => attributes.label ?? [])).toEqual(asked);
  });

  it('ask the same questions about a change on GitHub and on GitLab', () => {
    expect(read('.gitlab/merge_request_templates/Default.md')).toBe(read('.github/pull_request_template.md'));
  });
});
