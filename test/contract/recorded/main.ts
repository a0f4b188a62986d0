/**
 * Compares recordings of code hosts with the hosts' present descriptions. A difference is reported as drift; only an
 * unreadable recording is a failure.
 *   npm run test:recorded -- <file with one exchange with GitHub per line>
 *   npm run test:recorded -- <file with one exchange with a real Gitea or Forgejo per line, each with "why" or "about">
 *   npm run test:recorded -- <folder with gitea/, gitlab/, and files *.jsonl of GitHub>
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readCommandLine } from '../../support/command-line';
import { GitHubContract } from '../github/contract';
import { checkRecorded, printReport } from '../github/recorded';
import { GITEA_PAYLOADS } from './gitea-payloads';
import { GITLAB_PAYLOADS } from './gitlab-payloads';
import { compareWithMock, isOfServer } from './recorded-server';
import { checkPayloads, type PayloadReport, printPayloads } from './payloads';

async function main([path]: readonly string[]): Promise<void> {
  if (path === undefined) throw new Error('Which file or folder?');
  const isUnreadable = await (statSync(path).isDirectory() ? readFolder(path) : readExchanges(path));
  process.exitCode = isUnreadable ? 1 : 0;
}

async function readExchanges(file: string): Promise<boolean> {
  const text = readFileSync(file, 'utf8');
  if (isOfServer(text)) {
    const { report, differs } = await compareWithMock(text);
    process.stdout.write(report);
    return differs;
  }
  const report = checkRecorded(text, GitHubContract.load());
  process.stdout.write(printReport(report));
  return report.unreadable.length > 0;
}

async function readFolder(folder: string): Promise<boolean> {
  const exchanges = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((one) => one.endsWith('.jsonl'));
  const unreadable: boolean[] = [];
  for (const file of exchanges) unreadable.push(await readExchanges(join(folder, file)));
  const reports: PayloadReport[] = [GITEA_PAYLOADS, GITLAB_PAYLOADS]
    .filter(({ kind }) => existsSync(join(folder, kind)))
    .map((kind) => checkPayloads(folder, kind));
  if (reports.length === 0 && exchanges.length === 0)
    throw new Error(`${folder} has neither gitea/ nor gitlab/ nor *.jsonl`);
  if (reports.length > 0) process.stdout.write(printPayloads(reports));
  return unreadable.includes(true) || reports.some(({ counts }) => counts.unreadable > 0);
}

if (require.main === module) {
  const { positionals } = readCommandLine({
    script: 'test:recorded',
    does: 'Compares recorded exchanges with what code hosts describe today, and with what the mock Gitea answers. Ends with 1 if one cannot be read, or a value is of another kind.',
    args: '<file or folder>',
  });
  void main(positionals);
}
