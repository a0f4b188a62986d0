import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startOptions } from '../bench/start-options';

const ROOT = join(__dirname, '../..');

describe('The Node options of a deployed service', () => {
  it.each(['docker/Dockerfile', 'docker/systemd/sluice.service', 'docs/operating.md'])(
    'are the same in %s as in npm start',
    (file) => {
      const text = readFileSync(join(ROOT, file), 'utf8').replaceAll(/[",]/g, '');
      const commands = text.match(/node( --[\w=-]+)+ \S*dist\/main\.js/g) ?? [];
      expect(commands.map((command) => command.split(' ').slice(1, -1))).toEqual([startOptions(ROOT)]);
    },
  );

  it('are the same in the decide benchmark, which runs in its own process', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    expect(scripts['bench:decide']).toContain(`node ${startOptions(ROOT).join(' ')} -r `);
  });
});
