import type { Change } from '../changes';
import type { CulpritSearch, QueueSnapshot } from '../model';

type SearchChange = Extract<Change, { type: 'searchStarted' | 'searchAdvanced' | 'searchEnded' }>;

export function evolveSearches(queue: QueueSnapshot, change: SearchChange): QueueSnapshot {
  switch (change.type) {
    case 'searchStarted': {
      const { search } = change;
      const begun = withMembers(queue, search.number, search);
      const nextOrder = Math.max(queue.nextOrder, search.culpritOrder + 1);
      return { ...begun, searches: [...queue.searches, search], nextSearch: search.number + 1, nextOrder };
    }
    case 'searchAdvanced': {
      const { search } = change;
      const searches = queue.searches.map((other) => (other.number === search.number ? search : other));
      const nextOrder = Math.max(queue.nextOrder, search.culpritOrder + 1);
      return { ...withMembers(queue, search.number, search), searches, nextOrder };
    }
    case 'searchEnded': {
      const searches = queue.searches.filter((other) => other.number !== change.search);
      return { ...withMembers(queue, change.search, null), searches };
    }
  }
}

/** Members leave the line for the bisection; former members leave the bisection. */
function withMembers(queue: QueueSnapshot, number: number, search: CulpritSearch | null): QueueSnapshot {
  const members = new Set(search?.members.map((change) => change.entryId));
  const entries = queue.entries.map((entry) => {
    if (members.has(entry.id)) return { ...entry, search: number, place: null, placeIndex: 0, urgentInLine: false };
    return entry.search === number ? { ...entry, search: null } : entry;
  });
  return { ...queue, entries };
}
