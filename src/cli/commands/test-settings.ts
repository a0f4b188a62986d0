import { type Command, InvalidArgumentError } from 'commander';
import { askingService } from '../answering';
import type { RepositoryName } from '../../platform/repository-name';
import { describeRepository, parseBoolean, parseJson } from '../arguments';
import type { Terminal } from '../terminal';
import { asked, type TestsOptions } from './asked-tests';

interface Options extends TestsOptions {
  readonly quarantineEnabled?: boolean;
  readonly autoQuarantine?: boolean;
  readonly infrastructureFailures?: number;
  readonly monitors?: unknown;
}

interface Monitor {
  readonly type: string;
  readonly name: string;
  readonly enabled: boolean;
}

interface Settings {
  readonly quarantine_enabled: boolean;
  readonly auto_quarantine: boolean;
  readonly infrastructure_failures: number;
  readonly monitors: readonly Monitor[];
}

/** Shows the settings if there are no options. The service checks the values. */
export function addTestSettings(command: Command, terminal: Terminal): void {
  command
    .option('--quarantine-enabled <true|false>', 'whether tests are quarantined at all', parseBoolean)
    .option('--auto-quarantine <true|false>', 'quarantine flaky tests automatically', parseBoolean)
    .option(
      '--infrastructure-failures <share>',
      '0 to 1: a commit on which a larger share of healthy tests fails together does not count',
      parseShare,
    )
    .option('--monitors <json>', 'all monitors, as --json shows them', parseJson);
  askingService<Options>(command, terminal, async ({ args, options }, api) => {
    const said = Object.entries({
      quarantine_enabled: options.quarantineEnabled,
      auto_quarantine: options.autoQuarantine,
      infrastructure_failures: options.infrastructureFailures,
      monitors: options.monitors,
    }).filter(([, value]) => value !== undefined);
    const operation = said.length === 0 ? 'get-settings' : 'update-settings';
    const settings = await api.post<Settings>(`flaky-tests/${operation}`, {
      ...asked(args, options),
      ...Object.fromEntries(said),
    });
    const changed = said.length === 0 ? '' : `, changed: ${said.map(([name]) => name).join(', ')}`;
    return {
      data: settings,
      lines: [`${describeRepository(args[0] as RepositoryName)}${changed}`, ...linesOf(settings)],
    };
  });
}

function linesOf({ quarantine_enabled, auto_quarantine, infrastructure_failures, monitors }: Settings): string[] {
  const automatic = auto_quarantine ? 'flaky tests automatically' : 'only manually';
  return [
    `  quarantine: ${quarantine_enabled ? `on, ${automatic}` : 'off'}`,
    `  a commit on which more than ${Number((infrastructure_failures * 100).toFixed(1))} % of healthy tests fail together does not count`,
    ...monitors.map(({ type, name, enabled, ...more }) => {
      const fields = Object.entries(more).map(([field, value]) => `${field} ${[value].flat().join(', ') || 'all'}`);
      const kind = name === type ? name : `${name} (${type})`;
      return `  monitor ${kind}: ${[enabled ? 'on' : 'off', ...fields].join('; ')}`;
    }),
  ];
}

function parseShare(text: string): number {
  if (/^(0|1|0?\.\d+|1\.0+)$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is a number from 0 to 1.');
}
