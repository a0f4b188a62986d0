/**
 * Reads what code hosts once sent and says how it fits what they describe today. A difference is drift and reported; only what
 * cannot be read at all is a failure.
 *   npm run test:recorded -- <file with one exchange with GitHub per line>
 *   npm run test:recorded -- <folder with gitea/, gitlab/, and files *.jsonl of GitHub>
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readCommandLine } from '../../support/command-line';
import { GitHubContract } from '../github/contract';
import { checkRecorded, printReport } from '../github/recorded';
import { GITEA_PAYLOADS } from './gitea-payloads';
import { GITLAB_PAYLOADS } from './gitlab-payloads';
import { checkPayloads, type PayloadReport, printPayloads } from './payloads';

function main([path]: readonly string[]): void {
  if (path === undefined) throw new Error('Which file or folder?');
  const isUnreadable = statSync(path).isDirectory() ? readFolder(path) : readExchanges(path);
  process.exitCode = isUnreadable ? 1 : 0;
}

function readExchanges(file: string): boolean {
  const report = checkRecorded(readFileSync(file, 'utf8'), GitHubContract.load());
  process.stdout.write(printReport(report));
  return report.unreadable.length > 0;
}

function readFolder(folder: string): boolean {
  const exchanges = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((one) => one.endsWith('.jsonl'));
  const unreadable = exchanges.map((file) => readExchanges(join(folder, file)));
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
    does: 'Compares recorded exchanges with code hosts with what these describe today. Ends with 1 if one cannot be read.',
    args: '<file or folder>',
  });
  main(positionals);
}
