import { type Command, InvalidArgumentError, Option } from 'commander';

type Kind = 'number' | 'number or null' | 'boolean' | 'word' | 'words' | 'json';

interface Setting {
  /** As the interface calls it. */
  readonly field: string;
  readonly kind: Kind;
  readonly help: string;
}

const NULL = 'null';

/** The service checks the values and has the last word: this list only says how each is written on a command line. */
const SETTINGS: readonly Setting[] = [
  { field: 'state', kind: 'word', help: 'running, paused or draining' },
  { field: 'mode', kind: 'word', help: 'single or parallel' },
  { field: 'concurrency', kind: 'number', help: 'pull requests or batches tested at once' },
  {
    field: 'bisectionConcurrency',
    kind: 'number or null',
    help: 'test runs of culprit searches; null: as concurrency',
  },
  { field: 'testingTimeoutMinutes', kind: 'number', help: 'minutes until tests time out' },
  { field: 'pendingFailureDepth', kind: 'number or null', help: 'pull requests a failing one waits for; null: off' },
  { field: 'canOptimisticallyMerge', kind: 'boolean', help: 'a pass proves what is ahead, too' },
  { field: 'batch', kind: 'boolean', help: 'test pull requests in batches' },
  { field: 'batchingMaxWaitTimeMinutes', kind: 'number', help: 'minutes to wait for a batch to fill' },
  { field: 'batchingMinSize', kind: 'number', help: 'pull requests that form a batch' },
  { field: 'commentsEnabled', kind: 'boolean', help: 'comment on pull requests' },
  { field: 'commandsEnabled', kind: 'boolean', help: 'take the merge command in comments' },
  { field: 'createPrsForTestingBranches', kind: 'boolean', help: 'open pull requests for testing branches' },
  { field: 'statusCheckEnabled', kind: 'boolean', help: 'post a status check on pull requests' },
  { field: 'requiredStatuses', kind: 'words', help: 'statuses that must pass, instead of those the repository names' },
  { field: 'deleteRequiredStatuses', kind: 'boolean', help: 'true: take those of the repository again' },
  { field: 'directMergeMode', kind: 'word', help: 'off or always' },
  { field: 'optimizationMode', kind: 'word', help: 'off or bisection_skip_redundant_tests' },
  { field: 'mergeMethod', kind: 'word', help: 'merge_commit, squash or rebase' },
  { field: 'extensionEnabled', kind: 'boolean', help: 'stored and returned only' },
  { field: 'labelCommandsEnabled', kind: 'boolean', help: 'take a label as the merge command' },
  { field: 'stateLabelsEnabled', kind: 'boolean', help: 'show the state as labels' },
  { field: 'enqueueingLabel', kind: 'word', help: 'the label that submits a pull request' },
  { field: 'notReadyTimeoutHours', kind: 'number', help: 'hours until what never gets ready is cancelled' },
  { field: 'testBranchConstructionMode', kind: 'word', help: 'push_new_branch_from_temp or rename_temp_branch' },
  { field: 'allowedBotSubmitters', kind: 'words', help: 'bots that may submit; without names: every bot' },
  { field: 'batchingRules', kind: 'json', help: 'as JSON: [{"targetPattern":"//infra/*","policy":"isolate"}]' },
];

/** One option per setting: `--testing-timeout-minutes 30`, `--batch true`, `--required-statuses test lint`. */
export function withQueueSettings(command: Command): Command {
  for (const { field, kind, help } of SETTINGS) {
    const option = new Option(`--${kebab(field)} ${placeholder(kind)}`, help);
    // Names come one by one: commander collects them.
    command.addOption(kind === 'words' ? option : option.argParser((text) => parse(kind, text)));
  }
  return command;
}

/** The settings that were said, as the interface takes them. */
export function settingsSaid(options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const said = SETTINGS.filter(({ field }) => options[field] !== undefined);
  return Object.fromEntries(said.map(({ field, kind }) => [field, valueOf(kind, options[field])]));
}

/** What commander cannot hand on as it is: a null, and a list without names, which arrives as `true`. */
function valueOf(kind: Kind, option: unknown): unknown {
  if (kind === 'number or null' && option === NULL) return null;
  return kind === 'words' && option === true ? [] : option;
}

function parse(kind: Kind, text: string): unknown {
  switch (kind) {
    case 'number':
    case 'number or null':
      if (kind === 'number or null' && text === NULL) return NULL;
      if (/^\d+$/.test(text)) return Number(text);
      throw new InvalidArgumentError(`It is a whole number${kind === 'number' ? '' : ' or null'}.`);
    case 'boolean':
      if (text === 'true' || text === 'false') return text === 'true';
      throw new InvalidArgumentError('It is true or false.');
    case 'json':
      return parseJson(text);
    case 'word':
    case 'words':
      return text;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new InvalidArgumentError('It is not JSON.');
  }
}

function placeholder(kind: Kind): string {
  const shown = { number: 'n', 'number or null': 'n|null', boolean: 'true|false', word: 'word', json: 'json' } as const;
  return kind === 'words' ? '[name...]' : `<${shown[kind]}>`;
}

function kebab(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
