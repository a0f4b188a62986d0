import { contractRows } from '../../../src/cli/certify/rows/contract-rows';
import { STORIES } from '../../../src/cli/certify/stories/stories';
import { GitLabDouble } from '../../support/gitlab/gitlab-double';
import { groupsOf } from './mock-runs';
import { expectNoDifference, type OrdinaryMock } from './ordinary-run';
import { inWholeCertification } from './whole-certification';

async function gitLab(): Promise<OrdinaryMock> {
  const double = await GitLabDouble.start();
  double.createGroup('team/tools', ['ada']);
  return {
    ...{ kind: 'gitlab', gitUrl: double.gitUrl, organization: 'team/tools' },
    tokens: [double.createToken('ada'), double.createToken('grace')],
    countRepositories: () => double.state.projects.length,
    close: () => double.close(),
  };
}

const SAMPLE = STORIES.filter(({ group }) => ['labels', 'testing pull requests'].includes(group));

describe('sluice certify at the mock GitLab', () => {
  it('finds no difference in a sample of the stories', () => expectNoDifference(gitLab, SAMPLE, 5));

  inWholeCertification(() => {
    it.each(groupsOf(STORIES))('finds no difference in the stories: %s', (_, rows) =>
      expectNoDifference(gitLab, rows, 0),
    );

    it.each(groupsOf(contractRows()))('finds no difference in the contract: %s', (_, rows) =>
      expectNoDifference(gitLab, rows, 1),
    );
  });
});
