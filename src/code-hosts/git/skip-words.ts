/** What CI systems call themselves, or what they run, in words that keep them from running. */
const SKIPPED = [
  'ci',
  'cd',
  'actions?',
  'workflows?',
  'pipelines?',
  'builds?',
  'github',
  'gitlab',
  'gitea',
  'forgejo',
  'azure[ _-]?pipelines',
  'azp(?:ipelines)?',
  'appveyor',
  'bitrise',
  'buildkite',
  'circle[ _-]?ci',
  'cirrus',
  'codebuild',
  'drone',
  'jenkins',
  'semaphore',
  'travis(?:[ _-]?ci)?',
  'woodpecker',
].join('|');

/** `[skip ci]`, `[ci skip]`, `[no ci]`, `[skip-actions]`: all are read whatever their case. */
const IN_BRACKETS = new RegExp(
  String.raw`\[(\s*(?:(?:skip|no)[\s_-]*(?:${SKIPPED})|(?:${SKIPPED})[\s_-]*skip)\s*)\]`,
  'gi',
);

/** Azure Pipelines'. */
const IN_STARS = /(?<=\*\*\*)(no)_(ci)(?=\*\*\*)/gi;

/** GitHub's trailers `skip-checks: true` and `request-checks: true`, and Azure's of the same name. */
const TRAILER = /(skip|request)-(checks)(?=\s*:\s*true)/gi;

/**
 * The text, with the words that keep CI from running broken up: `[skip ci]` becomes `(skip ci)`. A run whose testing branch
 * ended in such a commit would be tested by nobody. Text without such words stays as it is.
 */
export function withoutSkipWords(text: string): string {
  return text.replace(IN_BRACKETS, '($1)').replace(IN_STARS, '$1 $2').replace(TRAILER, '$1 $2');
}
