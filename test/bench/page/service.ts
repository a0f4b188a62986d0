import 'reflect-metadata';
import { landMany, pullRequest } from '../../browser/histories';
import { type QueueOfTeam, Team } from '../../browser/team';
import { onStatement, type SentStatement } from '../../support/statements';
import { addWaiting } from '../../support/waiting-entries';
import type { Answers, Asked } from './measured-service';

/**
 * At most this many pull requests are submitted one after another, like people do. The other pull requests are inserted
 * as rows.
 */
const MOST_SUBMITTED = 12;
const FIRST = 401;

/**
 * The service with one queue that has a history, in its own process, so that the measuring process does not disturb it.
 */
class Served {
  private count = 0;
  private statements: SentStatement[] = [];

  private constructor(
    private readonly team: Team,
    private readonly queue: QueueOfTeam,
  ) {
    onStatement((statement) => this.statements.push(statement));
  }

  static async start(): Promise<Served> {
    const team = await Team.start();
    const queue = await team.queue('storefront', { concurrency: 4, requiredStatuses: ['lint', 'unit', 'e2e'] });
    await landMany(team, queue, 370, 31);
    return new Served(team, queue);
  }

  async address(): Promise<Answers['address']> {
    const { token } = await this.team.client('read');
    return {
      url: this.team.service.url,
      token: token!,
      databaseUrl: process.env.DATABASE_URL!,
      queue: this.queue.path,
    };
  }

  /**
   * Fills the queue up to `count` pull requests. Returns the URL path of the last waiting one, or of a merged one if
   * `count` is 0.
   */
  async fill(count: number): Promise<Answers['fill']> {
    for (; this.count < Math.min(count, MOST_SUBMITTED); this.count++)
      await this.queue.submit(FIRST + this.count, pullRequest(FIRST + this.count));
    if (this.count < count) {
      const { prisma, clock } = this.team.service;
      const { id: queueId } = await prisma.queue.findFirstOrThrow();
      const place = { queueId, now: clock.now(), like: FIRST };
      await addWaiting(prisma, place, FIRST + this.count, FIRST + count - 1);
      this.count = count;
    }
    return this.queue.pathOf(count === 0 ? FIRST - 1 : FIRST + count - 1);
  }

  /** Increments the version of the queue, like a decision. */
  async change(): Promise<Answers['change']> {
    await this.team.service.prisma.queue.updateMany({ data: { version: { increment: 1 } } });
    return null;
  }

  /** Statements of the service since the last call, and its total CPU time. */
  spent(): Promise<Answers['spent']> {
    const statements = this.statements;
    this.statements = [];
    const { user, system } = process.cpuUsage();
    return Promise.resolve({ statements, cpuMs: (user + system) / 1000 });
  }

  stop(): Promise<void> {
    return this.team.stop();
  }
}

async function main(): Promise<void> {
  const served = await Served.start();
  process.on('message', (asked: Asked) => {
    if (asked.type === 'stop') void served.stop().then(() => process.exit(0));
    else void answerTo(served, asked).then((answer) => process.send!(answer), fail);
  });
  process.send!('ready');
}

function answerTo(served: Served, asked: Exclude<Asked, { type: 'stop' }>): Promise<Answers[keyof Answers]> {
  switch (asked.type) {
    case 'address':
      return served.address();
    case 'fill':
      return served.fill(asked.count);
    case 'change':
      return served.change();
    case 'spent':
      return served.spent();
  }
}

function fail(error: unknown): void {
  process.stderr.write(`${String((error as Error).stack)}\n`);
  process.exit(1);
}

main().catch(fail);
