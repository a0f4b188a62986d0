import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readRunFile, RunFile, RunFileUnreadable } from './run-file';

const FACTS = { run: '0a1b2c3d', kind: 'gitea', url: 'https://git.acme.example' };

describe('a run file of certify', () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-run-file-'));
    path = join(folder, 'run.jsonl');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('names each created organization, user or repository that still exists, with all its possible names', () => {
    const file = RunFile.begin(path, FACTS);
    file.intends('organization', 'org');
    file.made('organization', 'org', 5);
    file.intends('repository', 'org/one');
    file.made('repository', 'org/one', 6);
    file.renames('repository', 'org/one', 'org/two');
    file.intends('repository', 'org/three');
    file.intends('repository', 'org/four');
    file.isGone('repository', 'org/four');
    expect(readRunFile(path)).toEqual({
      facts: FACTS,
      left: [
        { kind: 'organization', name: 'org', number: 5, otherNames: [] },
        { kind: 'repository', name: 'org/one', number: 6, otherNames: ['org/two'] },
        { kind: 'repository', name: 'org/three', number: null, otherNames: [] },
      ],
      isFinished: false,
    });
  });

  it('is finished when its last line says that the run has finished', () => {
    RunFile.begin(path, FACTS).finish();
    expect(readRunFile(path)).toEqual({ facts: FACTS, left: [], isFinished: true });
  });

  it('may end in the middle of a line; a resumed run then writes after the last complete line', () => {
    RunFile.begin(path, FACTS).intends('user', 'ann');
    appendFileSync(path, '{"type":"made","kind":"us');
    const read = readRunFile(path)!;
    expect(read.left).toMatchObject([{ name: 'ann', number: null }]);
    RunFile.resume(path, read).isGone('user', 'ann');
    expect(readRunFile(path)?.left).toEqual([]);
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(4);
  });

  it('is null if the file does not exist; a file with any other content is refused', () => {
    expect(readRunFile(path)).toBeNull();
    for (const text of ['{"a":1}\n', 'hello\n', '']) {
      writeFileSync(path, text);
      expect(() => readRunFile(path)).toThrow(RunFileUnreadable);
    }
  });
});
