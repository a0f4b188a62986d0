import type { Command } from 'commander';
import type { Finding, ViewFromOutside } from '../../examine-installation';
import { CliError } from '../cli-error';
import { namesService, readClientSettings } from '../../platform/config/client-settings';
import type { Terminal } from '../terminal';

type Examination = typeof import('../../examine-installation');

const MARKS = { ok: 'ok', problem: 'PROBLEM', unknown: '?' } as const;
const MARK_WIDTH = 9;

interface DoctorOptions {
  readonly json?: true;
  readonly url?: string;
  readonly token?: string;
}

/** Exits with 1 when there is a problem. An unknown result is not a problem. */
export function addDoctorCommand(program: Command, terminal: Terminal): void {
  program
    .command('doctor')
    .description('examine the whole installation: what is right, what to change, what is unknown')
    .option('--url <address>', 'look at the service from outside, too: TLS, proxy, event streams, body size')
    .option('--token <token>', 'API token of any role, for --url; default: SLUICE_TOKEN')
    .option('--json', 'answer in JSON, for programs')
    .action(async ({ json, ...said }: DoctorOptions) => {
      const { examineInstallation } = require('../../examine-installation') as Examination;
      const findings = await examineInstallation(outsideOf(said));
      const problems = findings.filter(({ verdict }) => verdict === 'problem');
      terminal.out(`${json ? JSON.stringify(findings, null, 2) : reportOf(findings).join('\n')}\n`);
      if (problems.length === 0) return;
      const [first] = problems;
      throw new CliError(countOf(findings), {
        code: 'UNHEALTHY',
        next: `Begin with ${first?.about}: ${first?.advice}`,
      });
    });
}

/** With SLUICE_URL alone the doctor only checks whether the service answers. */
function outsideOf(said: Pick<DoctorOptions, 'url' | 'token'>): ViewFromOutside | null {
  if (!namesService(said)) return null;
  return { look: said.url === undefined ? 'answer' : 'everything', service: readClientSettings(said) };
}

function reportOf(findings: readonly Finding[]): string[] {
  const subjects = [...new Set(findings.map(({ about }) => about))];
  const lines = subjects.flatMap((subject) => [
    subject,
    ...findings.filter(({ about }) => about === subject).flatMap(linesOf),
    '',
  ]);
  const isWell = findings.every(({ verdict }) => verdict !== 'problem');
  return isWell ? [...lines, countOf(findings)] : lines.slice(0, -1);
}

function linesOf({ verdict, what, advice }: Finding): string[] {
  const line = `  ${MARKS[verdict].padEnd(MARK_WIDTH)}${what}`;
  return advice === null ? [line] : [line, `${' '.repeat(MARK_WIDTH + 2)}-> ${advice}`];
}

function countOf(findings: readonly Finding[]): string {
  const count = (verdict: Finding['verdict']): number => findings.filter((one) => one.verdict === verdict).length;
  const [problems, unknowns] = [count('problem'), count('unknown')];
  const first = problems === 0 ? 'No problem was found' : `${problems} ${problems === 1 ? 'problem' : 'problems'}`;
  return `${first}${unknowns === 0 ? '' : `; ${unknowns} not known`}.`;
}
