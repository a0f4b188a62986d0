import { rmSync } from 'node:fs';
import { sayFirstLines } from '../../src/cli/first-lines';
import { createToken } from '../../src/platform/auth/tokens';
import { makeThrowAwayFolder } from '../support/throw-away-folder';
import { Service } from './service';
import { StartedService } from './stop/started-service';
import { Visitor } from './visitor';

describe('The first lines that the service prints when it starts', () => {
  let service: Service;
  let logged: string[];
  let shown: string;

  beforeAll(async () => {
    service = await Service.inMemory({ publicUrl: 'https://queue.example/merge' });
  });
  afterAll(() => service.stop());

  const say = async (where: 'terminal' | 'pipe') => {
    logged = [];
    shown = '';
    const log = (line: string) => void logged.push(line);
    const terminal = { write: (text: string) => ((shown += text), true) };
    const logger = { log, warn: log, error: log };
    await sayFirstLines(service.app, logger, where === 'terminal' ? terminal : null);
    return logged.join('\n');
  };

  it('show the URL of the page first, and the sample command while there is no organization', async () => {
    expect(await say('terminal')).toMatch(
      /^The page is https:\/\/queue\.example\/merge\/ui\nlistening on http:\S+; documentation [^]*sluice sample\n/,
    );
    expect(shown).toBe('');
  });

  it('show a sign-in link on a terminal, which is in no log', async () => {
    await service.organization('acme');
    await createToken(service.prisma, { organizationSlug: 'acme', name: 'me', role: 'admin' }, service.clock.now());
    const log = await say('terminal');
    const [, code = ''] =
      /^Sign in within 10 minutes, once: https:\/\/queue\.example\/merge\/ui\/sign-in-link\?code=(sll_\S+)\n$/.exec(
        shown,
      ) ?? [];
    expect(log).not.toContain('sll_');
    const visitor = new Visitor(service.url);
    expect((await visitor.post('/ui/sign-in-link', { code })).status).toBe(303);
  });

  it('show the command for a link if the output is no terminal, or if several tokens could sign in', async () => {
    const links = () => service.prisma.signInLink.count();
    const before = await links();
    expect(await say('pipe')).toContain('Sign in with a link: sluice sign-in-link --org acme');
    await createToken(service.prisma, { organizationSlug: 'acme', name: 'ada', role: 'admin' }, service.clock.now());
    expect(await say('terminal')).toContain('Sign in with a link: sluice sign-in-link --org acme');
    await service.organization('other');
    expect(await say('terminal')).toContain('Sign in with a link: sluice sign-in-link --org <slug>');
    expect([await links(), shown]).toEqual([before, '']);
  });

  it.each([
    ['json', /^\{"level":"info",.*"msg":"The page is http:\/\/localhost:0\/ui"\}$/m],
    ['text', /^\d\d:\d\d:\d\d The page is http:\/\/localhost:0\/ui$/m],
  ])('are written in the format of SLUICE_LOG_FORMAT=%s', async (format, line) => {
    const folder = makeThrowAwayFolder();
    const environment = { DATABASE_URL: process.env.DATABASE_URL ?? '', SLUICE_DATA_DIR: folder };
    const started = await StartedService.start({ ...environment, PORT: '0', SLUICE_LOG_FORMAT: format });
    await started.kill();
    rmSync(folder, { recursive: true, force: true });
    expect(started.log()).toMatch(line);
  });
});
