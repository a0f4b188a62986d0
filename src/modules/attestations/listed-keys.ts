import type { Statements } from '../../platform/database/statements';
import type { AttestationKeyItem } from './dto/attestations.dto';

interface KeyRow {
  readonly id: string;
  readonly publicKey: string;
  readonly since: Date;
  readonly until: Date | null;
  readonly revokedFrom: Date | null;
  readonly rotation: object | null;
}

/** The newest first. */
export async function listKeys(tx: Statements): Promise<AttestationKeyItem[]> {
  const rows = await tx.rows<KeyRow>`/* listed-keys listKeys */
    SELECT "id", "publicKey", "since", "until", "revokedFrom", "rotation" FROM "AttestationKey" ORDER BY "since" DESC, "id"`;
  return rows.map(({ id, publicKey, since, until, revokedFrom, rotation }) => ({
    ...{ id, publicKey, since: since.toISOString(), until: until?.toISOString() ?? null },
    ...{ revokedFrom: revokedFrom?.toISOString() ?? null, rotation },
  }));
}
