import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Body, Controller, type INestApplication, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ApiBody, ApiOkResponse, DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Command } from 'commander';
import { settingsSaid, withQueueSettings } from '../../cli/commands/queue-settings';
import { ENGINE_SETTINGS, QUEUE_SETTINGS, type QueueSettingName } from '../../domain/queue-settings';
import { type QueueSetting, type SettingTable, storesNull } from '../../domain/setting-kinds';
import { RejectUnknownFields } from '../../platform/errors/reject-unknown-fields';
import { RequestValidationPipe } from '../../platform/errors/request-validation.pipe';
import { QueueReference } from '../shared/queue-reference.dto';
import { QueueRecord } from './queue-record.dto';
import { UpdateQueueRequest } from './queue-settings.dto';
import { withRequestedSettings, withReturnedSettings } from './dto/setting-fields';
import { columnSettings, defaultSettings, engineSettings } from './queue-settings';

/** Columns of `Queue` that are no settings. A new column belongs here or in the table. */
const OTHER_COLUMNS = [
  ...['id', 'repositoryId', 'branch', 'liveBranch', 'createdAt', 'deletedAt'],
  ...[
    'state',
    'stateChangedAt',
    'stateActor',
    'requestedMode',
    'stateAfterSwitch',
    'version',
    'wakeAt',
    'startNotedAt',
  ],
  ...['nextRun', 'nextLanding', 'nextLog', 'nextOrder', 'nextPlace', 'nextSearch'],
  ...['tipCommit', 'tipTree', 'tipSeenAt', 'epoch', 'landedSeq', 'concluded', 'landing', 'partialLanding', 'flow'],
  ...['failures', 'retryAt'],
];
const COLUMN_TYPES: Readonly<Record<QueueSetting['kind'], string>> = {
  integer: 'BigInt',
  boolean: 'Boolean',
  choice: 'String',
  text: 'String',
  names: 'String[]',
  'batching rules': 'Json',
  'freeze windows': 'Json',
  'status reporters': 'Json',
};
const SETTINGS = Object.entries<QueueSetting>(QUEUE_SETTINGS);
const NAMES = SETTINGS.map(([name]) => name);
const QUEUE = { repo: { host: 'local', owner: 'demo', name: 'widgets' }, targetBranch: 'main' };

describe('The table of queue settings', () => {
  it('has a row for every column of Queue that is a setting, of the kind that the column has', () => {
    const columns = columnsOfQueue().filter(([name]) => !OTHER_COLUMNS.includes(name));
    const expected = SETTINGS.map(([name, setting]) => {
      const isNullable = setting.default === null || storesNull(setting);
      return [name, `${COLUMN_TYPES[setting.kind]}${isNullable ? '?' : ''}`];
    });
    expect(Object.fromEntries(columns)).toEqual(Object.fromEntries(expected));
  });

  it('makes the fields of requests and of records', async () => {
    const schemas = await schemasOf(UpdateQueueRequest, QueueRecord);
    const beside = ['repo', 'targetBranch', 'state', 'deleteRequiredStatuses'];
    expect(Object.keys(schemas.request).sort()).toEqual([...NAMES, ...beside].sort());
    expect(Object.keys(schemas.record).sort()).toEqual([...NAMES, 'state', 'branch'].sort());
  });

  it('makes the options of the command line, each with what is allowed and the default', () => {
    const help = helpOf(QUEUE_SETTINGS);
    for (const [name, setting] of SETTINGS) {
      const said = help.get(optionOf(name));
      expect({ name, said }).toEqual({ name, said: expect.stringContaining(setting.words) as string });
      expect({ name, said }).toEqual({ name, said: expect.stringMatching(/[Dd]efault: .+\.$/) as string });
    }
    expect([...help.keys()].sort()).toEqual(
      [...NAMES, 'state', 'deleteRequiredStatuses'].map(optionOf).concat('--help').sort(),
    );
  });

  it('makes the defaults of a new queue, with the name that the service goes by', () => {
    expect(Object.keys(defaultSettings('acme')).sort()).toEqual([...NAMES, 'state'].sort());
    expect(defaultSettings('acme').enqueueingLabel).toBe('acme-merge-queue-submit');
  });

  it('sends every setting of a request to the engine, to a column or to the mode switch, and only there', () => {
    const request = Object.assign(new UpdateQueueRequest(), QUEUE, example(QUEUE_SETTINGS));
    const engine = Object.keys(engineSettings(request));
    const columns = Object.keys(columnSettings(request));
    expect(engine.sort()).toEqual([...ENGINE_SETTINGS].sort());
    expect([...engine, ...columns, 'mode'].sort()).toEqual([...NAMES].sort());
  });

  it('puts every setting that takes null back to its default, or to the null that is a value of its own', () => {
    const nullable = SETTINGS.filter(([, setting]) => 'nullMeans' in setting).map(([name]) => name as QueueSettingName);
    const nulls = Object.fromEntries(nullable.map((name) => [name, null]));
    const request = Object.assign(new UpdateQueueRequest(), QUEUE, nulls);
    expect({ ...engineSettings(request), ...columnSettings(request) }).toEqual({
      bisectionConcurrency: null,
      maxMergesPerHour: null,
      neverReportedMinutes: null,
      pauseReason: null,
      pendingFailureDepth: 0,
      requiredStatuses: [],
    });
  });
});

describe('A setting that is only in the table', () => {
  const table = {
    ...QUEUE_SETTINGS,
    mergesPerHour: {
      ...{ kind: 'integer', range: { minimum: 1, maximum: 60 }, default: null, nullMeans: 'no limit' },
      ...{ example: 6, actedOnBy: 'nothing', words: 'How many pull requests are merged in an hour at most.' },
    },
  } as const satisfies SettingTable;

  @RejectUnknownFields()
  class MadeUpRequest extends withRequestedSettings(QueueReference, table) {}
  class MadeUpRecord extends withReturnedSettings(Object, table) {}

  const refusal = (body: object) =>
    new RequestValidationPipe().transform({ ...QUEUE, ...body }, { type: 'body', metatype: MadeUpRequest }).then(
      () => [],
      ({ details }: { details: { field: string; message: string }[] }) =>
        details.map(({ field, message }) => `${field}: ${message}`),
    );

  it('is checked in requests, together with all others', async () => {
    expect(await refusal({ mergesPerHour: 60 })).toEqual([]);
    expect(await refusal({ mergesPerHour: null })).toEqual([]);
    expect((await refusal({ mergesPerHour: 61, batch: 1, mergesPerDay: 1 })).sort()).toEqual([
      'batch: batch must be true or false',
      'mergesPerDay: is not a field of this request',
      'mergesPerHour: mergesPerHour must be an integer from 1 to 60',
    ]);
  });

  it('is described in /openapi.json', async () => {
    const { request, record } = await schemasOf(MadeUpRequest, MadeUpRecord);
    expect(request.mergesPerHour).toEqual({
      description:
        'How many pull requests are merged in an hour at most. Stored and returned only. Null, the default: no limit.',
      ...{ example: 6, type: 'integer', minimum: 1, maximum: 60, format: 'int64', nullable: true },
    });
    expect(record.mergesPerHour).toMatchObject({ type: 'integer', nullable: true });
  });

  it('is an option of the command line', async () => {
    expect(helpOf(table).get('--merges-per-hour')).toBe(
      'How many pull requests are merged in an hour at most. Stored and returned only. 1 to 60. Null, the default: no limit.',
    );
    const command = withQueueSettings(new Command('update'), table);
    await command.parseAsync(['--merges-per-hour', '6', '--batch', 'true'], { from: 'user' });
    expect(settingsSaid(command.opts(), table)).toEqual({ mergesPerHour: 6, batch: true });
  });
});

function columnsOfQueue(): [string, string][] {
  const schema = readFileSync(join(__dirname, '../../../prisma/schema.prisma'), 'utf8');
  const model = /^model Queue \{\n([\s\S]*?)^\}/m.exec(schema)?.[1] ?? '';
  const fields = [...model.matchAll(/^ {2}(\w+)\s+(\w+(?:\[\]|\?)?)/gm)].map(([, name = '', type = '']) => [
    name,
    type,
  ]);
  const isColumn = ([, type]: string[]) => /^(String|BigInt|Boolean|DateTime|Int|Json)\b/.test(type ?? '');
  return fields.filter(isColumn) as [string, string][];
}

function example(table: SettingTable): object {
  return Object.fromEntries(Object.entries(table).map(([name, setting]) => [name, setting.example ?? setting.default]));
}

async function schemasOf(request: new () => object, record: new () => object) {
  @Controller()
  class Described {
    @Post()
    @ApiBody({ type: request })
    @ApiOkResponse({ type: record })
    take(@Body() body: object): object {
      return body;
    }
  }
  @Module({ controllers: [Described] })
  class DescribedModule {}
  const app: INestApplication = await NestFactory.create(DescribedModule, { logger: false });
  const document = SwaggerModule.createDocument(app, new DocumentBuilder().build());
  await app.close();
  const schemas = document.components?.schemas as Record<string, { properties: Record<string, object> }>;
  return { request: schemas[request.name]!.properties, record: schemas[record.name]!.properties };
}

/** The words of the help by the name of their option. */
function helpOf(table: SettingTable): Map<string, string> {
  const command = withQueueSettings(new Command('update'), table).configureHelp({ helpWidth: 1_000 });
  const lines = command.helpInformation().split('\n');
  return new Map(
    lines.flatMap((line) => {
      const [, option = '', words = ''] = /^ {2}(?:-h, )?(--[a-z-]+).*? {2,}(.*)$/.exec(line) ?? [];
      return option === '' ? [] : [[option, words] as const];
    }),
  );
}

function optionOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
