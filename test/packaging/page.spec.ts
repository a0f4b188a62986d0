import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { globSync } from 'tinyglobby';

const ROOT = join(__dirname, '..', '..');
const UI = join(ROOT, 'src', 'ui');
/** Packages that the service would need even if it had no pages. */
const OF_THE_SERVICE = [
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/platform-express',
  '@nestjs/swagger',
  'express',
  'rxjs',
];

const read = (path: string) => readFileSync(join(UI, path), 'utf8');

describe('the web page', () => {
  it('is served without npm packages for the browser', () => {
    const named = globSync('**/*.ts', { cwd: UI }).flatMap((path) =>
      [...read(path).matchAll(/\bfrom '([^.'][^']*)'/g)].map(([, name]) => name!),
    );
    const others = named.filter((name) => !name.startsWith('node:') && !OF_THE_SERVICE.includes(name));
    expect([...new Set(others)]).toEqual([]);
    expect(named).toContain('express');
  });

  it('has scripts and styles that a browser uses unchanged', () => {
    const assets = globSync('assets/**/*.{js,css}', { cwd: UI });
    expect(assets.length).toBeGreaterThan(0);
    const built = assets.filter((path) => /^\s*import\b|\brequire\(|@import|@apply/m.test(read(path)));
    expect(built).toEqual([]);
  });
});
