import { StartRefused } from '../errors/start-refused';
import { explainFailure } from '../embedded-postgres/explain-failure';
import { requireCertificates } from './certificate-files';
import { ConfigError } from './config';
import { explainUnwritable, requireWritable } from './data-directory';
import { explainListenError } from './listen-refused';

const errorWith = (code: string, syscall = 'open'): Error =>
  Object.assign(new Error(`${code}: ${syscall}`), { code, syscall });

describe('an error of the data folder', () => {
  it.each([
    ['EACCES', 'permission denied'],
    ['EROFS', 'the file system is read-only'],
  ])('becomes a refusal to start that names the cause: %s', (code, why) => {
    const refused = explainUnwritable(errorWith(code), '/srv/data') as Error;
    expect(refused).toBeInstanceOf(StartRefused);
    expect(refused.message.split('\n')).toEqual([
      `SLUICE_DATA_DIR cannot be written: ${why}.`,
      expect.stringContaining('/srv/data'),
    ]);
  });

  it.each([errorWith('EIO'), errorWith('EACCES', 'spawn /opt/initdb'), new TypeError('a bug')])(
    'stays unchanged if the folder is not its reason: %s',
    (error) => {
      expect(explainUnwritable(error, '/srv/data')).toBe(error);
    },
  );

  it('is not raised for a folder that can be created', () => {
    expect(() => requireWritable('/dev/shm/not/there/yet')).not.toThrow();
  });
});

describe('an error of the embedded PostgreSQL', () => {
  it.each([
    [
      'FATAL:  could not resize shared memory segment "/PostgreSQL.42" to 26976 bytes: No space left on device',
      /shared memory/,
    ],
    ['initdb failed: could not write to file "pg_wal/xlogtemp.1": No space left on device', /^The disk is full/],
    ['FATAL:  could not extend file "base/1/2": Disk quota exceeded', /^The disk is full/],
  ])('becomes a refusal to start that names the cause: %s', (message, said) => {
    const refused = explainFailure(new Error(message), '/srv/data') as Error;
    expect(refused).toBeInstanceOf(StartRefused);
    expect(refused.message).toMatch(said);
  });

  it('becomes a refusal to start if the service cannot write a file to a full disk', () => {
    expect(explainFailure(errorWith('ENOSPC', 'write'), '/srv/data')).toBeInstanceOf(StartRefused);
  });

  it('stays unchanged if the machine is not its reason', () => {
    const error = new Error('could not create shared memory segment: Invalid argument');
    expect(explainFailure(error, '/srv/data')).toBe(error);
  });
});

describe('an error of listening on a port', () => {
  it('stays unchanged if the settings are not its reason', () => {
    const error = errorWith('EMFILE', 'listen');
    expect(explainListenError(error, { port: 80 })).toBe(error);
  });
});

describe('certificates', () => {
  it.each(['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'GIT_SSL_CAINFO'])('of %s must be readable', (name) => {
    expect(() => requireCertificates({}, { [name]: '/missing.pem' })).toThrow(
      new ConfigError(`${name} is "/missing.pem", which cannot be read (ENOENT).`),
    );
    expect(() => requireCertificates({}, { [name]: __filename })).not.toThrow();
  });

  it.each(['sslrootcert', 'sslcert', 'sslkey'])('of DATABASE_URL (%s) must be readable', (name) => {
    const databaseUrl = (file: string) => `postgresql://a:b@db/c?${name}=${file}`;
    expect(() => requireCertificates({ databaseUrl: databaseUrl('/missing.pem') }, {})).toThrow(
      `${name} of DATABASE_URL`,
    );
    expect(() => requireCertificates({ databaseUrl: databaseUrl(__filename) }, {})).not.toThrow();
  });
});
