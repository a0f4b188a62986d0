import { parse } from 'yaml';
import { filesIn, readDocument } from './documents';

interface Rule {
  readonly if: string;
  readonly when?: string;
}

type Variables = Readonly<Record<string, string>>;

const [GITLAB, GITEA] = [readDocument('docs/gitlab.md'), readDocument('docs/gitea.md')];

/** The YAML blocks of a document, parsed. */
function recipesIn(document: string): readonly Record<string, unknown>[] {
  return [...document.matchAll(/^```ya?ml\n([\s\S]*?)^```/gm)].map(
    ([, text]) => parse(text ?? '') as Record<string, unknown>,
  );
}

/** The statuses that the guide's queue requires. */
function requiredIn(document: string): readonly string[] {
  const [, list] = /"requiredStatuses": (\[[^\]]*\])/.exec(document) ?? [];
  return JSON.parse(list ?? '[]') as string[];
}

/** Evaluates GitLab expressions as far as recipes use them: one comparison with a text, a variable or a pattern. */
function holds(expression: string, variables: Variables): boolean {
  const [, name = '', operator, right = ''] = /^\$(\w+) (==|=~) (.+)$/.exec(expression) ?? [];
  if (operator === undefined) throw new Error(`This test does not read: ${expression}`);
  const left = variables[name];
  if (operator === '=~') return left !== undefined && new RegExp(right.slice(1, -1)).test(left);
  const other = right.startsWith('$') ? variables[right.slice(1)] : (JSON.parse(right) as string);
  return left !== undefined && left === other;
}

/** Whether the rules start the job: the first matching rule decides. Without a match, nothing starts. */
function starts(rules: readonly Rule[], variables: Variables): boolean {
  const first = rules.find((rule) => holds(rule.if, variables));
  return first !== undefined && first.when !== 'never';
}

const DEFAULT = { CI_DEFAULT_BRANCH: 'main' };
const push = (branch: string): Variables => ({ ...DEFAULT, CI_PIPELINE_SOURCE: 'push', CI_COMMIT_BRANCH: branch });
const mergeRequest = (branch: string): Variables => ({
  ...{ ...DEFAULT, CI_PIPELINE_SOURCE: 'merge_request_event' },
  CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: branch,
});

/** Every text of a recipe that a shell might run. */
function textsIn(recipe: unknown): readonly string[] {
  if (typeof recipe === 'string') return [recipe];
  return typeof recipe === 'object' && recipe !== null ? Object.values(recipe).flatMap(textsIn) : [];
}

describe('recipes for CI', () => {
  it.each([
    ['docs/gitlab.md', GITLAB],
    ['docs/gitea.md', GITEA],
  ])('install the command from a package that the reader names, never from a registry: %s', (_, document) => {
    const commands = textsIn(recipesIn(document)).filter((text) => /\bnpx\b/.test(text));
    expect(commands.length).toBeGreaterThan(0);
    expect(commands.filter((text) => !text.includes('npx --yes --package "$SLUICE_PACKAGE" sluice upload'))).toEqual(
      [],
    );
    const using = recipesIn(document).filter((recipe) =>
      textsIn(recipe).some((text) => text.includes('$SLUICE_PACKAGE')),
    );
    expect(using.every((recipe) => JSON.stringify(recipe).includes('"SLUICE_PACKAGE":"'))).toBe(true);
  });
});

describe('the npm name `sluice`', () => {
  it('belongs to no package, so no page, message or file tells people to run it from a registry', () => {
    const texts = ['.md', '.ts', '.yml', '.yaml', '.service', '.sh'].flatMap((ending) => filesIn('.', ending));
    const read = texts.filter((path) => !/^(CHANGELOG\.md|docs\/adr\/|test\/docs\/ci-recipes)/.test(path));
    expect(read.length).toBeGreaterThan(1_000);
    expect(read.filter((path) => /npx (?:--yes |-y )?sluice\b/.test(readDocument(path)))).toEqual([]);
  });
});

describe('the pipeline in docs/gitlab.md', () => {
  const [recipe] = recipesIn(GITLAB) as [Record<string, { readonly rules: readonly Rule[] }>];

  it.each([
    ['a testing branch', push('sluice-merge/pr-7/a'), true],
    ['the draft of a testing branch, which has its pipeline already', mergeRequest('sluice-merge/pr-7/a'), false],
    ['a merge request', mergeRequest('feature'), true],
    ['its branch, which has its pipeline already', push('feature'), false],
    ['the target', push('main'), true],
  ])('starts as expected for %s', (_, variables, isRun) => {
    expect(starts(recipe.workflow?.rules ?? [], variables)).toBe(isRun);
  });

  it('sends impacted targets only for merge requests, and has the required job in every pipeline', () => {
    expect(starts(recipe.targets?.rules ?? [], mergeRequest('feature'))).toBe(true);
    expect(starts(recipe.targets?.rules ?? [], push('sluice-merge/pr-7/a'))).toBe(false);
    expect(requiredIn(GITLAB).map((name) => [name, Object.keys(recipe[name] ?? {})])).toEqual([['test', ['script']]]);
  });
});

describe('the workflows in docs/gitea.md', () => {
  const [actions, woodpecker] = recipesIn(GITEA);

  it('report under the names that the guide requires', () => {
    const { name, on, jobs } = actions as { name: string; on: string; jobs: Record<string, object> };
    const reported = Object.keys(jobs).map((job) => `${name} / ${job} (${on})`);
    expect(requiredIn(GITEA)).toHaveLength(1);
    expect(reported).toEqual(expect.arrayContaining([...requiredIn(GITEA)]));
    const file = /as `\.woodpecker\/(\w+)\.yaml`, it is `ci\/woodpecker\/pr\/(\w+)`/.exec(GITEA);
    expect(file?.[1]).toBe(file?.[2]);
    expect(woodpecker).toMatchObject({ when: { event: 'pull_request' }, steps: { unit: {}, targets: {} } });
  });
});
