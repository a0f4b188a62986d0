import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GitHubContract } from './contract';
import { checkRecorded, printReport } from './recorded';

const FILE = join(__dirname, '..', '..', 'fixtures', 'github', 'recorded.jsonl');

describe('old recordings of GitHub', () => {
  const text = readFileSync(FILE, 'utf8');
  const contract = GitHubContract.load();

  it('are read line by line, and differences from the present contract are reported by operation', () => {
    const { operations, unreadable } = checkRecorded(text, contract);
    expect(unreadable).toEqual([]);
    expect(operations.map(({ operation, isInUse, read, fit }) => [operation, isInUse, read, fit])).toEqual([
      ['git/delete-ref', true, 1, 1],
      ['pulls/get', true, 3, 1],
      ['pulls/merge', true, 1, 1],
      ['pulls/update', true, 1, 0],
      ['repos/get-collaborator-permission-level', true, 1, 0],
      ['GET /repos/{owner}/{repo}/labels', false, 1, 1],
    ]);
    expect([...(operations[1]?.differences ?? [])]).toEqual([
      ["answer (root) must have required property 'auto_merge'", 2],
    ]);
  });

  it("are read by Sluice's own client as well, also with fields that GitHub added later", () => {
    const { operations } = checkRecorded(text, contract);
    const byUs = operations.flatMap(({ operation, readByUs }) => (readByUs === null ? [] : [[operation, readByUs]]));
    expect(byUs).toEqual([
      ['pulls/get', 2],
      ['pulls/update', 1],
    ]);
  });

  it("are unusable if a field is missing that Sluice's client needs", () => {
    const broken = text.replaceAll('"sha":', '"sha1":');
    expect(checkRecorded(broken, contract).unreadable).toContainEqual({
      line: 1,
      why: 'lacks what our client needs of pulls/get',
    });
  });

  it('are reported with the numbers of the lines that cannot be read', () => {
    const report = checkRecorded(`${text}{"method":\n[]\n{"method":"GET","uri":"nowhere","status":200}\n`, contract);
    expect(report.unreadable).toEqual([
      { line: 9, why: 'is no JSON' },
      { line: 10, why: 'is no object' },
      { line: 11, why: 'has no address: nowhere' },
    ]);
    expect(printReport(report)).toContain('8 read, 3 unreadable; 3 of the 7 of operations in use fit.');
  });
});
