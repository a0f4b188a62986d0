import type { CheckMode } from '../../code-hosts/git/choose-confinement';
import { Config } from '../../platform/config/config';
import { readConfig } from '../../platform/config/read-config';
import { StartRefused } from '../../platform/errors/start-refused';
import { EarlierSchema } from '../../platform/migrations/migrations';
import { pendingMigrations, serviceFindings, traitsOf, unansweredDatabase } from './service-findings';

describe('the findings of the doctor about the service', () => {
  const whats = (env: Record<string, string>, checks: CheckMode = { type: 'off' }): string =>
    serviceFindings(traitsOf(new Config(readConfig({ SLUICE_DATA_DIR: '/srv/sluice', ...env })), checks))
      .map(({ what, advice }) => `${what} ${advice ?? ''}`)
      .join('\n');

  it('name the testing branches and commands that contain the brand', () => {
    expect(whats({ SLUICE_BRAND: 'acme' })).toContain(
      'testing branches are acme-merge/…, commands in comments /acme …',
    );
  });

  it('report links to localhost, if pages are shown elsewhere', () => {
    const github = { SLUICE_HOSTS: '[{"host":"github.com","kind":"github"}]' };
    expect(whats(github)).toContain('they work only on this machine Set SLUICE_PUBLIC_URL.');
    expect(whats({ ...github, SLUICE_PUBLIC_URL: 'https://sluice.example' })).not.toContain('only on this machine');
    expect(whats({})).not.toContain('only on this machine');
  });

  it('describe the check runner, if there are git hosts', () => {
    const confinement = { type: 'own users', range: { first: 1, count: 1 } } as const;
    expect(whats({}, { type: 'runs', confinement })).toContain('each with a user of its own');
    expect(whats({}, { type: 'runs', confinement: { type: 'none' } })).toContain('gets the rights of the service');
    expect(whats({}, { type: 'refused', why: 'no unshare', wayOut: 'Install it' })).toContain(
      'the check runner is off: no unshare Install it.',
    );
    expect(whats({})).toContain('the check runner is off');
    expect(whats({ SLUICE_HOSTS: '[{"host":"github.com","kind":"github"}]' })).not.toContain('check runner');
  });
});

describe('the findings of the doctor about the database', () => {
  it('count the missing migrations', () => {
    expect(pendingMigrations([]).verdict).toBe('ok');
    expect(pendingMigrations(['1_init', '2_more'])).toMatchObject({
      verdict: 'problem',
      what: '2 migrations are missing, 1_init first',
    });
  });

  it('distinguish an unreachable database from a database that was changed manually', () => {
    expect(unansweredDatabase({ message: '', code: 'ECONNREFUSED' }).what).toBe('does not answer: ECONNREFUSED');
    expect(
      unansweredDatabase(
        new StartRefused('The migration 1_init was changed after it had been applied to this database.'),
      ),
    ).toMatchObject({
      what: 'The migration 1_init was changed after it had been applied to this database',
      advice: expect.stringContaining('Repair it') as string,
    });
  });

  it('name the last commit of Sluice that can read a database of an earlier version', () => {
    const error = new EarlierSchema({ firstMigration: '1_init', lastCommit: 'c0ffee' });
    expect(unansweredDatabase(error)).toMatchObject({
      what: 'An earlier commit of Sluice created the database, and this version cannot read it',
      advice: expect.stringContaining('Commit c0ffee is the last commit that can read it') as string,
    });
  });
});
