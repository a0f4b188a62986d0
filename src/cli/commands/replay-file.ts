import { freezesAround } from '../../domain/freeze-windows';
import { ENGINE_SETTINGS, QUEUE_SETTINGS } from '../../domain/queue-settings';
import { settingsPreview } from '../../processing/replay/settings-preview';
import { SettingsComparison } from '../../processing/replay/settings-comparison';
import { misfitOfSettings } from '../../engine/settings-fit';
import type { QueueMode } from '../../engine/vocabulary';
import { CliError } from '../cli-error';
import type { Reply } from '../reply';
import { readHistory } from './history-file';
import { replayLines } from './replay-lines';

interface Replayed {
  readonly set?: Readonly<Record<string, unknown>>;
  readonly since?: Date;
}

/** Replays the history in a file with other settings, without a service. Throws a CliError. */
export function replayFile(file: string, { set = {}, since }: Replayed): Reply {
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

/** Null resets a setting to its default. */
function withDefault([name, value]: [string, unknown]): [string, unknown] {
  return [name, value ?? QUEUE_SETTINGS[name as keyof typeof QUEUE_SETTINGS].default];
}
