import type { Sql } from '../database/sql';
import { Arrears } from './arrears';

describe('Arrears', () => {
  let database: { isBusy: boolean };
  let arrears: Arrears;

  beforeEach(() => {
    jest.useFakeTimers();
    database = { isBusy: true };
    arrears = new Arrears(database as Sql);
  });

  afterEach(() => jest.useRealTimers());

  it('are large when work was due for more than two seconds and the database is busy', () => {
    expect(arrears.areLarge).toBe(false);
    arrears.note(2_000);
    expect(arrears.areLarge).toBe(false);
    arrears.note(2_001);
    expect(arrears.areLarge).toBe(true);
    database.isBusy = false;
    expect(arrears.areLarge).toBe(false);
  });

  it('are known for three seconds at most', () => {
    arrears.note(60_000);
    jest.advanceTimersByTime(2_999);
    expect(arrears.areLarge).toBe(true);
    jest.advanceTimersByTime(1);
    expect(arrears.areLarge).toBe(false);
  });
});
