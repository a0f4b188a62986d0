import { writeFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import type { SettingsPreview } from '../../processing/replay/settings-preview';
import type { QueueHistory } from '../../processing/replay/history';
import { answering, serviceOf, type ServiceOptions, withServiceOptions } from '../answering';
import { parseInstant, parseRepository } from '../arguments';
import type { RepositoryName } from '../../platform/repository-name';
import { CliError } from '../cli-error';
import type { Reply } from '../reply';
import type { Terminal } from '../terminal';
import { replayLines } from './replay-lines';
import { settingFromText } from './queue-settings';

type Settings = Readonly<Record<string, unknown>>;

interface Options extends ServiceOptions {
  readonly branch: string;
  readonly since?: Date;
  readonly set?: Settings;
  readonly export?: string;
  readonly anonymous?: true;
  readonly from?: string;
}

export function addReplayCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('replay')
    .description('replay the history of a queue with other settings; nothing is changed')
    .argument('[repository]', 'as host/owner/name, such as local/demo/widgets', parseRepository)
    .option('--branch <branch>', 'target branch of the queue', 'main')
    .option(
      '--since <time>',
      'replay pull requests that were submitted since this date or time; default: 30 days ago',
      parseInstant,
    )
    .option(
      '--set <setting=value>',
      'a setting as the API names it, such as batchingMinSize=8; can be repeated',
      collect,
    )
    .option('--export <file>', 'write the history to a file, and replay nothing')
    .option('--anonymous', 'replace names, numbers and ids in the file, so that the file does not identify the queue')
    .option('--from <file>', 'replay a history file, without a service');
  answering<Options>(withServiceOptions(command), terminal, ({ args, options }) => {
    const repository = args[0] as RepositoryName | undefined;
    if (options.from !== undefined) {
      const { replayFile } = require('./replay-file') as typeof import('./replay-file');
      return Promise.resolve(replayFile(options.from, options));
    }
    if (repository === undefined) throw new CliError('Name the repository, or a file with --from.', { exit: 2 });
    return options.export === undefined ? preview(repository, options) : write(repository, options.export, options);
  });
}

async function preview(repo: RepositoryName, options: Options): Promise<Reply> {
  const answer = await serviceOf(options).post<SettingsPreview>('previewSettings', {
    ...stretch(repo, options),
    ...options.set,
  });
  return { data: answer, lines: replayLines(answer) };
}

async function write(repo: RepositoryName, file: string, options: Options): Promise<Reply> {
  const { anonymous } = options;
  const request = { ...stretch(repo, options), ...(anonymous && { anonymous }) };
  const history = await serviceOf(options).post<QueueHistory>('getQueueHistory', request);
  writeFileSync(file, `${JSON.stringify(history)}\n`);
  const ended = `${history.ends.length} pull requests that ended, ${history.runs.length} test runs`;
  return {
    data: { file, ends: history.ends.length, runs: history.runs.length },
    lines: [`Wrote ${file}: ${ended}.`],
    next: `sluice replay --from ${file}`,
  };
}

function stretch(repo: RepositoryName, { branch, since }: Options): object {
  return { repo, targetBranch: branch, ...(since && { since: since.toISOString() }) };
}

function collect(text: string, before: Settings = {}): Settings {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Write it as name=value, such as batchingMinSize=8.');
  const name = text.slice(0, at);
  return { ...before, [name]: settingFromText(name, text.slice(at + 1)) };
}
