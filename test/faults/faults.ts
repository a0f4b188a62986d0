import { execFileSync } from 'node:child_process';
import { existsSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { setTimeout as after } from 'node:timers/promises';
import { Client } from 'pg';
import type { CrashPoint } from '../../src/platform/lifecycle/crash-points';
import type { GitHubDouble } from '../support/github/github-double';
import type { MovablePostgres } from '../support/movable-postgres';
import type { Fleet } from './fleet';
import type { Street } from './street';
import { writeAnotherTree } from './wrong-tree';

export interface Town {
  readonly fleet: Fleet;
  readonly postgres: MovablePostgres;
  readonly github: GitHubDouble;
  readonly streets: readonly Street[];
  /** The small disk that holds the processes' data; null if it could not be mounted. */
  readonly disk: string | null;
  readonly chance: () => number;
}

export interface Fault {
  readonly name: string;
  /**
   * The part that the fault stops. Two faults with the same part never overlap, because the second fault would find the
   * part stopped.
   */
  readonly bringsDown?: 'PostgreSQL' | 'the remotes';
  /** Resolves when the fault is over; false if the fault was impossible. */
  readonly strike: (town: Town) => Promise<boolean>;
}

const POINTS: readonly CrashPoint[] = [
  'submit committed',
  'candidate built',
  'branch pushed',
  'testing pull request opened',
  'status stored',
  'landing pushed',
  'comment shown',
  'status shown',
  'command decided',
  'targets in force',
  'targets stored',
  'webhook answered',
];
const REACHED_WITHIN_MS = 60_000;
const AWAY_MS = 10_000;
/**
 * The process stands still for longer than any lease lasts. So another process takes over the work of this process
 * before this process continues.
 */
const STANDS_STILL_MS = 40_000;
const VANISHED_FOR_MS = 60_000;
const HELD_FOR_MS = 300;
const MOST_LOOKS = 200;
const CUTS = 12;
const BETWEEN_CUTS_MS = 500;
const STOPS = 12;

const done = (work: Promise<unknown>): Promise<true> => work.then(() => true);

/** All faults of the table. `none` is no fault: it plays the same days without a fault. */
export const FAULTS: readonly Fault[] = [
  { name: 'none', strike: () => done(after(AWAY_MS)) },
  ...POINTS.map((point): Fault => ({
    name: `killed at "${point}"`,
    strike: ({ fleet, chance }) => fleet.killAt(point, chance() < 0.5 ? 1 : 2, REACHED_WITHIN_MS),
  })),
  { name: 'one of four processes killed', strike: (town) => done(killSome(town, 1)) },
  { name: 'all four killed', strike: (town) => done(killSome(town, town.fleet.places.length)) },
  { name: `${STOPS} rolling stops`, strike: (town) => done(roll(town)) },
  { name: 'one process stops for longer than its leases', strike: (town) => done(stand(town)) },
  { name: 'the machine of one process vanishes in the middle of a transaction', strike: vanish },
  {
    name: 'PostgreSQL restarted',
    bringsDown: 'PostgreSQL',
    strike: ({ postgres }) => done(postgres.stop().then(() => postgres.start())),
  },
  {
    name: 'PostgreSQL crashed',
    bringsDown: 'PostgreSQL',
    strike: ({ postgres }) => done(postgres.crash().then(() => postgres.start())),
  },
  {
    name: 'PostgreSQL away for 10 s',
    bringsDown: 'PostgreSQL',
    strike: ({ postgres }) =>
      done(
        between(
          () => postgres.stop(),
          () => postgres.start(),
        ),
      ),
  },
  {
    name: 'PostgreSQL stops for 10 s',
    bringsDown: 'PostgreSQL',
    strike: ({ postgres }) =>
      done(
        between(
          () => Promise.resolve(postgres.signal('SIGSTOP')),
          () => Promise.resolve(postgres.signal('SIGCONT')),
        ),
      ),
  },
  { name: `every connection cut, ${CUTS} times`, strike: (town) => done(cutConnections(town)) },
  {
    name: 'started before its database',
    bringsDown: 'PostgreSQL',
    strike: (town) => done(startBeforeDatabase(town)),
  },
  { name: 'the remotes gone for 10 s', bringsDown: 'the remotes', strike: (town) => done(hideRemotes(town)) },
  {
    name: 'the remotes refuse every push for 10 s',
    bringsDown: 'the remotes',
    strike: (town) => done(refusePushes(town)),
  },
  {
    name: 'GitHub answers 502 for 10 s',
    strike: ({ github }) =>
      done(
        between(
          () => Promise.resolve(github.faults.goDown()),
          () => Promise.resolve(github.faults.recover()),
        ),
      ),
  },
  { name: 'half of all deliveries of webhooks lost', strike: (town) => done(loseDeliveries(town)) },
  { name: 'pushes bypassing the queue', strike: (town) => done(push(town)) },
  { name: 'GitHub writes another tree', strike: writeAnotherTreeSomewhere },
  { name: 'every testing branch removed', strike: (town) => done(removeTestingBranches(town)) },
  { name: 'the disk full for 10 s', strike: (town) => fillDisk(town) },
];

async function between(begin: () => Promise<unknown>, end: () => Promise<unknown>): Promise<void> {
  await begin();
  await after(AWAY_MS);
  await end();
}

async function killSome({ fleet, chance }: Town, count: number): Promise<void> {
  await after(2_000 * chance());
  const places = fleet.places.map((place) => ({ place, at: chance() })).toSorted((a, b) => a.at - b.at);
  for (const { place } of places.slice(0, count)) place.signal('SIGKILL');
}

async function roll({ fleet }: Town): Promise<void> {
  for (let nth = 0; nth < STOPS; nth++) {
    const place = fleet.places[nth % fleet.places.length]!;
    const { deaths } = place;
    place.signal('SIGTERM');
    while (place.deaths === deaths || !place.isReady) await after(100);
  }
}

async function stand({ fleet, chance }: Town): Promise<void> {
  const place = fleet.places[Math.floor(chance() * fleet.places.length)]!;
  await after(2_000 * chance());
  place.signal('SIGSTOP');
  await after(STANDS_STILL_MS);
  place.signal('SIGCONT');
}

/**
 * Makes a process vanish, like a machine that loses power: PostgreSQL does not learn that the connection is dead, and
 * the locks of the process stay. The process stops while it holds a lock, never continues, and is started again a
 * minute later.
 */
async function vanish({ fleet, postgres, chance }: Town): Promise<boolean> {
  const place = fleet.places[Math.floor(chance() * fleet.places.length)]!;
  for (let look = 0; look < MOST_LOOKS; look++) {
    place.signal('SIGSTOP');
    await after(HELD_FOR_MS);
    if (await isHeld(postgres)) {
      setTimeout(() => place.signal('SIGKILL'), VANISHED_FOR_MS);
      return true;
    }
    place.signal('SIGCONT');
    await after(HELD_FOR_MS * chance());
  }
  return false;
}

/**
 * Whether a transaction that locked a queue has been idle for longer than any running process leaves a transaction
 * idle.
 */
async function isHeld(postgres: MovablePostgres): Promise<boolean> {
  const found = await askPostgres(
    postgres,
    `SELECT 1 FROM pg_stat_activity JOIN pg_locks USING ("pid")
     WHERE "state" = 'idle in transaction' AND "state_change" < clock_timestamp() - interval '${HELD_FOR_MS * 0.8} milliseconds'
       AND "relation" = '"Queue"'::regclass AND "mode" = 'RowShareLock'`,
  );
  return found !== null && found > 0;
}

/**
 * The number of rows in the answer; null if PostgreSQL did not answer, because another fault has stopped it or cut this
 * connection, too.
 */
async function askPostgres(postgres: MovablePostgres, text: string): Promise<number | null> {
  const client = new Client({ connectionString: postgres.url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(text)).rowCount;
  } catch {
    return null;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function cutConnections({ postgres }: Town): Promise<void> {
  for (let nth = 0; nth < CUTS; nth++) {
    await askPostgres(postgres, 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()');
    await after(BETWEEN_CUTS_MS);
  }
}

async function startBeforeDatabase({ fleet, postgres }: Town): Promise<void> {
  for (const place of fleet.places) place.signal('SIGKILL');
  await between(
    () => postgres.stop(),
    () => postgres.start(),
  );
}

async function hideRemotes({ streets }: Town): Promise<void> {
  const folders = streets.filter(({ forge }) => forge.say === undefined).map(({ forge }) => forge.bare.bare);
  // The people and the CI that use the repositories have to wait, too.
  for (const street of streets) street.pause();
  await between(
    () => Promise.resolve(folders.forEach((folder) => renameSync(folder, `${folder}.gone`))),
    () => Promise.resolve(folders.forEach(showAgain)),
  );
  for (const street of streets) street.resume();
}

function showAgain(folder: string): void {
  // A push in progress may have created the folder again.
  rmSync(folder, { recursive: true, force: true });
  renameSync(`${folder}.gone`, folder);
}

async function refusePushes({ streets }: Town): Promise<void> {
  const ofGit = streets.filter(({ forge }) => forge.say === undefined);
  for (const street of ofGit) street.refusePushes();
  await after(AWAY_MS);
  for (const street of ofGit) street.takePushes();
}

async function loseDeliveries({ github, chance }: Town): Promise<void> {
  github.webhooks.fateOf = () => (chance() < 0.5 ? 'dropped' : 'delivered');
  await after(AWAY_MS);
  github.webhooks.fateOf = () => 'delivered';
}

async function push({ streets }: Town): Promise<void> {
  for (let nth = 0; nth < 3; nth++) {
    for (const street of streets) await street.pushFromOutside();
    await after(AWAY_MS / 3);
  }
}

async function removeTestingBranches({ streets }: Town): Promise<void> {
  for (let nth = 0; nth < 3; nth++) {
    for (const street of streets) await street.removeTestingBranches();
    await after(AWAY_MS / 3);
  }
}

async function writeAnotherTreeSomewhere({ streets }: Town): Promise<boolean> {
  const street = streets.find(({ rules }) => rules.hasMergeButton);
  return street !== undefined && writeAnotherTree(street);
}

async function fillDisk({ disk }: Town): Promise<boolean> {
  if (disk === null) return false;
  const filler = `${disk}/filler`;
  const { bavail, bsize } = statfsSync(disk);
  try {
    writeFileSync(filler, Buffer.alloc(bavail * bsize + bsize));
  } catch {
    // The disk is full, so nothing more can be written, but the data on the disk stays.
  }
  await after(AWAY_MS);
  rmSync(filler, { force: true });
  return true;
}

/** Mounts a separate small disk. Returns null unless the program runs as root on Linux. */
export function mountDisk(folder: string): string | null {
  if (process.getuid?.() !== 0 || !existsSync('/proc/mounts')) return null;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1g', 'tmpfs', folder], { stdio: 'ignore' });
    return folder;
  } catch {
    return null;
  }
}
