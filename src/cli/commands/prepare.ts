import type { Command } from 'commander';
import { NothingToPrepare, type Preparation, type PreparationWanted } from '../../code-hosts/preparation';
import { readConfig } from '../../platform/config/read-config';
import type { RepositoryName } from '../../platform/repository-name';
import { describeRepository, parseRepository, REPOSITORY } from '../arguments';
import { CliError } from '../cli-error';
import type { Terminal } from '../terminal';

interface Options {
  readonly branch?: string;
  readonly protect?: true;
  readonly keepButton?: readonly string[];
  readonly dryRun?: true;
  readonly json?: true;
}

/** The preparation of a repository at one kind of code host, and the texts about it. */
export interface PreparingKind {
  readonly kind: string;
  readonly guide: string;
  readonly description: string;
  /** The permission that the rule of `--protect` grants. */
  readonly rule: string;
  /** True: with `--protect`, people can no longer use the merge button of the code host. */
  readonly takesButton?: true;
  /** Throws NothingToPrepare. */
  readonly prepare: (wanted: PreparationWanted) => Promise<readonly Preparation[]>;
}

const MARKS = { done: 'done', 'was so': 'ok', 'to do': 'to do', left: 'LEFT' } as const;
const MARK_WIDTH = 7;
const KEEP_BUTTON = '--keep-button <logins>';

/** Adds `prepare` to the commands of a kind of code host. */
export function addPrepareCommand(program: Command, terminal: Terminal, kind: PreparingKind): void {
  const command = program
    .command('prepare')
    .description(`${kind.description}; steps that the token may not do are listed`)
    .argument(...REPOSITORY, parseRepository)
    .option('--branch <name>', 'the target branch; default: the default branch of the repository')
    .option('--protect', `protect the target branch if it has no rule: then ${kind.rule}`)
    .option('--dry-run', 'change nothing, and list what would be done')
    .option('--json', 'answer in JSON, for programs');
  if (kind.takesButton)
    command.option(KEEP_BUTTON, 'with --protect: logins who keep the merge button of the host', listed);
  command.action(async (name: RepositoryName, options: Options) => {
    const done = await prepare(kind, name, options);
    const remaining = done.filter(({ outcome }) => outcome === 'left');
    terminal.out(`${options.json ? JSON.stringify(done, null, 2) : done.flatMap(linesOf).join('\n')}\n`);
    if (remaining.length === 0) return;
    throw new CliError(`${remaining.length} of ${done.length} steps left to do manually.`, {
      code: 'LEFT_TO_DO',
      next: remaining[0]?.advice ?? undefined,
    });
  });
}

async function prepare(
  { kind, guide, prepare: prepareIt }: PreparingKind,
  name: RepositoryName,
  options: Options,
): Promise<readonly Preparation[]> {
  const { hosts, publicUrl, brand } = readConfig();
  const config = hosts.find((one) => one.host === name.host.toLowerCase() && one.kind === kind);
  if (config === undefined) {
    throw new CliError(`SLUICE_HOSTS has no host ${name.host} of kind "${kind}".`, {
      code: 'NOT_FOUND',
      next: `Run this where the service runs, with its SLUICE_HOSTS. See ${guide}.`,
    });
  }
  const { branch = null, protect = false, dryRun = false, keepButton: keepsButton = [] } = options;
  const repository = { owner: name.owner, name: name.name };
  try {
    return await prepareIt({
      config,
      repository,
      publicUrl,
      brand,
      branch,
      protects: protect,
      keepsButton,
      isDryRun: dryRun,
    });
  } catch (error) {
    if (!(error instanceof NothingToPrepare)) throw error;
    const next = `Look for ${describeRepository(name)} on the server.`;
    throw new CliError(error.message, { code: 'NOT_FOUND', next });
  }
}

/** `ann,ben` */
function listed(logins: string): readonly string[] {
  return logins
    .split(',')
    .map((login) => login.trim())
    .filter((login) => login !== '');
}

function linesOf({ outcome, what, advice }: Preparation): string[] {
  const line = `${MARKS[outcome].padEnd(MARK_WIDTH)}${what}`;
  return advice === null ? [line] : [line, `${' '.repeat(MARK_WIDTH)}-> ${advice}`];
}
