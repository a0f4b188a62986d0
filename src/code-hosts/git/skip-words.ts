/** The names of CI systems, or of their work, that words for skipping CI contain. */
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

/** Matches words such as `[skip ci]`, `[ci skip]`, `[no ci]` and `[skip-actions]`, in any letter case. */
const IN_BRACKETS = new RegExp(
  String.raw`\[(\s*(?:(?:skip|no)[\s_-]*(?:${SKIPPED})|(?:${SKIPPED})[\s_-]*skip)\s*)\]`,
  'gi',
);

/** Matches `***NO_CI***`, the word of Azure Pipelines. */
const IN_STARS = /(?<=\*\*\*)(no)_(ci)(?=\*\*\*)/gi;

/** Matches the trailers `skip-checks: true` and `request-checks: true` of GitHub and Azure. */
const TRAILER = /(skip|request)-(checks)(?=\s*:\s*true)/gi;

/**
 * The text, with words that skip CI broken up: `[skip ci]` becomes `(skip ci)`. CI would ignore a testing branch whose
 * last commit contains such a word. Other parts of the text stay unchanged.
 */
export function withoutSkipWords(text: string): string {
  return text.replace(IN_BRACKETS, '($1)').replace(IN_STARS, '$1 $2').replace(TRAILER, '$1 $2');
}
