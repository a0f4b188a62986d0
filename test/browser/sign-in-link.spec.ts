import { createSignInLink } from '../../src/platform/auth/sign-in-links';
import { ALL_LOOKS, Chromium, describeInBrowser, type Person } from './browser';
import { Team } from './team';

describeInBrowser('A sign-in link in a browser', () => {
  let team: Team;
  let chromium: Chromium;
  let person: Person;

  beforeAll(async () => {
    team = await Team.start();
    chromium = await Chromium.start();
    await team.client('admin');
  });
  afterAll(async () => {
    await chromium?.stop();
    await team.stop();
  });

  beforeEach(async () => {
    person = await chromium.person(team.service.url);
  });
  afterEach(async () => {
    expect(person.complaints).toEqual([]);
    await person.close();
  });

  const path = async () => {
    const { code } = await createSignInLink(
      team.service.prisma,
      { organizationSlug: 'acme' },
      team.service.clock.now(),
    );
    return `/ui/sign-in-link?code=${code}`;
  };

  it('signs in by its button, once, and leaves no code in the URL of a later page', async () => {
    const { page } = person;
    const link = await path();
    await page.goto(link);
    await page.fill('#person', 'ada');
    await page.click('button.main');
    await page.waitForURL('**/ui');
    expect(page.url()).not.toContain('sll_');
    await page.goto(link);
    expect(await page.textContent('[role=alert]')).toContain('was used already');
  });

  it('has no axe violations in both themes and all widths, before and after its use', async () => {
    const link = await path();
    const pages = { 'sign-in-link': link, 'sign-in-link-spent': `${link}x` };
    for (const [name, address] of Object.entries(pages)) {
      for (const look of ALL_LOOKS) {
        await person.look(look);
        await person.page.goto(address);
        if (look.width !== 1024) await person.picture(`${name}-${look.width}-${look.theme}`);
        const good = { ...look, axe: [], overflow: 0 };
        expect({ ...look, axe: await person.axe(), overflow: await person.overflow() }).toEqual(good);
      }
    }
  });
});
