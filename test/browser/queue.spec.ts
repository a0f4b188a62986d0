import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeInBrowser, LOOKS } from './browser';
import { busyLine, pullRequest, submitImpacting } from './histories';
import { openStage } from './stage';
import type { QueueOfTeam, Team } from './team';

const ROOT = join(__dirname, '../..');

describeInBrowser('The page of a queue in a browser', () => {
  const queues: Record<string, QueueOfTeam> = {};
  const prepare = async (team: Team) => {
    queues.empty = await team.queue('docs');
    queues.search = await searchedBatch(team);
    queues.lanes = await busyLanes(team);
    queues.paused = await team.queue('mobile');
    await queues.paused.submit(1, pullRequest(1));
    await queues.paused.ask('updateQueue', { state: 'paused', pauseReason: 'store freeze until 16:00' });
    await queues.paused.submit(2, pullRequest(2));
    queues.hostile = await hostileQueue(team);
    // This queue is filled last, because all queues share one clock, and filling another queue would move it on.
    queues.line = await busyLine(team);
  };
  const stage = openStage(prepare, { window: 'for each test' });

  it.each(['line', 'empty', 'search', 'lanes', 'paused', 'hostile'])(
    '%s has no axe violations in both themes and widths',
    async (name) => {
      for (const look of LOOKS) {
        await stage.person.look(look);
        await stage.person.page.goto(queues[name]!.path);
        const found = { ...look, axe: await stage.person.axe(), overflow: await stage.person.overflow() };
        await stage.person.picture(`queue-${name}-${look.width}-${look.theme}`);
        expect(found).toEqual({ ...look, axe: [], overflow: 0 });
      }
    },
  );

  it('the pages of pull requests and the list of queues have no axe violations in both themes and widths', async () => {
    const paths: Record<string, string> = {
      overview: '/ui',
      'overview-found': '/ui?q=a',
      'overview-not-found': '/ui?q=no+such+queue',
      'pull-request': queues.line!.pathOf(413),
      'pull-request-failed': queues.line!.pathOf(409),
      'pull-request-merged': queues.line!.pathOf(401),
      'pull-request-hostile': queues.hostile!.pathOf(3),
    };
    for (const [name, path] of Object.entries(paths)) {
      for (const look of LOOKS) {
        await stage.person.look(look);
        await stage.person.page.goto(path);
        const found = { page: name, ...look, axe: await stage.person.axe(), overflow: await stage.person.overflow() };
        await stage.person.picture(`${name}-${look.width}-${look.theme}`);
        expect(found).toEqual({ page: name, ...look, axe: [], overflow: 0 });
      }
    }
  });

  it('the first picture of the README has the same size as a screenshot of this page', async () => {
    const [, picture] = /!\[[^\]]*\]\(([^)]+)\)/.exec(readFileSync(join(ROOT, 'README.md'), 'utf8'))!;
    await stage.person.page.setViewportSize({ width: 1280, height: 800 });
    // The browser's clock shows the service's time, so times of today appear without a date.
    await stage.person.page.clock.setFixedTime(stage.team.service.clock.now());
    await stage.person.page.goto(queues.line!.path);
    const made = await stage.person.page.screenshot({ animations: 'disabled' });
    // With `SLUICE_UPDATE_PICTURES=1`, `npm run test:browser` stores the screenshot as the picture in the README.
    if (process.env.SLUICE_UPDATE_PICTURES === '1') writeFileSync(join(ROOT, picture!), made);
    const kept = readFileSync(join(ROOT, picture!));
    expect(sizeOf(kept)).toEqual(sizeOf(made));
    expect(kept.length).toBeLessThan(300_000);
  });

  it('/ and a number show position, reason and time of that pull request, and Enter opens its page', async () => {
    const { page } = stage.person;
    await page.goto(queues.line!.path);
    await page.keyboard.press('/');
    await page.keyboard.type('420');
    const said = await page.textContent('[data-toast]');
    expect(said).toMatch(
      /^#420 waits, place \d+\. .*waits for a free slot.* (It merges about \d\d:\d\d UTC|There is no forecast yet)\.$/s,
    );
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.dataset.number')).toBe('420');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/ui/pull-request?*number=420');
  });

  it('the search asks the service for a number that is not shown on the page', async () => {
    const { page } = stage.person;
    await page.goto(queues.line!.path);
    await page.keyboard.press('/');
    await page.keyboard.type('370');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/ui/pull-request?*number=370');
    expect(await page.textContent('.verdict-box')).toContain('Merged');
  });

  it('keyboard shortcuts reach rows, help and my own pull requests', async () => {
    const { page } = stage.person;
    await page.goto(queues.line!.path);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    expect(await page.evaluate('document.activeElement.dataset.number')).toBe('412');
    await page.keyboard.press('m');
    expect(await page.isVisible('tr[data-number="418"]')).toBe(false);
    expect(await page.isVisible('tr[data-number="420"]')).toBe(true);
    await page.keyboard.press('?');
    expect(await page.isVisible('dialog')).toBe(true);
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('o');
    await page.waitForURL('**/ui');
  });

  it('titles with scripts, right-to-left text or 300 characters do no harm', async () => {
    const { page } = stage.person;
    await page.goto(queues.hostile!.path);
    expect(await page.evaluate('globalThis.harmed')).toBeUndefined();
    expect(await page.textContent('body')).toContain('<script>globalThis.harmed = true</script>');
    expect(await stage.person.ask(`document.querySelectorAll('main script, main img').length`)).toBe(0);
  });

  it('a read-only token sees only the form to sign out', async () => {
    const { page } = stage.person;
    for (const path of [queues.line!.path, queues.line!.pathOf(409), '/ui']) {
      await page.goto(path);
      const forms = await stage.person.ask<string[]>(
        `[...document.querySelectorAll('form[method=post]')].map((form) => form.getAttribute('action'))`,
      );
      expect(forms).toEqual(['/ui/sign-out']);
    }
  });
});

/** Width and height of a PNG. */
function sizeOf(png: Buffer): readonly number[] {
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}

async function searchedBatch(team: Team): Promise<QueueOfTeam> {
  const queue = await team.queue('payments', {
    concurrency: 4,
    batch: true,
    batchingMinSize: 8,
    bisectionConcurrency: 2,
  });
  for (let number = 433; number <= 440; number++) await queue.submit(number, pullRequest(number));
  await queue.pass(9);
  await queue.report(433, 'failure');
  await queue.pass(9);
  return queue;
}

async function busyLanes(team: Team): Promise<QueueOfTeam> {
  const queue = await team.queue('platform', { concurrency: 6, mode: 'parallel' });
  await submitImpacting(queue, {
    733: ['//pricing'],
    735: ['//search', '//catalogue'],
    736: ['//payments'],
    738: ['//pricing', '//search'],
    739: ['//payments'],
  });
  return queue;
}

async function hostileQueue(team: Team): Promise<QueueOfTeam> {
  const queue = await team.queue('hostile', { concurrency: 2 });
  const titles = [
    '<script>globalThis.harmed = true</script>',
    '"><img src=x onerror="globalThis.harmed = true">',
    `${'\u202e'}gnp.exe ${'x'.repeat(280)}`,
    '`${7*7}` {{7*7}} &lt;b&gt;',
  ];
  for (const [index, title] of titles.entries()) {
    await queue.submit(index + 1, { title, author: index === 0 ? '<b>ada</b>' : 'ada', body: title });
  }
  await queue.report(1, 'failure', 'unit', { url: 'https://ci.example/"><script>globalThis.harmed = true</script>' });
  return queue;
}
