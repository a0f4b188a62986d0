import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import type { CrashPoint } from '../../src/platform/lifecycle/crash-points';
import { freePort } from '../support/movable-postgres';

const STARTS_AGAIN_AFTER_MS = 1_000;
const ASKED_EVERY_MS = 300;
/** A stop waits at most 20 seconds for work in progress, and closes open connections. */
const STOPS_WITHIN_MS = 45_000;
const ANSWERS_WITHIN_MS = 2_000;

/** The place of one service process. When the process ends, the place starts it again, as a process manager would. */
class Place {
  process: ChildProcess | null = null;
  isReady = false;
  deaths = 0;
  private isWanted = true;
  private running: Promise<void> = Promise.resolve();

  constructor(
    readonly port: number,
    private readonly environment: Readonly<Record<string, string>>,
    private readonly logFile: string,
  ) {}

  begin(): void {
    this.isWanted = true;
    this.running = this.run();
  }

  /** Returns whether the process stopped without a kill. */
  async end(): Promise<boolean> {
    this.isWanted = false;
    this.signal('SIGCONT');
    this.signal('SIGTERM');
    let isLate = false;
    const limit = setTimeout(() => {
      isLate = true;
      this.signal('SIGKILL');
    }, STOPS_WITHIN_MS);
    await this.running;
    clearTimeout(limit);
    return !isLate;
  }

  signal(signal: NodeJS.Signals): void {
    this.process?.kill(signal);
  }

  arm(killAt: { readonly point: CrashPoint; readonly time: number } | null): void {
    if (this.process?.connected) this.process.send(killAt ?? false, () => undefined);
  }

  private async run(): Promise<void> {
    while (this.isWanted) {
      const child = spawn(process.execPath, [join(__dirname, 'launch.cjs')], {
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        env: { PATH: process.env.PATH, PORT: String(this.port), ...this.environment },
      });
      this.process = child;
      const log = createWriteStream(this.logFile, { flags: 'a' });
      child.stdout!.pipe(log, { end: false });
      child.stderr!.pipe(log, { end: false });
      const end = await new Promise<string>((resolve) => child.once('exit', (code, by) => resolve(String(by ?? code))));
      this.process = null;
      this.isReady = false;
      this.deaths += 1;
      log.end(`== ended: ${end}\n`);
      if (this.isWanted) await after(STARTS_AGAIN_AFTER_MS);
    }
  }
}

/**
 * Processes of the service on one database, each with its own folder. They have one common URL, which leads to the
 * ready processes.
 */
export class Fleet {
  private readonly relay: Server;
  private readonly watch: NodeJS.Timeout;
  private turn = 0;

  private constructor(readonly places: readonly Place[]) {
    this.relay = createServer((client) => this.lead(client));
    this.watch = setInterval(() => void this.look(), ASKED_EVERY_MS);
  }

  static async start(
    count: number,
    folder: string,
    logs: string,
    environment: Readonly<Record<string, string>>,
  ): Promise<Fleet> {
    const places: Place[] = [];
    for (let index = 0; index < count; index++) {
      const data = join(folder, `data-${index}`);
      mkdirSync(data, { recursive: true });
      const own = { ...environment, SLUICE_DATA_DIR: data };
      places.push(new Place(await freePort(), own, join(logs, `service-${index}.log`)));
    }
    const fleet = new Fleet(places);
    await new Promise<void>((resolve) => fleet.relay.listen(0, '127.0.0.1', resolve));
    for (const place of places) place.begin();
    return fleet;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.relay.address() as AddressInfo).port}`;
  }

  async isWhole(): Promise<void> {
    while (!this.places.every(({ isReady }) => isReady)) await after(ASKED_EVERY_MS);
  }

  /** Kills the first process that reaches the point. Returns whether a process reached it within the limit. */
  async killAt(point: CrashPoint, time: number, limitMs: number): Promise<boolean> {
    const before = this.deaths();
    for (const place of this.places) place.arm({ point, time });
    const limit = Date.now() + limitMs;
    while (this.deaths() === before && Date.now() < limit) await after(20);
    for (const place of this.places) place.arm(null);
    return this.deaths() > before;
  }

  /** Returns how many processes did not stop on request and had to be killed. */
  async stop(): Promise<number> {
    clearInterval(this.watch);
    const stopped = await Promise.all(this.places.map((place) => place.end()));
    await new Promise((resolve) => this.relay.close(resolve));
    return stopped.filter((isClean) => !isClean).length;
  }

  private deaths(): number {
    return this.places.reduce((sum, { deaths }) => sum + deaths, 0);
  }

  private async look(): Promise<void> {
    await Promise.all(
      this.places.map(async (place) => {
        const signal = AbortSignal.timeout(ANSWERS_WITHIN_MS);
        const answer = await fetch(`http://127.0.0.1:${place.port}/readyz`, { signal }).catch(() => null);
        await answer?.arrayBuffer().catch(() => undefined);
        place.isReady = answer?.status === 200 && place.process !== null;
      }),
    );
  }

  private lead(client: Socket): void {
    const ready = this.places.filter(({ isReady }) => isReady);
    const place = ready[this.turn++ % ready.length];
    if (place === undefined) return void client.destroy();
    const server = connect(place.port, '127.0.0.1');
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
    client.pipe(server).pipe(client);
  }
}
