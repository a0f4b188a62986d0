import { appendFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Look, lookAtArrows, MOST_DOORS, reportOf } from './arrows';
import { ROOT } from './documents';

describe('imports between the folders of src', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-arrows-'));
  let copies = 0;
  afterAll(() => rmSync(folder, { recursive: true }));

  /** A copy of the sources in which `file` also imports `other`. */
  function lookWith(file: string, other: string): Look {
    const root = join(folder, String((copies += 1)));
    const isGenerated = (path: string): boolean => path === join(ROOT, 'src/generated');
    cpSync(join(ROOT, 'src'), join(root, 'src'), { recursive: true, filter: (path) => !isGenerated(path) });
    appendFileSync(join(root, file), `\nexport type Added = typeof import('${other}');\n`);
    return lookAtArrows(root);
  }

  const pairsOf = ({ up }: Look): readonly string[] => up.map(({ from, to }) => `${from} -> ${to}`);

  it('never go upwards, and no folder has too many files that other folders import', () => {
    const { lines, holds } = reportOf(lookAtArrows(ROOT));
    expect({ holds, lines: holds ? [] : lines }).toEqual({ holds: true, lines: [] });
  });

  it.each([
    ['src/domain/priority.ts', '../processing/decisions/submissions', ['domain -> processing']],
    ['src/platform/ids.ts', '../engine/vocabulary', ['platform -> engine']],
    ['src/engine/vocabulary.ts', '../platform/ids', ['engine -> platform']],
    ['src/modules/shared/host-answer.ts', '../../create-merge-queue', ['modules -> composition root']],
    ['src/cli/terminal.ts', '../app.module', ['cli -> composition root']],
  ])('fail the check when %s imports %s', (file, other, expected) => {
    const look = lookWith(file, other);
    expect(pairsOf(look)).toEqual(expected);
    expect(reportOf(look).holds).toBe(false);
  });

  it.each([
    ['src/engine/policy/line.ts', '../flow/standing'],
    ['src/platform/errors/domain-error.ts', '../http/body.guard'],
    ['src/processing/decisions/queue-lock.ts', '../forecasts/forecast-reader'],
  ])('fail the check when %s imports %s in the same folder', (file, other) => {
    const look = lookWith(file, other);
    expect(look.up).toHaveLength(1);
    expect(reportOf(look).holds).toBe(false);
  });

  it('may let the command line start the service', () => {
    expect(pairsOf(lookWith('src/cli/terminal.ts', '../create-merge-queue'))).toEqual([]);
  });

  it('fail the check when other folders import too many files of one folder', () => {
    const files = Array.from({ length: MOST_DOORS + 1 }, (_, i) => `src/ui/door-${i}.ts`);
    const look = { rooms: [{ name: 'ui', floor: 1 }], inside: {}, up: [], doors: new Map([['ui', files]]) };
    const { lines, holds } = reportOf(look);
    expect(holds).toBe(false);
    expect(lines).toContain(`ui has ${MOST_DOORS + 1} doors, more than ${MOST_DOORS}.`);
  });
});
