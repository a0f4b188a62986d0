import { describeInBrowser, LOOKS } from './browser';
import { openStage } from './stage';
import type { QueueOfTeam, Team } from './team';

const OPEN_SECOND = `document.querySelectorAll('details.act').forEach((one, index, all) => { one.open = index === Math.min(1, all.length - 1); })`;

describeInBrowser('The forms of pages in a browser', () => {
  let queue: QueueOfTeam;
  let settings: string;

  const prepare = async (team: Team) => {
    queue = await team.queue('storefront');
    settings = queue.path.replace('/ui/queue', '/ui/settings');
    await queue.submit(7, { title: 'Send the receipt as PDF', author: 'ada' });
    await queue.submit(8, { title: 'Let guests check out', author: 'grace' });
  };
  const stage = openStage(prepare, { role: 'admin' });

  it('open forms and settings have no axe violations in both themes and widths', async () => {
    const { person } = stage;
    const hooks = { 'new-webhook': '/ui/webhooks', 'new-queue': '/ui' };
    const pages = { pause: queue.path, 'take-out': queue.pathOf(7), settings, ...hooks };
    for (const [name, path] of Object.entries(pages)) {
      for (const look of LOOKS) {
        await person.look(look);
        await person.page.goto(path);
        await person.ask(OPEN_SECOND);
        const found = { page: name, ...look, axe: await person.axe(), overflow: await person.overflow() };
        await person.picture(`${name}-${look.width}-${look.theme}`);
        expect(found).toEqual({ page: name, ...look, axe: [], overflow: 0 });
      }
    }
  });
});
