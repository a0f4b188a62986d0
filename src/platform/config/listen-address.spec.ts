import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listenAddressOf, markNewDataDirectory } from './listen-address';
import { readConfig } from './read-config';

describe('The address to listen on', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-listen-'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  const addressWith = (env: Record<string, string> = {}) =>
    listenAddressOf(readConfig({ SLUICE_DATA_DIR: folder, ...env }));
  const DATABASE = { DATABASE_URL: 'postgresql://db.example/sluice' };

  it('is the loopback interface for a data directory of this version', () => {
    markNewDataDirectory(folder);
    expect(addressWith()).toEqual({ type: 'address', address: '127.0.0.1' });
  });

  it('is the loopback interface before the data directory exists', () => {
    expect(addressWith()).toEqual({ type: 'address', address: '127.0.0.1' });
  });

  it('is every address for an older data directory, and with a given database', () => {
    mkdirSync(join(folder, 'postgres'));
    expect(addressWith()).toEqual({ type: 'every address', because: 'older data directory' });
    markNewDataDirectory(folder);
    expect(addressWith(DATABASE)).toEqual({ type: 'every address', because: 'database given' });
  });

  it.each(['127.0.0.1', '0.0.0.0', '::', '::1', 'localhost', 'sluice.example', '::ffff:10.0.0.1'])(
    'is %s if SLUICE_LISTEN says so',
    (address) => {
      for (const env of [{}, DATABASE])
        expect(addressWith({ ...env, SLUICE_LISTEN: address })).toEqual({ type: 'address', address });
    },
  );

  it.each(['http://localhost', '127.0.0.1/8', 'a b', '-x', '*', '[::]'])('cannot be %s', (address) =>
    expect(() => addressWith({ SLUICE_LISTEN: address })).toThrow(/^SLUICE_LISTEN is .+ but must be an address/),
  );
});
