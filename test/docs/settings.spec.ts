import { QUEUE_SETTINGS } from '../../src/domain/queue-settings';
import { type QueueSetting, storesNull } from '../../src/domain/setting-kinds';
import { readDocument } from './documents';
import { walkNamed } from './first-change/walk';

const PAGE = readDocument('docs/queue-settings.md');
const SETTINGS = Object.entries<QueueSetting>(QUEUE_SETTINGS);

describe('docs/queue-settings.md', () => {
  it('lists exactly the settings that are stored but have no effect', () => {
    const [, names = ''] =
      /^Two settings are validated and returned, but nothing depends on them: ([^.]+)\./m.exec(PAGE) ?? [];
    const stored = SETTINGS.filter(([, { actedOnBy }]) => actedOnBy === 'nothing').map(([name]) => name);
    expect(namesIn(names).sort()).toEqual(stored.sort());
  });

  it('names the settings that a request resets to their defaults with null', () => {
    const [sentence = ''] = /^`null` puts [^.]+ back to their defaults\./m.exec(PAGE) ?? [];
    const nullable = SETTINGS.filter(([, setting]) => 'nullMeans' in setting && !storesNull(setting)).map(
      ([name]) => name,
    );
    expect(namesIn(sentence).sort()).toEqual([...nullable, 'null'].sort());
  });
});

describe('the walk that adds a new setting of a queue', () => {
  const { changes } = walkNamed('A queue setting');
  const texts = changes.map(({ text }) => text).join('');
  const touched = [...texts.matchAll(/^\+\+\+ b\/(.*)$/gm)].map(([, path = '']) => path);

  it('changes four files of src: the table of settings, the titles on the page, the rule and its type', () => {
    expect(touched.filter((path) => path.startsWith('src/') && !path.endsWith('.spec.ts'))).toEqual([
      'src/domain/queue-settings.ts',
      'src/ui/pages/settings/setting-titles.ts',
      'src/engine/settings.ts',
      'src/engine/pull-request-updates.ts',
    ]);
  });

  it('changes no schema and needs no migration', () => {
    expect(touched.filter((path) => path.startsWith('prisma/'))).toEqual([]);
    expect(changes.filter(({ kind }) => kind === 'command')).toEqual([]);
  });
});

function namesIn(text: string): string[] {
  return [...text.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
}
