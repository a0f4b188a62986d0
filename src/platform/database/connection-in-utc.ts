/**
 * The same address with sessions in UTC, which Prisma's adapter assumes. Session options that the address names are kept; of
 * two time zones PostgreSQL takes the last.
 */
export function connectionInUtc(databaseUrl: string): string {
  const address = new URL(databaseUrl);
  const given = address.searchParams.get('options') ?? '';
  address.searchParams.set('options', `${given} -c TimeZone=UTC`.trim());
  return address.href;
}
