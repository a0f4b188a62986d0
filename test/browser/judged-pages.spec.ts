import { describeInBrowser, LOOKS, type Person } from './browser';
import { pullRequest } from './histories';
import { openStage } from './stage';
import type { QueueOfTeam } from './team';

/** What an answer to a form shows is reached by its buttons, not by an address. */
interface Place {
  readonly path: string;
  readonly reach?: (person: Person) => Promise<void>;
}

describeInBrowser('Pages that answer a form, and those of webhooks, in a browser', () => {
  let places: Record<string, Place>;
  const stage = openStage(
    async (team) => {
      const queue = await team.queue('storefront');
      await queue.land(1, pullRequest(1));
      const settings = settingsOf(queue);
      const hook = await (
        await team.client('admin')
      ).post('createWebhook', { name: 'known', url: 'https://hooks.example/known/for/long' });
      const { id } = (hook.body as unknown as { webhook: { id: string } }).webhook;
      const change = (text: string, button: string) => async (person: Person) => {
        await person.page.fill('#s-concurrency', text);
        await Promise.all([person.page.waitForNavigation(), person.page.click(`button:text-is("${button}")`)]);
      };
      places = {
        webhooks: { path: '/ui/webhooks' },
        webhook: { path: `/ui/webhooks/${id}` },
        'webhook-log': {
          path: `/ui/webhooks/${id}`,
          reach: async ({ page }) => {
            await Promise.all([page.waitForNavigation(), page.click('button:text-is("Send a test")')]);
          },
        },
        'settings-refused': { path: settings, reach: change('0', 'Save') },
        'settings-preview': { path: settings, reach: change('4', 'What would have happened?') },
        'queue-without-repository': { path: '/ui/queue?repo=memory.example/acme/nothing&branch=main' },
      };
    },
    { role: 'admin' },
  );

  it('point 9: they have no fault of axe in both themes and widths', async () => {
    const { person } = stage;
    for (const [name, { path, reach }] of Object.entries(places)) {
      for (const look of LOOKS) {
        await person.look(look);
        await person.page.goto(path);
        await reach?.(person);
        const found = { page: name, ...look, axe: await person.axe(), overflow: await person.overflow() };
        await person.picture(`${name}-${look.width}-${look.theme}`);
        expect(found).toEqual({ page: name, ...look, axe: [], overflow: 0 });
      }
    }
  });

  it('point 9: in forced colours and on paper their words stay, and paper has no buttons', async () => {
    const { person } = stage;
    const { page } = person;
    await person.look(LOOKS[0]!);
    for (const [name, { path, reach }] of Object.entries(places)) {
      await page.goto(path);
      await reach?.(person);
      await page.emulateMedia({ forcedColors: 'active' });
      await person.picture(`${name}-forced`);
      const axe = await person.axe();
      await page.emulateMedia({ forcedColors: 'none', media: 'print' });
      const buttons = await person.ask<number>(SEEN_BUTTONS);
      await person.picture(`${name}-print`);
      const isNamed = await page.isVisible('main h1');
      await page.emulateMedia({ media: 'screen' });
      expect({ name, axe, buttons, isNamed }).toEqual({ name, axe: [], buttons: 0, isNamed: true });
    }
  });
});

const SEEN_BUTTONS = `[...document.querySelectorAll('button, .button')].filter((one) => one.checkVisibility()).length`;

function settingsOf(queue: QueueOfTeam): string {
  return queue.path.replace('/ui/queue', '/ui/settings');
}
