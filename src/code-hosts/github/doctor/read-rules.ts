import type { HostRepository } from '../../../domain/code-host.port';
import { at, listAt, numberAt, textAt } from '../../reading';
import type { Read, RuleFacts } from './facts';
import type { GitHubQuestions } from './questions';

const PAGE = 100;
const PASSES = ['always', 'exempt'];

interface Ruleset {
  readonly name: string;
  readonly stopsUs: boolean | null;
}

/** The rules of rulesets for a branch with that name, which need not exist, and whether each rule stops the service. */
export async function readRules(
  questions: GitHubQuestions,
  repository: HostRepository,
  branch: string,
): Promise<Read<readonly RuleFacts[]>> {
  const place = { owner: repository.owner, repo: repository.name };
  const route = 'GET /repos/{owner}/{repo}/rules/branches/{branch}';
  const { read } = await questions.about(repository, route, { ...place, branch, per_page: PAGE });
  if (read.type !== 'read') return read;
  const rulesets = new Map<number, Ruleset>();
  const rules: RuleFacts[] = [];
  for (const rule of listAt(read.fact)) {
    const id = numberAt(rule, 'ruleset_id');
    const ruleset = id === null ? null : (rulesets.get(id) ?? (await readRuleset(questions, repository, id)));
    if (id !== null && ruleset !== null) rulesets.set(id, ruleset);
    rules.push({
      type: textAt(rule, 'type') ?? 'unknown',
      parameters: at(rule, 'parameters'),
      ruleset: ruleset?.name ?? 'of the repository',
      stopsUs: ruleset?.stopsUs ?? null,
    });
  }
  return { type: 'read', fact: rules };
}

async function readRuleset(questions: GitHubQuestions, repository: HostRepository, id: number): Promise<Ruleset> {
  const route = 'GET /repos/{owner}/{repo}/rulesets/{ruleset_id}';
  const place = { owner: repository.owner, repo: repository.name, ruleset_id: id };
  const { read } = await questions.about(repository, route, place);
  const body = read.type === 'read' ? read.fact : null;
  const bypass = textAt(body, 'current_user_can_bypass');
  const name = textAt(body, 'name');
  return {
    name: name === null ? `number ${id}` : `"${name}"`,
    stopsUs: bypass === null ? null : !PASSES.includes(bypass),
  };
}
