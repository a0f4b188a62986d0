import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOrganization } from '../../src/platform/auth/organizations';
import { createToken } from '../../src/platform/auth/tokens';
import { connectPrisma } from '../../src/platform/database/prisma.service';
import { emptyDatabase } from '../support/empty-database';
import { Client } from './client';
import { StartedService } from './stop/started-service';

/** An extension with a bug: its interceptor never returns for one organization. */
const EXTENSION = `
class Acme {}
function neverReturns() { for (;;); }
const intercept = (context, next) =>
  context.switchToHttp().getRequest().caller?.organizationSlug === 'stuck' ? neverReturns() : next.handle();
Reflect.defineMetadata('providers', [{ provide: 'APP_INTERCEPTOR', useValue: { intercept } }], Acme);
exports.extension = Acme;
`;

describe('A service whose event loop stands still', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-hang-'));
  const prisma = connectPrisma(process.env.DATABASE_URL ?? '');

  afterAll(async () => {
    await prisma.$disconnect();
    rmSync(folder, { recursive: true, force: true });
  });

  it('ends itself after a stop request without effect, and names request, organization, token and function', async () => {
    await emptyDatabase(prisma);
    await createOrganization(prisma, { slug: 'stuck' }, new Date());
    const wanted = { organizationSlug: 'stuck', name: 'ci', role: 'read' } as const;
    const { token } = await createToken(prisma, wanted, new Date());
    writeFileSync(join(folder, 'extension.cjs'), EXTENSION);
    const service = await StartedService.start({
      ...{ DATABASE_URL: process.env.DATABASE_URL ?? '', PORT: '0', SLUICE_DATA_DIR: folder },
      SLUICE_EXTENSIONS: join(folder, 'extension.cjs'),
    });
    const unanswered = new Client(service.url, token).post('getQueue', { repo: 'a/b' }).catch(() => 'no answer');
    service.terminate();
    expect(await service.ended).toBe(70);
    expect(await unanswered).toBe('no answer');
    const line = service
      .log()
      .split('\n')
      .find((one) => one.includes('The event loop stood still'));
    const { work, msg } = JSON.parse(line ?? '{}') as Record<string, string>;
    expect(work).toMatch(/^the request POST \/v1\/getQueue \([\w-]+, organization stuck, token ci\)$/);
    expect(msg).toContain('It was in neverReturns (');
  });
});
