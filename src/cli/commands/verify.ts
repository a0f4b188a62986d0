import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { CliError } from '../cli-error';
import { verifyWork } from '../loaded-later';
import { table } from '../reply';
import type { Terminal } from '../terminal';
import type {
  CheckedBranch,
  CheckedCommit,
  OpenedStatement,
  ProofRepository,
  ProveTree,
  TrustedKeys,
} from '../verify-work';

interface Options {
  readonly key: string;
  readonly bundle: string;
  readonly json?: true;
}

interface Verification extends CheckedBranch {
  readonly branch: string;
  readonly tip: string;
  /** Number of the newest statement of the bundle. */
  readonly newest: number;
}

const SHORT = 12;
const SHOWN_VERIFIED = 10;

/** Exits with 1 when a commit fails the check or has no statement. */
export function addVerifyCommand(program: Command, terminal: Terminal): void {
  program
    .command('verify')
    .description('prove the merges of a branch with signed statements, git and a clone; no service')
    .argument('<repository>', 'folder of a clone')
    .argument('<branch>', 'the branch, such as main')
    .argument('[range]', 'commits as <from>..<to>; default: all from the first statement on')
    .requiredOption('--key <file>', 'file with public keys: from GET /v1/attestations/keys, or in PEM')
    .requiredOption('--bundle <file>', 'file with statements and heads: from GET /v1/attestations/bundle')
    .option('--json', 'answer in JSON, for programs')
    .action(async (folder: string, branch: string, range: string | undefined, options: Options) => {
      const verification = await verify(folder, branch, range, options);
      const { json } = options;
      terminal.out(`${json ? JSON.stringify(verification, null, 2) : reportOf(verification).join('\n')}\n`);
      const fault = refusalOf(verification);
      if (fault !== null) throw fault;
    });
}

async function verify(
  folder: string,
  branch: string,
  range: string | undefined,
  { key, bundle }: Options,
): Promise<Verification> {
  const { checkBranch, ProofRepository, ProofRefused } = verifyWork();
  const trusted = readKeys(key);
  try {
    const repository = await ProofRepository.open(folder);
    try {
      const tip = await repository.tipOf(branch, range);
      const files = await repository.read(bundle, tip);
      const opened = open(files, trusted);
      const history = await repository.history(tip, await baseOf(repository, range, opened));
      const goesOn = tip !== (await repository.tipOf(branch, undefined));
      const checked = await checkBranch({ branch, goesOn, ...history }, opened, proving(repository));
      const newest = Math.max(0, ...opened.map(({ landing }) => landing?.number ?? 0));
      return { branch, tip, newest, ...checked };
    } finally {
      await repository.close();
    }
  } catch (error) {
    if (error instanceof ProofRefused) throw new CliError(error.message, { exit: 2, code: 'USAGE' });
    throw error;
  }
}

function readKeys(file: string): TrustedKeys {
  try {
    return verifyWork().keysInFile(readFileSync(file, 'utf8'));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CliError(`--key ${file}: ${why}.`, { exit: 2 });
  }
}

function open(files: ReadonlyMap<string, string>, trusted: TrustedKeys): readonly OpenedStatement[] {
  const { isStatementFile, KEYS_FILE, listedKeysIn, openStatement, withRotated } = verifyWork();
  const keys = withRotated(trusted, listedKeysIn(files.get(KEYS_FILE) ?? '') ?? []);
  const statements = [...files].filter(([name]) => isStatementFile(name));
  return statements.map(([name, text]) => openStatement(name, text, keys));
}

/** The commit below the range. Without a range, it is the base that the first statement names. */
async function baseOf(
  repository: ProofRepository,
  range: string | undefined,
  opened: readonly OpenedStatement[],
): Promise<string | null> {
  const { ProofRefused } = verifyWork();
  if (range !== undefined && !range.includes('..')) {
    throw new ProofRefused('Write the range as <from>..<to>; either may be left out.');
  }
  const [from = ''] = (range ?? '').split('..');
  if (from !== '') {
    const commit = await repository.commitOf(from);
    if (commit === null) throw new ProofRefused(`The clone has no commit ${from}.`);
    return commit;
  }
  const landings = opened.flatMap(({ landing }) => landing ?? []);
  const [first] = landings.toSorted((a, b) => a.number - b.number);
  return first === undefined ? null : repository.commitOf(first.before);
}

/** Proves a tree with git: the commit must have the tree that a merge of the head gives. */
function proving(repository: ProofRepository): ProveTree {
  return async (landing, base, below) => {
    const counting = [];
    for (const { commit, merged, heads } of below) {
      const landed = merged && { below: merged.before, commit: merged.after };
      if (await repository.isBelow(commit, heads)) counting.push({ commit, landed });
    }
    const made = await repository.merge(base, landing.pullRequest.head, counting);
    if ('problem' in made) return made.problem;
    if (made.tree === landing.tree) return null;
    const { number, head } = landing.pullRequest;
    return `a merge of pull request ${number} at ${short(head)} gives the tree ${short(made.tree)}, but the commit has ${short(landing.tree)}`;
  };
}

function refusalOf({ commits, faults, newest }: Verification): CliError | null {
  const { atFault, without } = counts(commits);
  if (atFault.length + faults.length > 0) {
    return new CliError(`${sum(atFault.length, 'commit')} at fault.`, {
      code: 'AT_FAULT',
      next: `Look at ${atFault[0] ? `git show ${short(atFault[0].commit)}` : 'the lines above'}, and ask who runs the queue.`,
    });
  }
  if (without.length === 0) return null;
  return new CliError(`${sum(without.length, 'commit')} without a statement.`, {
    code: 'WITHOUT_STATEMENT',
    next: `Either somebody pushed to the branch, or the end of the bundle is missing: its newest statement is number ${newest}. Download the bundle again to find out.`,
  });
}

function counts(commits: readonly CheckedCommit[]) {
  return {
    verified: commits.filter(({ verdict }) => verdict === 'verified'),
    without: commits.filter(({ verdict }) => verdict === 'without_statement'),
    atFault: commits.filter(({ verdict }) => verdict === 'at_fault'),
  };
}

function reportOf({ branch, tip, commits, faults }: Verification): string[] {
  const { verified, without, atFault } = counts(commits);
  const shown = commits.filter(({ verdict }) => verdict !== 'verified');
  const newest = commits.filter(({ verdict }) => verdict === 'verified').slice(-SHOWN_VERIFIED);
  const rows = commits.filter((one) => shown.includes(one) || newest.includes(one)).map(rowOf);
  const left = commits.length - rows.length;
  return [
    ...(left > 0 ? [`${left} more verified commits`] : []),
    ...table([['COMMIT', 'VERDICT', ''], ...rows]),
    ...faults.map((fault) => `At fault: ${fault}`),
    '',
    `${branch} at ${short(tip)}: ${verified.length} verified, ${without.length} without statement, ${atFault.length + faults.length} at fault.`,
    ...(verified.length === 0
      ? []
      : [
          'The signatures and git prove trees, order and completeness. Statuses and approvals are statements of the service.',
        ]),
  ];
}

function rowOf(checked: CheckedCommit): readonly string[] {
  const commit = short(checked.commit);
  switch (checked.verdict) {
    case 'verified':
      return [commit, 'verified', `pull request ${checked.pullRequest}, statement ${checked.statement}`];
    case 'without_statement':
      return [commit, 'without statement', ''];
    case 'at_fault':
      return [commit, 'AT FAULT', checked.why];
  }
}

function short(id: string): string {
  return id.slice(0, SHORT);
}

function sum(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? ' is' : 's are'}`;
}
