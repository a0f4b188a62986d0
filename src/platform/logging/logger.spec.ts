import { generateToken } from '../auth/token';
import { createLogger } from './logger';

function logged(write: (logger: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = [];
  write(createLogger('debug', { write: (line: string) => void lines.push(line) }));
  return lines.join('');
}

const parsed = (text: string) => JSON.parse(text) as Record<string, unknown>;

describe('the log', () => {
  it('is one JSON object per line, with level, time, context and the given fields', () => {
    const line = parsed(logged((logger) => logger.warn({ message: 'late', queue: 'main' }, 'Ticker')));
    expect(line).toMatchObject({ level: 'warn', context: 'Ticker', msg: 'late', queue: 'main' });
    expect(new Date(String(line.time)).toISOString()).toBe(line.time);
  });

  it('keeps the stack of an error', () => {
    expect(parsed(logged((logger) => logger.error('failed', 'Error: x\n  at y', 'Outbox')))).toMatchObject({
      level: 'error',
      context: 'Outbox',
      msg: 'failed',
      stack: 'Error: x\n  at y',
    });
    expect(logged((logger) => logger.error(new Error('broken')))).toMatch(/"stack":"Error: broken\\n/);
  });

  it('never contains a token, wherever it was written', () => {
    const token = generateToken();
    const lines = logged((logger) => {
      logger.log(`called with ${token}`);
      logger.log({ message: 'called', headers: { 'x-api-token': 'anything at all' }, deep: { list: [token] } });
      logger.error(new Error(`GET /?t=${token}`));
      logger.debug(JSON.stringify({ 'x-api-token': token }));
    });
    expect(lines).not.toContain(token);
    expect(lines).not.toContain('anything at all');
    expect(lines.match(/slc_\[hidden\]/g)?.length).toBeGreaterThanOrEqual(4);
  });

  it('never contains the password of a URL', () => {
    const line = logged((logger) => logger.log('cannot reach postgresql://sluice:hunter2@db:5432/sluice'));
    expect(line).not.toContain('hunter2');
    expect(line).toContain('postgresql://sluice:[hidden]@db:5432/sluice');
  });

  it('never contains credentials for GitHub', () => {
    const secrets = [
      'ghs_16C7e42F292c6912E7710c838347Ae178B4a',
      `github_pat_${'1'.repeat(30)}`,
      'TUlJRXBBSUJBQUtDQVFFQQ==',
    ];
    const lines = logged((logger) => {
      logger.log(`sent Authorization: Bearer ${secrets[0]}`);
      logger.log({ message: 'configured', settings: { token: secrets[1], webhookSecret: 'hush hush' } });
      logger.error(new Error(`-----BEGIN RSA PRIVATE KEY-----\n${secrets[2]}\n-----END RSA PRIVATE KEY-----`));
      logger.warn(`Authorization: Basic ${secrets[2]}`);
    });
    for (const secret of [...secrets, 'hush hush']) expect(lines).not.toContain(secret);
  });

  it('omits lines below its level', () => {
    expect(logged((logger) => logger.verbose('detail'))).toBe('');
  });
});
