import { ALL_LOOKS, describeInBrowser, GOOD_IN_OTHER_MEDIA, LOOKS, type Person } from './browser';
import { uploadFortnight } from './fortnight-of-tests';
import { pullRequest } from './histories';
import { openStage } from './stage';
import type { QueueOfTeam } from './team';

/** Describes how to reach a page. A page that answers a form has no URL, and is reached by its buttons. */
interface Place {
  readonly path: string;
  readonly reach?: (person: Person) => Promise<void>;
}

const NAMES = [
  'settings',
  'settings-refused',
  'settings-preview',
  'history',
  'tests',
  'tests-found',
  'test',
  'pause',
  'queue-without-repository',
  'webhooks',
  'new-webhook',
  'webhook',
  'webhook-log',
] as const;

const TESTS = '/ui/tests?repo=memory.example/acme/storefront';

/** Opens the forms on the page that ask for confirmation. */
const openForms = (person: Person) => person.ask<void>(OPEN_FIRST);

describeInBrowser('Pages with forms, of tests, history and webhooks, in a browser', () => {
  let places: Record<(typeof NAMES)[number], Place>;
  const stage = openStage(
    async (team) => {
      const queue = await team.queue('storefront');
      await uploadFortnight(team, queue);
      await queue.land(1, pullRequest(1));
      const { id: test } = await team.service.prisma.testCase.findFirstOrThrow({ where: { status: 'flaky' } });
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
        settings: { path: settings },
        history: { path: queue.path.replace('/ui/queue', '/ui/history') },
        tests: { path: TESTS },
        'tests-found': { path: `${TESTS}&list=all&q=test.ts&sort=name` },
        test: { path: `/ui/tests/${test}` },
        'new-webhook': { path: '/ui/webhooks', reach: openForms },
        pause: { path: queue.path, reach: openForms },
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

  it.each(NAMES)('%s has no axe violations in both themes and all widths', async (name) => {
    const { person } = stage;
    const { path, reach } = places[name];
    for (const look of ALL_LOOKS) {
      await person.look(look);
      await person.page.goto(path);
      await reach?.(person);
      const found = { ...look, axe: await person.axe(), overflow: await person.overflow() };
      await person.picture(`${name}-${look.width}-${look.theme}`);
      expect(found).toEqual({ ...look, axe: [], overflow: 0 });
    }
  });

  it.each(NAMES)('%s keeps its texts in forced colours and on paper, and prints no buttons', async (name) => {
    const { person } = stage;
    const { path, reach } = places[name];
    await person.look(LOOKS[0]!);
    await person.page.goto(path);
    await reach?.(person);
    expect(await person.inOtherMedia(name)).toEqual(GOOD_IN_OTHER_MEDIA);
  });
});

const OPEN_FIRST = `document.querySelector('details.act')?.setAttribute('open', '')`;

function settingsOf(queue: QueueOfTeam): string {
  return queue.path.replace('/ui/queue', '/ui/settings');
}
