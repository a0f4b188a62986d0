import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BareRepository, runGit } from '../support/bare-repository';
import { connectPrisma } from '../../src/platform/database/prisma.service';
import { emptyDatabase } from '../support/empty-database';
import { GUIDE_LIMIT_MS, Shell, stepsOf } from './guide';
import { StartedService } from './stop/started-service';

jest.setTimeout(GUIDE_LIMIT_MS);

describe('docs/test-health.md', () => {
  let world: BareRepository;
  let service: StartedService;
  let shell: Shell;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-tutorial-'));
    const prisma = connectPrisma(process.env.DATABASE_URL ?? '');
    await emptyDatabase(prisma);
    await prisma.$disconnect();
    world = BareRepository.create('acme', 'shop', { 'README.md': 'A shop\n' });
    const clone = join(folder, 'shop');
    runGit(folder, ['clone', '--quiet', world.bare, clone]);
    const { PATH = '', DATABASE_URL = '' } = process.env;
    const hosts = [{ host: 'local', kind: 'git', url: world.urlTemplate, pollSeconds: 1 }];
    const environment = {
      ...{ PATH, DATABASE_URL, TMPDIR: folder, SLUICE_DATA_DIR: world.dataDirectory },
      SLUICE_HOSTS: JSON.stringify(hosts),
    };
    service = await StartedService.start({ ...environment, PORT: '0' });
    shell = new Shell(join(folder, 'sluice.socket'), { ...environment, SLUICE_URL: service.url }, clone);
    await shell.run('sluice org create acme');
    const made = await shell.run('sluice token create --org acme --name me --role admin --json');
    shell.environment = { ...shell.environment, SLUICE_TOKEN: (JSON.parse(made) as { token: string }).token };
    await shell.run('sluice queue create local/acme/shop --branch main');
  });
  afterAll(async () => {
    shell.close();
    service.terminate();
    await service.ended;
    rmSync(folder, { recursive: true, force: true });
    rmSync(world.folder, { recursive: true, force: true });
  });

  it('leads from an upload to a job that passes in spite of a flaky test, and then ends the quarantine', async () => {
    const [script, retried, listed, settings, failed, quarantined, ignored, ended, ...more] =
      stepsOf('docs/test-health.md');
    expect(more).toEqual([]);
    let place = '';
    const follow = async (step: typeof script): Promise<string> => {
      const printed = await shell.run(`${place === '' ? '' : `cd ${place}\n`}${step!.text}\npwd`);
      place = printed.trimEnd().split('\n').at(-1)!;
      return printed;
    };
    await follow(script);
    expect(await follow(retried)).toMatch(/The job fails\.\n[\s\S]*Stored: 2 results, 2 passed/);
    expect(await follow(listed)).toMatch(/flaky +- +pays \(failed and passed on commit [0-9a-f]{7}\)/);
    await follow(settings);
    const red = await follow(failed);
    expect(red).toMatch(/known flaky since .*\/ui\/tests\/[0-9a-f-]{36}\?quarantine=always/);
    expect(red).toContain('The job fails.');
    await follow(quarantined);
    const green = await follow(ignored);
    expect(green).toMatch(/Every failed test is quarantined, and nothing else failed\./);
    expect(await follow(ended)).toContain('pays: not quarantined');
  });
});
