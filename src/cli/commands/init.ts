import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { CHECK_RUNNER_MODES, ConfigError } from '../../platform/config/config';
import { CONFIG_FILE } from '../../platform/config/config-file';
import { readConfig } from '../../platform/config/read-config';
import { FILE_SETTINGS } from '../../platform/config/settings-table';
import { answering } from '../answering';
import { parseNumber } from '../arguments';
import { CliError } from '../cli-error';
import { configText } from '../init/config-template';
import type { Terminal } from '../terminal';

/** Only the owner may read the file, because the operator may add a secret later. */
const OWNER_ALONE = 0o600;

interface Options {
  readonly dir: string;
  readonly port?: number;
  readonly listen?: string;
  readonly publicUrl?: string;
  readonly dataDir?: string;
  readonly databaseUrl?: string;
  readonly databaseUrlFile?: string;
  readonly hosts?: string;
  readonly checkRunner?: string;
}

export function addInitCommand(program: Command, terminal: Terminal): void {
  const init = program
    .command('init')
    .description(`write ${CONFIG_FILE}, with comments on the common settings; asks no questions, and replaces no file`)
    .option('--dir <folder>', 'folder of the file; created if missing', '.')
    .option('--port <port>', 'port of the service; 0: any free port', parseNumber)
    .option('--listen <address>', 'address to listen on, such as 127.0.0.1 or 0.0.0.0')
    .option('--public-url <url>', 'URL at which people and code hosts reach the service')
    .option('--data-dir <folder>', 'folder of the embedded database and of working clones')
    .option('--database-url <url>', 'PostgreSQL to use; default: an embedded one')
    .option(
      '--database-url-file <file>',
      'file with the URL of the database, which keeps its password out of the new file',
    )
    .option('--hosts <file>', 'JSON file with the code hosts')
    .addOption(new Option('--check-runner <mode>', 'whether the service runs checks').choices(CHECK_RUNNER_MODES));
  answering<Options>(init, terminal, ({ options: { dir, ...settings } }) => {
    const values = Object.fromEntries(Object.entries(settings).filter(([key]) => FILE_SETTINGS.has(key)));
    requireRight(values);
    const path = join(resolve(dir), CONFIG_FILE);
    writeNew(path, configText(values));
    const folder = relative(process.cwd(), resolve(dir));
    return Promise.resolve({
      data: { path, settings: values },
      lines: [`Wrote ${path}. Only you can read it.`],
      next: folder === '' ? 'sluice serve' : `cd ${folder} && sluice serve`,
    });
  });
}

/** Checks the values as the start of the service does. Files that contain values of settings may be created later. */
function requireRight(values: Readonly<Record<string, string | number>>): void {
  if ('databaseUrl' in values && 'databaseUrlFile' in values)
    throw new CliError('Give --database-url or --database-url-file, not both.', { exit: 2 });
  const given = Object.entries(values).map(([key, value]) => ({
    variable: FILE_SETTINGS.get(key)!.variable,
    option: `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    value: String(value),
  }));
  const checked = given.filter(({ variable }) => !variable.endsWith('_FILE'));
  try {
    readConfig(Object.fromEntries(checked.map(({ variable, value }) => [variable, value])));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const wrong = checked.find(({ variable }) => error.message.startsWith(`${variable} `));
    throw new CliError(wrong ? error.message.replace(wrong.variable, wrong.option) : error.message, { exit: 2 });
  }
}

function writeNew(path: string, text: string): void {
  try {
    mkdirSync(resolve(path, '..'), { recursive: true });
    writeFileSync(path, text, { flag: 'wx', mode: OWNER_ALONE });
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') throw new CliError(`${path} cannot be written (${code}).`);
    throw new CliError(`There is a file ${path} already. It was not changed.`, {
      code: 'ALREADY_EXISTS',
      next: 'Edit that file, or name another folder with --dir.',
    });
  }
}
