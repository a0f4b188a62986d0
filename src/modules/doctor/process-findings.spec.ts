import { Config } from '../../platform/config/config';
import { readConfig } from '../../platform/config/read-config';
import { disagreements, settingsShown, type ShownSettings } from '../../platform/config/settings-shown';
import type { ServiceProcess } from '../../platform/health/service-processes';
import { processFindings } from './process-findings';
import { traitsOfProcess } from './service-findings';

const SEEN = new Date('2026-11-23T10:00:00.000Z');

function settings(env: Record<string, string> = {}): ShownSettings {
  return settingsShown(new Config(readConfig({ SLUICE_DATA_DIR: '/srv/sluice', ...env })));
}

function running(pid: number, more: Partial<ServiceProcess> = {}): ServiceProcess {
  return {
    ...{ id: String(pid), machine: 'node-a', pid, version: '1.2.0', node: '24.1.0', settings: settings(), facts: {} },
    ...{ startedAt: SEEN, seenAt: SEEN, seenSecondsAgo: 2.4, isAlive: true, ...more },
  };
}

const whats = (processes: readonly ServiceProcess[], here = settings(), queueCount = 1): string[] =>
  processFindings({ processes, queueCount }, here).map(({ verdict, what }) => `${verdict}: ${what}`);

describe('the findings of the doctor about processes', () => {
  it('report no problem if no process runs and there are no queues', () => {
    expect(whats([], settings(), 0)).toEqual(['ok: no process runs on this database']);
  });

  it.each([
    ['one queue', 1],
    ['2 queues', 2],
  ])('report a problem if no process runs and the database has %s', (queues, queueCount) => {
    expect(whats([], settings(), queueCount)).toEqual([
      `problem: no process runs on this database, which has ${queues}: nothing is tested or merged`,
    ]);
    expect(whats([running(8, { isAlive: false })], settings(), queueCount)[0]).toMatch(/^problem: no process runs/);
  });

  it('name each process with its version, and mark silent processes', () => {
    expect(whats([running(7), running(8, { isAlive: false })])).toEqual([
      'ok: process 7 on node-a runs version 1.2.0 on Node.js 24.1.0, seen 2 s ago',
      'ok: process 8 on node-a was last seen at 2026-11-23T10:00:00.000Z, and did not say that it stops',
    ]);
  });

  it('report a worker with a piece of work that does not end', () => {
    const heldWorkers = [{ worker: 'webhooks', held: 3, places: 8, longestSeconds: 1_000 }];
    expect(whats([running(7, { facts: { heldWorkers } }), running(8, { facts: { heldWorkers: [] } })])).toContain(
      'problem: the worker "webhooks" of process 7 on node-a holds 3 of 8 places, one for 16 minutes',
    );
    expect(whats([running(8, { facts: { heldWorkers: [] } })]).filter((what) => what.startsWith('problem'))).toEqual(
      [],
    );
  });

  it('report two builds of one version', () => {
    const build = (commit: string) => ({ facts: { build: { commit, sources: 'abc', builtAt: '2026-11-28' } } });
    expect(whats([running(7, build('1a')), running(8, build('2b'))])).toContain(
      'ok: run versions 1.2.0 (commit 1a, sources abc, built 2026-11-28) and 1.2.0 (commit 2b, sources abc, built 2026-11-28)',
    );
  });

  it('report two versions at once', () => {
    expect(whats([running(7), running(8, { version: '1.1.0' })])).toContain('ok: run versions 1.1.0 and 1.2.0');
  });

  it('report settings that differ between processes, except ports and local URLs', () => {
    const other = settings({ SLUICE_BRAND: 'acme', PORT: '4000', SLUICE_PUBLIC_URL: 'http://localhost:3000' });
    expect(whats([running(7), running(8, { settings: other })])).toContain(
      'problem: do not agree on SLUICE_BRAND: "sluice" in process 7 on node-a, "acme" in process 8 on node-a',
    );
    expect(disagreements([settings(), other])).toEqual(['SLUICE_BRAND']);
  });

  it('accept different stop delays and keep-alive times, which may depend on a load balancer', () => {
    const other = settings({ SLUICE_STOP_DELAY_SECONDS: '20', SLUICE_KEEP_ALIVE_SECONDS: '90' });
    expect(other).toMatchObject({ SLUICE_STOP_DELAY_SECONDS: '20', SLUICE_KEEP_ALIVE_SECONDS: '90' });
    expect(disagreements([settings(), other])).toEqual([]);
  });

  it("report differences between this shell's settings and the service's", () => {
    expect(whats([running(7)], settings({ SLUICE_MAX_BATCH: '3' }))).toContain(
      'ok: this shell has another SLUICE_MAX_BATCH than the service',
    );
  });
});

describe('the settings that a process shows', () => {
  it('contain no secret', () => {
    const shown = JSON.stringify(
      settings({
        DATABASE_URL: 'postgresql://sluice:secret-1@db.example/sluice',
        SLUICE_PUBLIC_URL: 'https://me:secret-2@sluice.example',
        SLUICE_HOSTS:
          '[{"host":"git.example","kind":"git","url":"https://me:secret-3@git.example","token":"secret-4"}]',
      }),
    );
    expect(shown).not.toContain('secret');
    expect(shown).toContain('git.example (git)');
  });

  it('contain the brand, the kinds of hosts, and the check runner', () => {
    const hosts = '[{"host":"a.example","kind":"github"},{"host":"b.example","kind":"git"}]';
    const traits = traitsOfProcess(
      running(7, { settings: settings({ SLUICE_HOSTS: hosts }), facts: { checks: { type: 'off' } } }),
    );
    expect(traits).toMatchObject({ brand: 'sluice', hasGitHosts: true, hasForges: true, checks: { type: 'off' } });
    expect(traitsOfProcess(running(7))).toMatchObject({ hasGitHosts: true, hasForges: false });
  });
});
