import type { Command } from 'commander';
import type { Finding } from '../../examine-installation';
import { CliError } from '../cli-error';
import type { Terminal } from '../terminal';

type Examination = typeof import('../../examine-installation');

const MARKS = { ok: 'ok', problem: 'PROBLEM', unknown: '?' } as const;
const MARK_WIDTH = 9;

/** Exits with 1 when there is a problem. An unknown result is no problem. */
export function addDoctorCommand(program: Command, terminal: Terminal): void {
  program
    .command('doctor')
    .description('examine the whole installation: what is in order, what to change, what is not known')
    .option('--json', 'answer in JSON, for programs')
    .action(async ({ json }: { json?: true }) => {
      const { examineInstallation } = require('../../examine-installation') as Examination;
      const findings = await examineInstallation();
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
