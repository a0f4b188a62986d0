import { currentRequestId, runForRequest } from '../requests/current-work';
import { Wakeups } from './wakeups';

describe('a worker that a request wakes', () => {
  it('logs without the id of the request, and the request keeps its id', () => {
    const wakeups = new Wakeups();
    const seen: (string | null)[] = [];
    wakeups.on('queues', () => seen.push(currentRequestId()));
    runForRequest(
      { requestId: 'request-1' },
      () => 'a request',
      () => {
        wakeups.wake('queues');
        seen.push(currentRequestId());
      },
    );
    expect(seen).toEqual([null, 'request-1']);
  });
});
