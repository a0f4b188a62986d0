import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Type } from '@nestjs/common';
import { applyExtensionMigrations } from '../../src/extensions/extension-migrations';
import { ListenerWorker } from '../../src/extensions/listener.worker';
import { ALL_LOOKS, Chromium, describeInBrowser, GOOD_IN_OTHER_MEDIA, type Person } from './browser';
import { pullRequest } from './histories';
import { type QueueOfTeam, Team } from './team';

/**
 * The example extension: a separate package, which imports this package by its public name only. `npm run
 * test:extension` compiles it outside the repository.
 */
const EXAMPLE = join(__dirname, '../../examples/acme-extension');
/**
 * The built folder is as deep as the folder in a built package, because the extension finds its migrations relative to
 * the built folder.
 */
const BUILT = join(EXAMPLE, 'dist', 'in-a-browser');

describeInBrowser('A page of an extension in a browser', () => {
  let team: Team;
  let chromium: Chromium;
  let person: Person;
  let queue: QueueOfTeam;

  beforeAll(async () => {
    cpSync(join(EXAMPLE, 'src'), BUILT, { recursive: true });
    const { AcmeModule } = (await import(join(BUILT, 'acme.module'))) as { AcmeModule: Type };
    await applyExtensionMigrations(process.env.DATABASE_URL!, [AcmeModule]);
    team = await Team.start('acme', [AcmeModule]);
    chromium = await Chromium.start();
    const listeners = team.service.app.get(ListenerWorker);
    // After this call, the listeners of the extension receive events.
    await listeners.drain();
    queue = await team.queue('widgets');
    await queue.land(1, pullRequest(1));
    await queue.submit(2, pullRequest(2));
    await listeners.drain();
    person = await chromium.person(team.service.url);
    await person.signIn((await team.client('read')).token!, 'ada');
  });
  afterEach(() => expect(person.complaints).toEqual([]));
  afterAll(async () => {
    await chromium?.stop();
    await team.service.prisma.$executeRaw`DROP SCHEMA ext_acme CASCADE`;
    rmSync(BUILT, { recursive: true });
    await team.stop();
  });

  it('is reached by its tab, with the layout, the session and the content security policy of the service', async () => {
    const { page } = person;
    await page.goto(queue.path);
    await page.click('nav.tabs >> text=Journal');
    await page.waitForURL('**/ui/x/acme-journal?*');
    expect(await page.textContent('h1')).toBe('The latest moves');
    expect(await page.textContent('[aria-current=page]')).toBe('Journal');
    expect(await page.locator('tbody tr').first().textContent()).toContain('#2');
    await page.click('tbody a >> nth=0');
    await page.waitForURL('**/ui/pull-request?*number=2');
  });

  it('has no axe violations in both themes, all widths, forced colours and on paper', async () => {
    for (const look of ALL_LOOKS) {
      await person.look(look);
      await person.page.goto(queue.path.replace('/ui/queue', '/ui/x/acme-journal'));
      const found = { ...look, axe: await person.axe(), overflow: await person.overflow() };
      await person.picture(`team-page-${look.width}-${look.theme}`);
      expect(found).toEqual({ ...look, axe: [], overflow: 0 });
    }
    expect(await person.inOtherMedia('team-page')).toEqual(GOOD_IN_OTHER_MEDIA);
  });
});
