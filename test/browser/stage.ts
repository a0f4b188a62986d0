import type { Role } from '../../src/platform/requests/roles';
import { Chromium, type Person } from './browser';
import { Team } from './team';

interface StageOptions {
  /**
   * With 'for all tests', one window of `person` serves all tests. With 'for each test', each test has a new window
   * with its own session.
   */
  readonly window?: 'for all tests' | 'for each test';
  /** The role of the signed-in person; null if nobody is signed in. */
  readonly role?: Role | null;
  readonly team?: () => Promise<Team>;
}

/** Shared by the tests of a file: a team with a running service, a browser, and a person called ada. */
export class Stage {
  team!: Team;
  chromium!: Chromium;
  person!: Person;

  /** Another person with a window of their own. The caller closes it. */
  async other(role: Role, options: Parameters<Chromium['person']>[1] = {}): Promise<Person> {
    const other = await this.chromium.person(this.team.service.url, options);
    await other.signIn((await this.team.client(role)).token!);
    return other;
  }
}

/**
 * Opens before the tests of the calling `describe` and closes after them; `prepare` makes the content. A complaint of
 * the console, the content security policy or a script fails the test.
 */
export function openStage(
  prepare: (team: Team) => Promise<void>,
  { window = 'for all tests', role = 'read', team: start = () => Team.start() }: StageOptions = {},
): Stage {
  const stage = new Stage();
  const open = async (): Promise<void> => {
    stage.person = await stage.chromium.person(stage.team.service.url);
    // The browser's clock shows the service's day, so times of today appear without a date.
    await stage.person.page.clock.setFixedTime(stage.team.service.clock.now());
    if (role !== null) await stage.person.signIn((await stage.team.client(role)).token!, 'ada');
  };
  beforeAll(async () => {
    stage.team = await start();
    stage.chromium = await Chromium.start();
    await prepare(stage.team);
    if (window === 'for all tests') await open();
  }, 600_000);
  if (window === 'for each test') beforeEach(open);
  afterEach(async () => {
    expect(stage.person.complaints).toEqual([]);
    if (window === 'for each test') await stage.person.close();
  });
  afterAll(async () => {
    await stage.chromium?.stop();
    await stage.team?.stop();
  });
  return stage;
}
