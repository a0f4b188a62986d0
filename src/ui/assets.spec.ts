import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { ASSET_FILES, assetNamed } from './assets';

const FOLDER = join(__dirname, 'assets');

describe('style sheet, script and icon', () => {
  it('contain every file of the folder once', () => {
    const all = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' });
    const files = all.filter((path) => statSync(join(FOLDER, path)).isFile());
    expect([...ASSET_FILES].sort()).toEqual(files.sort());
  });

  it('put the rules for narrow windows and paper after the rules that they override', () => {
    const sheet = assetNamed('sluice.css')!.content.toString();
    const places = ['\n.run {', '(max-width: 1180px)', 'screen and (max-width: 860px)', '@media print {'];
    const found = places.map((text) => sheet.indexOf(text));
    expect(found).not.toContain(-1);
    expect(found).toEqual([...found].sort((one, other) => one - other));
  });

  it('include a script that can be parsed as one', () => {
    expect(() => new Script(assetNamed('sluice.js')!.content.toString())).not.toThrow();
  });
});
