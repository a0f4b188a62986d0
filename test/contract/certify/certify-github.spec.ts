import { contractRows } from '../../../src/cli/certify/rows/contract-rows';
import { STORIES } from '../../../src/cli/certify/stories/stories';
import { GitHubDouble } from '../../support/github/github-double';
import { groupsOf } from './mock-runs';
import { expectNoDifference, type OrdinaryMock } from './ordinary-run';
import { inWholeCertification } from './whole-certification';

async function gitHub(): Promise<OrdinaryMock> {
  const double = await GitHubDouble.start();
  double.createOrganization('team');
  return {
    ...{ kind: 'github', gitUrl: double.gitUrl, organization: 'team' },
    tokens: [double.createUserToken('ada'), double.createUserToken('grace')],
    countRepositories: () => double.repositoryCount,
    close: () => double.close(),
  };
}

const SAMPLE = STORIES.filter(({ group }) => ['labels', 'testing pull requests'].includes(group));

describe('sluice certify at the mock GitHub', () => {
  it('finds no difference in a sample of the stories', () => expectNoDifference(gitHub, SAMPLE, 5));

  inWholeCertification(() => {
    it.each(groupsOf(STORIES))('finds no difference in the stories: %s', (_, rows) =>
      expectNoDifference(gitHub, rows, 0),
    );

    it.each(groupsOf(contractRows()))('finds no difference in the contract: %s', (_, rows) =>
      expectNoDifference(gitHub, rows, 1),
    );
  });
});
