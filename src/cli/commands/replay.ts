import { readFileSync, writeFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { freezesAround } from '../../domain/freeze-windows';
import { ENGINE_SETTINGS, QUEUE_SETTINGS } from '../../domain/queue-settings';
import { type SettingsPreview, settingsPreview } from '../../domain/settings-preview';
import type { QueueHistory } from '../../engine/replay/history';
import { SettingsComparison } from '../../engine/replay/settings-comparison';
import { misfitOfSettings } from '../../engine/settings-fit';
import type { QueueMode } from '../../engine/vocabulary';
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
    .description('what a queue would have done with other settings; nothing is changed')
    .argument('[repository]', 'as host/owner/name, such as local/demo/widgets', parseRepository)
    .option('--branch <branch>', 'target branch of the queue', 'main')
    .option('--since <time>', 'what was submitted from then on counts; default: 30 days ago', parseInstant)
    .option(
      '--set <setting=value>',
      'a setting as the API names it, such as batchingMinSize=8; repeat it for more',
      collect,
    )
    .option('--export <file>', 'write what happened to a file, and replay nothing')
    .option('--anonymous', 'number anew in that file what tells whose queue it is')
    .option('--from <file>', 'replay such a file, without a service');
  answering<Options>(withServiceOptions(command), terminal, ({ args, options }) => {
    const repository = args[0] as RepositoryName | undefined;
    if (options.from !== undefined) return Promise.resolve(replayFile(options.from, options));
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

function replayFile(file: string, { set = {}, since }: Options): Reply {
  const history = readHistory(file);
  const names: readonly string[] = ENGINE_SETTINGS;
  const settings = Object.fromEntries(
    Object.entries(set)
      .filter(([name]) => names.includes(name))
      .map(withDefault),
  );
  const mode = set.mode as QueueMode | undefined;
  const misfit = misfitOfSettings({ ...history.start.settings, ...settings }, mode ?? history.start.mode);
  if (misfit) throw new CliError(misfit.refusal.message, { exit: 2 });
  const other = { settings, ...(mode && { mode }) };
  const from = Math.max(history.from, since?.getTime() ?? history.from);
  const comparison = new SettingsComparison(history, other, freezesAround, from);
  while (!comparison.advance(1_000)) continue;
  const answer = settingsPreview(comparison.result(), { history, waiting: 0, isCut: false }, 'all of it');
  return { data: answer, lines: replayLines(answer) };
}

function readHistory(file: string): QueueHistory {
  const next = 'Write one with: sluice replay <repository> --export <file>';
  let read: Partial<QueueHistory>;
  try {
    read = JSON.parse(readFileSync(file, 'utf8')) as Partial<QueueHistory>;
  } catch (error) {
    throw new CliError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`, { next });
  }
  if (read?.version !== 1 || !Array.isArray(read.happenings) || !Array.isArray(read.runs))
    throw new CliError(`${file} is no history of a queue that this version can replay.`, { next });
  return read as QueueHistory;
}

/** Null puts a setting back to its default. */
function withDefault([name, value]: [string, unknown]): [string, unknown] {
  return [name, value ?? QUEUE_SETTINGS[name as keyof typeof QUEUE_SETTINGS].default];
}

function collect(text: string, before: Settings = {}): Settings {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Write it as name=value, such as batchingMinSize=8.');
  const name = text.slice(0, at);
  return { ...before, [name]: settingFromText(name, text.slice(at + 1)) };
}
