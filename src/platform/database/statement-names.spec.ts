import { nameStatements } from './statement-names';

describe('names of prepared statements', () => {
  it('are equal for equal statements only; above a limit a new statement has no name', () => {
    const nameOf = nameStatements(2);
    expect(['a', 'b', 'a', 'c', 'b', 'd'].map((sql) => nameOf({ sql }))).toEqual(['s1', 's2', 's1', '', 's2', '']);
  });
});
