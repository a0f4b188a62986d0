import type { Command } from 'commander';
import type { ApiClient } from '../api-client';
import { askingService, type ServiceOptions } from '../answering';
import { parseInstant, parseNumber } from '../arguments';
import { databaseWork } from '../loaded-later';
import { table } from '../reply';
import type { Terminal } from '../terminal';

const AT_ONCE = 50;

interface Options extends ServiceOptions {
  readonly since?: Date;
  readonly until?: Date;
  readonly cursor?: string;
  readonly take: number;
  readonly all?: true;
}

interface AuditAnswer {
  readonly items: readonly {
    readonly id: string;
    readonly at: string;
    readonly actor: string;
    readonly channel: string;
    readonly address: string | null;
    readonly action: string;
    readonly subject: string;
    readonly from: unknown;
    readonly to: unknown;
  }[];
  readonly nextCursor: string | null;
}

export function addAuditCommand(program: Command, terminal: Terminal): void {
  const audit = program
    .command('audit')
    .description('list changes of settings, tokens, repositories and quarantine, and list direct merges; newest first')
    .option('--since <time>', 'only changes from this date or time on', parseInstant)
    .option('--until <time>', 'only changes before this date or time', parseInstant)
    .option('--cursor <cursor>', 'cursor that the previous page printed')
    .option('--take <count>', 'the maximum number of changes to list, up to 100', parseNumber, AT_ONCE)
    .option(
      '--all',
      "changes of all organizations, and when organizations were created; reads the database, so run it on the service's machine",
    );
  askingService<Options>(audit, terminal, async ({ options }, api) => {
    const answer = await (options.all ? readAll(options) : ask(api, options));
    const rows = answer.items.map(({ at, actor, channel, address, action, subject, from, to }) => [
      ...[at, actor, address ?? channel, action, subject],
      `${JSON.stringify(from)} -> ${JSON.stringify(to)}`,
    ]);
    const head = ['AT', 'BY', 'FROM', 'ACTION', 'SUBJECT', 'CHANGE'];
    return {
      data: answer,
      lines: rows.length === 0 ? ['Nothing was recorded.'] : table([head, ...rows]),
      next: answer.nextCursor === null ? undefined : `the same command with --cursor ${answer.nextCursor}`,
    };
  });
}

async function ask(api: ApiClient, { since, until, cursor, take }: Options): Promise<AuditAnswer> {
  const asked = { since: since?.toISOString(), until: until?.toISOString(), cursor, take: String(take) };
  const given = Object.entries(asked).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return JSON.parse(await api.text(`/v1/audit?${new URLSearchParams(given).toString()}`)) as AuditAnswer;
}

async function readAll({ since, until, cursor, take }: Options): Promise<AuditAnswer> {
  const question = { organizationId: null, repositoryIds: null, since, until, take };
  const place = cursor === undefined ? {} : { cursor: BigInt(parseNumber(cursor)) };
  const { readAuditLog, withDatabase } = databaseWork();
  const { events, nextCursor } = await withDatabase((prisma) => readAuditLog(prisma, { ...question, ...place }));
  return {
    items: events.map(({ id, at, before, after, organizationId: _, repositoryId: __, ...event }) => ({
      ...event,
      id: String(id),
      at: at.toISOString(),
      from: before,
      to: after,
    })),
    nextCursor: nextCursor === null ? null : String(nextCursor),
  };
}
