import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BareRepository } from '../support/bare-repository';
import { describeWhere, LINUX, ROOT } from '../support/only-where';
import { Client } from './client';
import { Service } from './service';

const REPO = { host: 'local', owner: 'acme', name: 'widgets' };
const MIB = 1024 * 1024;
const TRIES = 30;
const FIVE_MINUTES_MS = 300_000;

describeWhere({ isMet: ROOT.isMet && LINUX.isMet, otherwise: 'it mounts a small disk, as root on Linux' })(
  'a data directory on a full disk',
  () => {
    let world: BareRepository;
    let service: Service;
    let client: Client;
    let disk: string;

    beforeAll(async () => {
      world = BareRepository.create();
      disk = join(world.folder, 'disk');
      mkdirSync(disk);
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=160m', 'tmpfs', disk]);
      service = await Service.onGit(world, { dataDirectory: disk });
      await service.organization('acme');
      client = await service.client('acme', 'admin');
    });
    afterAll(async () => {
      await service.stop();
      execFileSync('umount', [disk]);
      world.close();
    });

    const filler = () => join(disk, 'filler');
    const fill = () => {
      const { bavail, bsize } = statfsSync(disk);
      writeFileSync(filler(), Buffer.alloc(bavail * bsize));
    };
    const readiness = async () =>
      (await (await fetch(`${service.url}/readyz`)).json()) as { checks: { disk: unknown } };

    it('is reported by /readyz, stops uploads meanwhile, and fails no pull request, however long it lasts', async () => {
      for (const number of [1, 2])
        world.openPullRequest(number, { [`${number}.txt`]: randomBytes(MIB).toString('base64') });
      await client.post('createQueue', { repo: REPO, targetBranch: 'main', requiredStatuses: ['test'] });
      const post = async (operation: string, number: number) => {
        const { status, body } = await client.post(operation, { repo: REPO, targetBranch: 'main', pr: { number } });
        return { status, body };
      };
      const stateOf = async (number: number) => (await post('getSubmittedPullRequest', number)).body.state;
      expect((await readiness()).checks.disk).toBe('ok');
      await post('submitPullRequest', 1);
      fill();
      expect((await readiness()).checks.disk).toEqual({ problem: 'the data directory has less than 100 MiB free' });
      const later = { status: 503, body: { error: { code: 'UNAVAILABLE' } } };
      expect(await post('submitPullRequest', 2)).toMatchObject(later);
      expect(await upload()).toBe(503);
      for (let tries = 0; tries < TRIES; tries++) {
        await service.settles();
        service.clock.advance(FIVE_MINUTES_MS);
      }
      expect(await stateOf(1)).toBe('pending');
      const [task] = await service.prisma.outboxTask.findMany();
      expect(task).toMatchObject({
        type: 'startTestRun',
        state: 'waiting',
        answers: 0,
        attempts: expect.any(Number) as number,
      });
      expect(task?.lastProblem).toMatch(/No space left on device/);

      rmSync(filler());
      await service.settles();
      expect((await readiness()).checks.disk).toBe('ok');
      expect(await service.prisma.outboxTask.findMany()).toMatchObject([{ state: 'done' }]);
      expect((await post('submitPullRequest', 2)).status).toBe(200);
      expect(await upload()).toBe(200);
    });

    async function upload(): Promise<number> {
      const query = new URLSearchParams({ repo: 'local/acme/widgets', org_url_slug: 'acme', commit: '1'.repeat(40) });
      const response = await fetch(`${service.url}/v1/flaky-tests/upload-results?${query.toString()}`, {
        method: 'POST',
        headers: { 'x-api-token': client.token ?? '', 'content-type': 'application/xml' },
        body: `<testsuite name="a">${'<testcase name="b" classname="C"/>'.repeat(2)}</testsuite>`,
      });
      return response.status;
    }
  },
);
