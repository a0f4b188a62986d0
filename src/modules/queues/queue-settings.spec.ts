import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Body, Controller, type INestApplication, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ApiBody, ApiOkResponse, DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Command } from 'commander';
import { settingsSaid, withQueueSettings } from '../../cli/commands/queue-settings';
import { QUEUE_SETTINGS, type QueueSettingName } from '../../domain/queue-settings';
import { type QueueSetting, type SettingTable } from '../../domain/setting-kinds';
import { RejectUnknownFields } from '../../platform/errors/reject-unknown-fields';
import { RequestValidationPipe } from '../../platform/errors/request-validation.pipe';
import { QueueReference } from '../shared/queue-reference.dto';
import { QueueRecord } from './queue-record.dto';
import { UpdateQueueRequest } from './queue-settings.dto';
import { withRequestedSettings, withReturnedSettings } from './dto/setting-fields';
import { requestedNewQueue, settingsPatch } from './queue-settings';

const SETTINGS = Object.entries<QueueSetting>(QUEUE_SETTINGS);
const NAMES = SETTINGS.map(([name]) => name);
const STORED = NAMES.filter((name) => name !== 'mode');
const QUEUE = { repo: { host: 'local', owner: 'demo', name: 'widgets' }, targetBranch: 'main' };

describe('The table of queue settings', () => {
  it('is stored in one column of Queue, except for the mode', () => {
    const columns = columnsOfQueue();
    expect(columns).toContain('settings');
    expect(columns.filter((name) => NAMES.includes(name))).toEqual(['mode']);
  });

  it('generates the fields of requests and of records', async () => {
    const schemas = await schemasOf(UpdateQueueRequest, QueueRecord);
    const beside = ['repo', 'targetBranch', 'state', 'deleteRequiredStatuses'];
    expect(Object.keys(schemas.request).sort()).toEqual([...NAMES, ...beside].sort());
    expect(Object.keys(schemas.record).sort()).toEqual([...NAMES, 'state', 'branch'].sort());
  });

  it('generates the options of the command line, each with its allowed values and default', () => {
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

  it('generates the defaults of a new queue, with the brand of the service', () => {
    const request = Object.assign(new UpdateQueueRequest(), QUEUE);
    const { settings, ...others } = requestedNewQueue(request, 'acme');
    expect(others).toEqual({ state: 'running', mode: 'single' });
    expect(Object.keys(settings).sort()).toEqual(STORED.sort());
    expect(settings.enqueueingLabel).toBe('acme-merge-queue-submit');
  });

  it('stores every setting in a request, except the mode', () => {
    const request = Object.assign(new UpdateQueueRequest(), QUEUE, example(QUEUE_SETTINGS));
    expect(Object.keys(settingsPatch(request)).sort()).toEqual(STORED.sort());
    expect(requestedNewQueue(request, 'acme')).toMatchObject({ mode: 'single', settings: settingsPatch(request) });
  });

  it('stores no other field of a request', () => {
    expect(settingsPatch(Object.assign(new UpdateQueueRequest(), QUEUE, { state: 'paused' }))).toEqual({});
  });

  it('resets a setting that a request sets to null: to its default, or to null if null has a meaning', () => {
    const nullable = SETTINGS.filter(([, setting]) => 'nullMeans' in setting).map(([name]) => name as QueueSettingName);
    const nulls = Object.fromEntries(nullable.map((name) => [name, null]));
    expect(settingsPatch(Object.assign(new UpdateQueueRequest(), QUEUE, nulls))).toEqual({
      bisectionConcurrency: null,
      maxMergesPerHour: null,
      neverReportedMinutes: null,
      pauseReason: null,
      pendingFailureDepth: 0,
      requiredStatuses: [],
    });
  });
});

describe('a setting that is only in the table', () => {
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

  it('is validated in requests, together with all other fields', async () => {
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
        'How many pull requests are merged in an hour at most. The queue stores and returns this setting, and does not use it. Null, the default: no limit.',
      ...{ example: 6, type: 'integer', minimum: 1, maximum: 60, format: 'int64', nullable: true },
    });
    expect(record.mergesPerHour).toMatchObject({ type: 'integer', nullable: true });
  });

  it('is an option of the command line', async () => {
    expect(helpOf(table).get('--merges-per-hour')).toBe(
      'How many pull requests are merged in an hour at most. The queue stores and returns this setting, and does not use it. 1 to 60. Null, the default: no limit.',
    );
    const command = withQueueSettings(new Command('update'), table);
    await command.parseAsync(['--merges-per-hour', '6', '--batch', 'true'], { from: 'user' });
    expect(settingsSaid(command.opts(), table)).toEqual({ mergesPerHour: 6, batch: true });
  });
});

function columnsOfQueue(): string[] {
  const schema = readFileSync(join(__dirname, '../../../prisma/schema.prisma'), 'utf8');
  const model = /^model Queue \{\n([\s\S]*?)^\}/m.exec(schema)?.[1] ?? '';
  return [...model.matchAll(/^ {2}(\w+)\s+\w/gm)].map(([, name = '']) => name);
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

/** The help text of each option. */
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
