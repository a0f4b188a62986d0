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

  it('is the loopback interface on a data directory that this version made', () => {
    markNewDataDirectory(folder);
    expect(addressWith()).toEqual({ type: 'address', address: '127.0.0.1' });
  });

  it('is the loopback interface before there is a data directory', () => {
    expect(addressWith()).toEqual({ type: 'address', address: '127.0.0.1' });
  });

  it('is every address on an older data directory, and where a database is given', () => {
    mkdirSync(join(folder, 'postgres'));
    expect(addressWith()).toEqual({ type: 'every address', because: 'older data directory' });
    markNewDataDirectory(folder);
    expect(addressWith(DATABASE)).toEqual({ type: 'every address', because: 'database given' });
  });

  it.each(['127.0.0.1', '0.0.0.0', '::', '::1', 'localhost', 'sluice.example', '::ffff:10.0.0.1'])(
    'is %s where SLUICE_LISTEN says so',
    (address) => {
      for (const env of [{}, DATABASE])
        expect(addressWith({ ...env, SLUICE_LISTEN: address })).toEqual({ type: 'address', address });
    },
  );

  it.each(['http://localhost', '127.0.0.1/8', 'a b', '-x', '*', '[::]'])('cannot be %s', (address) =>
    expect(() => addressWith({ SLUICE_LISTEN: address })).toThrow(/^SLUICE_LISTEN is .+ but must be an address/),
  );
});
