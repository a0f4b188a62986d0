import { QUEUE_SETTINGS } from '../../src/domain/queue-settings';
import { type QueueSetting, storesNull } from '../../src/domain/setting-kinds';
import { readDocument } from './documents';

const CLIENTS = readDocument('docs/clients.md');
const SETTINGS = Object.entries<QueueSetting>(QUEUE_SETTINGS);

describe('docs/clients.md', () => {
  it('lists the settings that are stored and not acted on, and no others', () => {
    const [, section = ''] = /^## Settings that are stored but not acted on\n([\s\S]*?)^## /m.exec(CLIENTS) ?? [];
    const firstCells = [...section.matchAll(/^\|([^|]+)\|/gm)].map(([, cell = '']) => cell);
    const stored = SETTINGS.filter(([, { actedOnBy }]) => actedOnBy === 'nothing').map(([name]) => name);
    expect(firstCells.flatMap(namesIn).sort()).toEqual(stored.sort());
  });

  it('names the settings that null puts back to their defaults', () => {
    const [sentence = ''] = /^- `null` puts [^.]+ back to their defaults\./m.exec(CLIENTS) ?? [];
    const nullable = SETTINGS.filter(([, setting]) => 'nullMeans' in setting && !storesNull(setting)).map(
      ([name]) => name,
    );
    expect(namesIn(sentence).sort()).toEqual([...nullable, 'null'].sort());
  });
});

function namesIn(text: string): string[] {
  return [...text.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
}
