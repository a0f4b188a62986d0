import type { Sql } from '../database/sql';
import { Backlog } from './backlog';

describe('Backlog', () => {
  let database: { isBusy: boolean };
  let backlog: Backlog;

  beforeEach(() => {
    jest.useFakeTimers();
    database = { isBusy: true };
    backlog = new Backlog(database as Sql);
  });

  afterEach(() => jest.useRealTimers());

  it('is large when work was due for more than two seconds and the database is busy', () => {
    expect(backlog.isLarge).toBe(false);
    backlog.note(2_000);
    expect(backlog.isLarge).toBe(false);
    backlog.note(2_001);
    expect(backlog.isLarge).toBe(true);
    database.isBusy = false;
    expect(backlog.isLarge).toBe(false);
  });

  it('is no longer large three seconds after the last report', () => {
    backlog.note(60_000);
    jest.advanceTimersByTime(2_999);
    expect(backlog.isLarge).toBe(true);
    jest.advanceTimersByTime(1);
    expect(backlog.isLarge).toBe(false);
  });
});
