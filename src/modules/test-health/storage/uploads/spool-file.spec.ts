import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { removeAbandonedSpools, SpoolFile } from './spool-file';

const NOW = new Date('2026-11-20T12:00:00Z');
const MINUTE_MS = 60_000;
const ID = '0b8c1a52-3f6d-4a0e-9c5a-7a6b1f2c3d4e';

describe('A spool file', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-spool-'));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('has no name while it is written and read, so that a killed process leaves none', async () => {
    const file = await SpoolFile.create(join(folder, `${ID}.tests`));
    const line = 'x'.repeat(1_000);
    for (let number = 0; number < 600; number++) {
      file.add(line);
      await file.flush();
    }
    await file.finish();
    expect(readdirSync(folder)).toEqual([]);
    const whole = `${line}\n`.repeat(600);
    expect(await text(file.read())).toBe(whole);
    expect(await text(file.read())).toBe(whole);
    await file.remove();
  });

  it('can be removed when its reader has stopped', async () => {
    const file = await SpoolFile.create(join(folder, `${ID}.tests`));
    file.add('x'.repeat(1_000_000));
    await file.finish();
    for await (const chunk of file.read()) {
      expect(chunk).toMatch(/^x+$/);
      break;
    }
    await expect(file.remove()).resolves.toBeUndefined();
  });

  it('of an earlier version is removed an hour after it was last written; other files stay', async () => {
    const ages = { tests: 61, results: 600, failures: 59 };
    const names = Object.entries(ages).map(([kind, minutes]) => [`${ID}.${kind}`, minutes] as const);
    for (const [name, minutes] of [...names, ['notes.tests', 600] as const, [`${ID}.xml`, 600] as const]) {
      writeFileSync(join(folder, name), 'x');
      const at = new Date(NOW.getTime() - minutes * MINUTE_MS);
      utimesSync(join(folder, name), at, at);
    }
    expect(await removeAbandonedSpools(folder, NOW)).toBe(2);
    expect(readdirSync(folder).sort()).toEqual([`${ID}.failures`, `${ID}.xml`, 'notes.tests'].sort());
    expect(await removeAbandonedSpools(join(folder, 'nowhere'), NOW)).toBe(0);
  });
});
