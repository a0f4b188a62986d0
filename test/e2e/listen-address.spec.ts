import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartedService } from './stop/started-service';

/** Another IP address of this machine. A service that listens on every address also answers at this one. */
const OTHER_ADDRESS = '127.0.0.2';
const WARNING = 'The service can be reached from other machines';

describe('A service without DATABASE_URL', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-listen-'));
    chmodSync(folder, 0o755); // As root, PostgreSQL runs as another user, who must reach the folder.
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Starts the service. Returns whether it answers at another IP address, and whether it warned about this. */
  async function startAndAsk(environment: Record<string, string> = {}): Promise<[boolean, boolean]> {
    const service = await StartedService.start({ PORT: '0', SLUICE_DATA_DIR: folder, ...environment });
    const other = service.url.replace('127.0.0.1', OTHER_ADDRESS);
    const isReached = await fetch(`${other}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
    service.terminate();
    await service.ended;
    return [isReached, service.log().includes(WARNING)];
  }

  it('is reachable from its own machine only, also after a restart, if its data directory is new', async () => {
    expect(await startAndAsk()).toEqual([false, false]);
    expect(await startAndAsk({ SLUICE_LISTEN: '0.0.0.0' })).toEqual([true, false]);
    expect(await startAndAsk()).toEqual([false, false]);
  });

  it('is reachable from everywhere if its data directory is of an earlier version, and warns about that', async () => {
    const mark = readdirSync(folder).find((name) => name.startsWith('listens'));
    rmSync(join(folder, mark ?? ''));
    expect(await startAndAsk()).toEqual([true, true]);
    expect(await startAndAsk({ SLUICE_LISTEN: '127.0.0.1' })).toEqual([false, false]);
  });
});
