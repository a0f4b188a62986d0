import type { Role } from '../../src/platform/requests/roles';
import { Chromium, type Person } from './browser';
import { Team } from './team';

interface StageOptions {
  /** The window of `person`: one for all tests, or a new one with a session of its own for each. */
  readonly window?: 'for all tests' | 'for each test';
  /** Of who is signed in; null: nobody is. */
  readonly role?: Role | null;
  readonly team?: () => Promise<Team>;
}

/** What the tests of a file have in common: a team whose service runs, a browser, and somebody called ada who looks. */
export class Stage {
  team!: Team;
  chromium!: Chromium;
  person!: Person;

  /** Somebody else, in a window of their own. Whoever opens it closes it. */
  async other(role: Role, options: Parameters<Chromium['person']>[1] = {}): Promise<Person> {
    const other = await this.chromium.person(this.team.service.url, options);
    await other.signIn((await this.team.client(role)).token!);
    return other;
  }
}

/**
 * Begins before the tests of the `describe` that calls it and ends after them; `prepare` makes what they look at. What the console,
 * the policy or a script complains about while somebody looks fails the test.
 */
export function openStage(
  prepare: (team: Team) => Promise<void>,
  { window = 'for all tests', role = 'read', team: start = () => Team.start() }: StageOptions = {},
): Stage {
  const stage = new Stage();
  const open = async (): Promise<void> => {
    stage.person = await stage.chromium.person(stage.team.service.url);
    // It is the same day as for the service, so that moments of today have none.
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
