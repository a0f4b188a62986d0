import { describeInBrowser, type Person } from './browser';
import { busyLine, pullRequest } from './histories';
import { openStage } from './stage';
import type { QueueOfTeam, Team } from './team';

/** As in high contrast mode of Windows: a few system colours replace the page's own, and its backgrounds are gone. */
const FORCED = { forcedColors: 'active' } as const;
const NOT_FORCED = { forcedColors: 'none' } as const;

describeInBrowser('Pages on paper, in forced colours and in a window of half a screen', () => {
  const paths: Record<string, string> = {};

  const stage = openStage(async (team) => {
    const paused = await team.queue('mobile');
    await paused.submit(1, pullRequest(1));
    await paused.ask('updateQueue', { state: 'paused', pauseReason: 'store freeze until 16:00' });
    const search = await batchInSearch(team);
    // This queue is filled last, because all queues share one clock, and filling another queue would move it on.
    const line = await busyLine(team);
    Object.assign(paths, {
      overview: '/ui',
      queue: line.path,
      search: search.path,
      paused: paused.path,
      'pull-request': line.pathOf(413),
      'pull-request-failed': line.pathOf(409),
    });
  });

  it('no page is wider than a window of 1024 px, and axe finds no violation there', async () => {
    const { person } = stage;
    for (const theme of ['light', 'dark'] as const) {
      await person.look({ width: 1024, theme });
      for (const [name, path] of Object.entries(paths)) {
        await person.page.goto(path);
        const found = { name, theme, axe: await person.axe(), overflow: await person.overflow() };
        await person.picture(`${name}-1024-${theme}`);
        expect(found).toEqual({ name, theme, axe: [], overflow: 0 });
      }
    }
  });

  it('in forced colours every state has its word and its symbol, and bars show their progress', async () => {
    const { person } = stage;
    await person.page.emulateMedia(FORCED);
    try {
      await person.look({ width: 1440, theme: 'light' });
      for (const [name, path] of Object.entries(paths)) {
        await person.page.goto(path);
        const found = { name, axe: await person.axe(), ...(await person.ask<object>(UNREADABLE)) };
        await person.picture(`${name}-forced`);
        expect(found).toEqual({ name, axe: [], withoutWord: [], withoutMark: [] });
      }
      await person.page.goto(paths.queue!);
      expect(await drawnWith(person, 0)).not.toEqual(await drawnWith(person, 100));
    } finally {
      await person.page.emulateMedia(NOT_FORCED);
    }
  });

  it('a queue with nine pull requests and its merges prints on at most two A4 sheets, without controls', async () => {
    const { person } = stage;
    const { page } = person;
    await page.goto(paths.queue!);
    const sheets = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type \/Page\b(?!s)/g) ?? [];
    await page.emulateMedia({ media: 'print' });
    const buttons = await person.ask<number>(SEEN_BUTTONS);
    await page.setViewportSize({ width: 794, height: 1123 });
    await person.picture('queue-print');
    const isNamed = await page.isVisible('.crumbs');
    const isStateShown = await page.isVisible('.head .st');
    const text = await page.innerText('main');
    await page.emulateMedia({ media: 'screen' });
    expect([1, 2]).toContain(sheets.length);
    expect(IN_THE_QUEUE.filter((number) => !new RegExp(`#${number}\\b`).test(text))).toEqual([]);
    expect({ buttons, isNamed, isStateShown }).toEqual({ buttons: 0, isNamed: true, isStateShown: true });
  });
});

const IN_THE_QUEUE = [412, 413, 414, 416, 418, 419, 420, 421, 405];

/** A picture of the first bar of the page, drawn with another value. */
async function drawnWith(person: Person, value: number): Promise<Buffer> {
  await person.ask<void>(`{ document.querySelector('main progress').setAttribute('value', '${value}') }`);
  return person.page.locator('main progress').first().screenshot({ animations: 'disabled' });
}

const UNREADABLE = `(() => {
  const named = (element) => element.outerHTML.slice(0, 120);
  const states = [...document.querySelectorAll('main .st')];
  return {
    withoutWord: states.filter((state) => state.textContent.trim() === '').map(named),
    withoutMark: states.filter((state) => state.querySelector('svg') === null).map(named),
  };
})()`;

const SEEN_BUTTONS = `[...document.querySelectorAll('button, .button, input')].filter((one) => one.checkVisibility()).length`;

async function batchInSearch(team: Team): Promise<QueueOfTeam> {
  const more = { concurrency: 4, batch: true, batchingMinSize: 8, bisectionConcurrency: 2 };
  const queue = await team.queue('payments', more);
  for (let number = 433; number <= 440; number++) await queue.submit(number, pullRequest(number));
  await queue.pass(9);
  await queue.report(433, 'failure');
  await queue.pass(9);
  return queue;
}
