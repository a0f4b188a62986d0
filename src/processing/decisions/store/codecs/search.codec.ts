import type { CulpritSearch } from '../../../../engine/model';
import type { CulpritSearch as SearchColumns } from '../../../../generated/prisma/client';
import type { CodecTable, Encoded, InJson } from './columns';

export const SEARCHES: CodecTable<SearchColumns> = {
  name: 'CulpritSearch',
  columns: { queueId: 'uuid', number: 'int', search: 'jsonb' },
};

export function encodeSearch(queueId: string, search: CulpritSearch): Encoded<SearchColumns> {
  return { queueId, number: search.number, search };
}

export type SearchRow = Pick<InJson<SearchColumns>, 'search'>;

export function decodeSearch({ search }: SearchRow): CulpritSearch {
  return search as CulpritSearch;
}
