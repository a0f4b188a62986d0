import { EngineDay } from '../../../test/support/engine-day';

describe('the command to land a run', () => {
  it('names the statuses that CI reported on the tested commit, so that the host reads them again', () => {
    const day = new EngineDay({ requiredStatuses: ['unit', 'ci'] });
    day.submit(1);
    const run = day.carryOutAll().runOf(1);
    for (const name of ['unit', 'ci']) day.report(run, 'passed', name);
    const orders = day.decisions.flatMap(({ commands }) => commands).filter(({ type }) => type === 'landRun');
    expect(orders).toMatchObject([{ testedCommit: run.commit, reportedStatuses: ['unit', 'ci'] }]);
  });
});
