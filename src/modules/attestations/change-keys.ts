import { rm, writeFile } from 'node:fs/promises';
import type { PrismaClient } from '../../generated/prisma/client';
import { changeRecorded } from '../../platform/audit/audit-log';
import { operator } from '../../platform/audit/audit-source';
import { AccessError } from '../../platform/auth/access-error';
import type { Config } from '../../platform/config/config';
import type { Tx } from '../../platform/database/prisma.service';
import { statementsIn } from '../../platform/database/statements';
import { currentKey, insertKey, lockKeys, newKeyPem, ownKeys, prepareNextKey } from './signing-keys';
import { asSigstoreBundle, type SigningKey, signed, signingKeyIn } from './statement/envelope';
import { type KeyRotation, ROTATION_TYPE } from './trusted-keys';

type Transactions = Pick<PrismaClient, '$transaction'>;

export interface Rotation {
  readonly config: Config;
  /** The file for the new private key. Absent: the key in the data directory is replaced. */
  readonly file?: string;
  /** True: the current key is lost, so it cannot sign the rotation. */
  readonly isLost: boolean;
  readonly now: Date;
}

export interface Rotated {
  readonly from: string | null;
  readonly to: string;
}

/**
 * Makes a new key for future statements; the current key signs the rotation. If the process ends before the database
 * has the new key, the current key stays in use. @throws AccessError
 */
export async function rotateKey(prisma: Transactions, { config, file, isLost, now }: Rotation): Promise<Rotated> {
  if (config.attestationKey !== undefined && file === undefined) {
    throw new AccessError('The signing key is in SLUICE_ATTESTATION_KEY: name a file for the new key with --file.');
  }
  const current = await prisma.$transaction((tx) => currentKey(statementsIn(tx)));
  const next = await (file === undefined ? prepareNextKey(config, current) : inFile(file));
  const rotated = await prisma
    .$transaction((tx) => replace(tx, next.key, { config, isLost, now }))
    .catch(async (error: unknown) => {
      await next.withdraw();
      throw error;
    });
  // From here on the new key is in use: its file stays, even if the file cannot be renamed.
  await next.settle();
  return rotated;
}

async function inFile(file: string): ReturnType<typeof prepareNextKey> {
  const pem = newKeyPem();
  await writeFile(file, pem, { mode: 0o600, flag: 'wx' }).catch((error: unknown) => {
    throw new AccessError(`${file} cannot be written: ${(error as NodeJS.ErrnoException).code ?? String(error)}.`);
  });
  return { key: signingKeyIn(pem), settle: () => Promise.resolve(), withdraw: () => rm(file, { force: true }) };
}

async function replace(tx: Tx, key: SigningKey, { config, isLost, now }: Omit<Rotation, 'file'>): Promise<Rotated> {
  await lockKeys(tx);
  const from = await currentKey(statementsIn(tx));
  const present = (await ownKeys(config)).find(({ id }) => id === from);
  if (from !== null && present === undefined && !isLost) {
    throw new AccessError(
      'This machine does not have the key that signs statements, so the key cannot vouch for the new key. Run the command on the machine that has the key, or with --lost if the key is lost.',
    );
  }
  const rotation = present === undefined ? null : vouched(present, key, now);
  await tx.$executeRaw`/* change-keys replace */ UPDATE "AttestationKey" SET "until" = ${now}::timestamptz WHERE "until" IS NULL`;
  await insertKey(tx, key, rotation, now);
  await audit(tx, 'attestation_key.rotated', {
    from: { key: from },
    to: { key: key.id, vouchedFor: rotation !== null },
    now,
  });
  return { from, to: key.id };
}

function vouched(present: SigningKey, key: SigningKey, now: Date): object {
  const rotation: KeyRotation = { from: present.id, to: key.publicKey, at: now.toISOString() };
  return asSigstoreBundle(signed(ROTATION_TYPE, JSON.stringify(rotation), present));
}

/** @throws AccessError */
export async function revokeKey(
  prisma: Transactions,
  id: string,
  from: Date,
  now: Date,
): Promise<{ readonly id: string }> {
  return prisma.$transaction(async (tx) => {
    await lockKeys(tx);
    const found = await tx.$queryRaw<{ id: string; until: Date | null }[]>`/* change-keys revokeKey */
      SELECT "id", "until" FROM "AttestationKey" WHERE "id" LIKE ${`${id.replace(/[^0-9a-f]/g, '')}%`}`;
    const [key] = found;
    if (id === '' || key === undefined) throw new AccessError(`There is no key ${id}.`);
    if (found.length > 1) throw new AccessError(`${found.length} keys begin with ${id}: write more digits of the id.`);
    if (key.until === null) throw new AccessError('Statements are signed with this key: rotate it first.');
    await tx.$executeRaw`/* change-keys revokeKey 2 */ UPDATE "AttestationKey" SET "revokedFrom" = ${from}::timestamptz WHERE "id" = ${key.id}`;
    await audit(tx, 'attestation_key.revoked', {
      from: null,
      to: { key: key.id, revokedFrom: from.toISOString() },
      now,
    });
    return { id: key.id };
  });
}

/** Keys belong to all organizations, so the audit log of every organization gets the entry. */
async function audit(
  tx: Tx,
  action: 'attestation_key.rotated' | 'attestation_key.revoked',
  { from, to, now }: { readonly from: object | null; readonly to: object; readonly now: Date },
): Promise<void> {
  const organizations = await tx.$queryRaw<
    { id: string }[]
  >`/* change-keys audit */ SELECT "id" FROM "Organization" ORDER BY "slug"`;
  const change = { at: now, by: operator(), repositoryId: null, action, subject: 'attestation key', from, to };
  for (const { id: organizationId } of organizations)
    await tx.$executeRaw(changeRecorded({ ...change, organizationId }));
}
