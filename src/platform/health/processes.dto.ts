import { ApiProperty } from '@nestjs/swagger';

/** A process of the service. */
export class ServiceProcessItem {
  @ApiProperty({
    description: 'Id of the process, which is new after each start.',
    format: 'uuid',
    example: '0b6c2f0e-6f0e-4d1c-9f0a-3d0c1a2b3c4d',
  })
  id: string;

  @ApiProperty({ description: 'The version of the process.', example: '1.0.0' })
  version: string;

  @ApiProperty({
    type: 'string',
    description:
      'The commit that the process was built from, with "+changed" when the working tree had changes. Null: the build had no git.',
    nullable: true,
    example: '1a2b3c4d5e6f',
  })
  commit: string | null;

  @ApiProperty({
    type: 'string',
    description:
      'Digest of the compiled files: builds of different sources differ. Null: the process runs an earlier version.',
    nullable: true,
    example: '9f8e7d6c5b4a',
  })
  sources: string | null;

  @ApiProperty({
    type: 'string',
    description: 'The time of the build. Null: the process runs an earlier version.',
    format: 'date-time',
    nullable: true,
    example: '2026-11-25T07:30:00.000Z',
  })
  builtAt: string | null;

  @ApiProperty({ description: 'When the process started.', format: 'date-time', example: '2026-11-25T08:00:00.000Z' })
  startedAt: string;

  @ApiProperty({
    description: 'Last report of the process, by the clock of the database.',
    format: 'date-time',
    example: '2026-11-25T12:00:00.000Z',
  })
  lastSeenAt: string;

  @ApiProperty({
    description:
      'False: the process has not reported for 15 seconds, and did not report that it stops. The process was killed, or cannot reach the database.',
    example: true,
  })
  alive: boolean;

  @ApiProperty({
    type: 'string',
    description: 'Machine or container of the process; null where several organizations share the service.',
    nullable: true,
    example: 'sluice-7c9f',
  })
  machine: string | null;

  @ApiProperty({
    type: 'integer',
    description: 'Process id on that machine; null where several organizations share the service.',
    nullable: true,
    example: 1,
  })
  pid: number | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description:
      'Settings of the process by the names of the variables, without secrets; "" for a variable that is not set. Null where several organizations share the service.',
    nullable: true,
    example: { SLUICE_BRAND: 'sluice', SLUICE_LOG_LEVEL: 'info' },
  })
  settings: Readonly<Record<string, string>> | null;
}

/** The processes that share the database. */
export class ListedProcesses {
  @ApiProperty({
    type: [ServiceProcessItem],
    description: 'Running processes come first. A killed process stays in the list for an hour.',
  })
  processes: ServiceProcessItem[];

  @ApiProperty({
    type: [String],
    description: 'Variables that must be the same in all processes, and differ between the running ones.',
    example: [],
  })
  differingSettings: string[];
}
