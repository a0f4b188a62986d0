import { nameStatements } from './statement-names';

describe('names of prepared statements', () => {
  it('are the same for the same statement and differ for different ones, up to a limit', () => {
    const nameOf = nameStatements(2);
    expect(['a', 'b', 'a', 'c', 'b', 'd'].map((sql) => nameOf({ sql }))).toEqual(['s1', 's2', 's1', '', 's2', '']);
  });
});
