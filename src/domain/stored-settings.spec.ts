import { ENGINE_SETTINGS, QUEUE_SETTINGS } from './queue-settings';
import type { SettingTable } from './setting-kinds';
import { decodeSettings, engineSettings, initialSettings, readQueueSettings } from './stored-settings';

const U32 = 4_294_967_295;

describe('the settings column of a queue', () => {
  it('decodes a new queue as it was stored', () => {
    const stored = initialSettings('acme');
    expect(readQueueSettings(JSON.parse(JSON.stringify(stored)), 'acme')).toEqual(stored);
    expect(Object.keys(stored)).toHaveLength(Object.keys(QUEUE_SETTINGS).length - 1);
  });

  it('has the defaults for absent settings', () => {
    expect(readQueueSettings({}, 'acme')).toEqual(initialSettings('acme'));
  });

  it('holds numbers as JSON numbers, up to the largest that a request may name', () => {
    const { concurrency } = readQueueSettings(JSON.parse(JSON.stringify({ concurrency: U32 })));
    expect(concurrency).toBe(U32);
  });

  it('ignores an unknown setting of a newer version, and keeps an unknown value of a known setting', () => {
    const read = readQueueSettings({ ofANewerVersion: true, mergeMethod: 'fast_forward' });
    expect(read).not.toHaveProperty('ofANewerVersion');
    expect(read.mergeMethod).toBe('fast_forward');
  });

  it('omits the default label if the brand of the service is not given', () => {
    expect(readQueueSettings({})).not.toHaveProperty('enqueueingLabel');
    expect(readQueueSettings({ enqueueingLabel: 'submit' })).toHaveProperty('enqueueingLabel', 'submit');
  });

  it('keeps null if null is a value of the setting, and refuses null for other settings', () => {
    expect(readQueueSettings({ neverReportedMinutes: null, pauseReason: null })).toMatchObject({
      neverReportedMinutes: null,
      pauseReason: null,
    });
    expect(() => readQueueSettings({ concurrency: null })).toThrow('The stored queue setting concurrency is null');
  });

  it.each([
    ['concurrency', '2', 'integer'],
    ['concurrency', 1.5, 'integer'],
    ['batch', 'true', 'boolean'],
    ['mergeMethod', 1, 'choice'],
    ['enqueueingLabel', [], 'text'],
    ['requiredStatuses', 'tests', 'names'],
    ['freezeWindows', {}, 'freeze windows'],
  ])('refuses %s = %j, because the queue would otherwise merge by the default', (name, value, kind) => {
    expect(() => readQueueSettings({ [name]: value })).toThrow(
      `The stored queue setting ${name} is ${JSON.stringify(value)}, but its kind is ${kind}.`,
    );
  });

  it('gives the engine exactly the settings in ENGINE_SETTINGS', () => {
    expect(Object.keys(engineSettings(readQueueSettings({}))).sort()).toEqual([...ENGINE_SETTINGS].sort());
    expect(engineSettings({ concurrency: 2, extensionEnabled: false })).toEqual({ concurrency: 2 });
  });
});

describe('a setting that is newer than a queue', () => {
  const row = { kind: 'boolean', default: true, actedOnBy: 'engine', words: 'Made up.' } as const;
  const table = {
    asNewQueues: row,
    asBefore: { ...row, whenAbsent: false },
    asBeforeOff: { ...row, kind: 'integer', range: { minimum: 1, maximum: 9 }, default: 5, whenAbsent: null },
  } as const satisfies SettingTable;

  it('has its default, or its whenAbsent value if existing queues keep an earlier behaviour', () => {
    expect(decodeSettings(table, {})).toEqual({ asNewQueues: true, asBefore: false, asBeforeOff: null });
  });

  it('has its stored value, even if the value is null', () => {
    const stored = { asNewQueues: false, asBefore: true, asBeforeOff: null };
    expect(decodeSettings(table, stored)).toEqual(stored);
  });
});
