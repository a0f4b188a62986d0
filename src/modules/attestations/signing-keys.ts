import { generateKeyPairSync } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Config } from '../../platform/config/config';
import { PrismaService, type Tx } from '../../platform/database/prisma.service';
import { type Statements, statementsIn } from '../../platform/database/statements';
import { type SigningKey, signingKeyIn } from './statement/envelope';

/** Files in the data directory. The second file exists while a rotation replaces the first file. */
const FILES = ['attestation-key.pem', 'attestation-key.next.pem'] as const;
/** The number that distinguishes this lock from all other advisory locks of the database. */
const KEYS_LOCK = 0x6b_65_79_73;

export type UsableKey =
  | { readonly type: 'usable'; readonly key: SigningKey }
  /** The key of this process is not the current key. */
  | { readonly type: 'another'; readonly current: string; readonly own: readonly string[] };

/**
 * The current signing key. The database has the id of the key and its public part only. Every process needs the private
 * part, from SLUICE_ATTESTATION_KEY or the data directory. The first process of an installation makes the key.
 */
@Injectable()
export class SigningKeys {
  constructor(
    private readonly prisma: PrismaService,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** Reads the files again, because another process may have made or replaced the key. */
  async usable(): Promise<UsableKey> {
    const current = await currentKey(statementsIn(this.prisma));
    const own = await ownKeys(this.config);
    if (current !== null) return choose(current, own);
    const introduced = await this.introduce(own[0]);
    // Another process may have stored its key as the current one first.
    return choose((await currentKey(statementsIn(this.prisma))) ?? introduced.id, [introduced]);
  }

  private async introduce(known: SigningKey | undefined): Promise<SigningKey> {
    const own = known ?? (await makeKey(this.config));
    await this.prisma.$transaction(async (tx) => {
      await lockKeys(tx);
      if ((await currentKey(statementsIn(tx))) === null) await insertKey(tx, own, null, this.clock.now());
    });
    return own;
  }
}

function choose(current: string, own: readonly SigningKey[]): UsableKey {
  const key = own.find(({ id }) => id === current);
  return key ? { type: 'usable', key } : { type: 'another', current, own: own.map(({ id }) => id) };
}

/** Until the transaction ends, no other process changes the current key. */
export async function lockKeys(tx: Tx): Promise<void> {
  await tx.$queryRaw`/* signing-keys lockKeys */ SELECT pg_advisory_xact_lock(${KEYS_LOCK})::text`;
}

export async function currentKey(tx: Statements): Promise<string | null> {
  const [row] = await tx.rows<{
    id: string;
  }>`/* signing-keys currentKey */ SELECT "id" FROM "AttestationKey" WHERE "until" IS NULL`;
  return row?.id ?? null;
}

/** `rotation`: the statement of the previous key about `key`. */
export async function insertKey(tx: Tx, key: SigningKey, rotation: object | null, now: Date): Promise<void> {
  await tx.$executeRaw`/* signing-keys insertKey */
    INSERT INTO "AttestationKey" ("id", "publicKey", "since", "rotation")
    VALUES (${key.id}, ${key.publicKey}, ${now}::timestamptz, ${rotation && JSON.stringify(rotation)}::jsonb)`;
}

/** The private keys of this process: the key in its settings, or the keys in the data directory. */
export async function ownKeys({ attestationKey, dataDirectory }: Config): Promise<readonly SigningKey[]> {
  if (attestationKey !== undefined) return [signingKeyIn(attestationKey)];
  const keys: SigningKey[] = [];
  for (const file of FILES) {
    const pem = await readFile(join(dataDirectory, file), 'utf8').catch(() => null);
    if (pem !== null) keys.push(signingKeyIn(pem));
  }
  return keys;
}

export function newKeyPem(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** Processes that share a data directory get the same key, because the first written file stays. */
async function makeKey(config: Config): Promise<SigningKey> {
  const file = join(config.dataDirectory, FILES[0]);
  await mkdir(config.dataDirectory, { recursive: true, mode: 0o700 });
  await writeFile(file, newKeyPem(), { mode: 0o600, flag: 'wx' }).catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== 'EEXIST') throw error;
  });
  const [key] = await ownKeys(config);
  if (key === undefined) throw new Error(`${file} cannot be read`);
  return key;
}

/**
 * Writes the next key to a second file; `settle` replaces the first file with the second. While both files exist, each
 * process uses the key that the database names.
 */
export async function prepareNextKey(
  { dataDirectory }: Config,
  current: string | null,
): Promise<{
  readonly key: SigningKey;
  settle(): Promise<void>;
  withdraw(): Promise<void>;
}> {
  const [present, next] = [join(dataDirectory, FILES[0]), join(dataDirectory, FILES[1])];
  const left = await readFile(next, 'utf8').catch(() => null);
  // A process died after the database had this key, so this key is the current one.
  if (left !== null && signingKeyIn(left).id === current) await rename(next, present);
  const pem = newKeyPem();
  await writeFile(next, pem, { mode: 0o600 });
  return {
    key: signingKeyIn(pem),
    settle: () => rename(next, present),
    withdraw: () => rm(next, { force: true }),
  };
}
