import type { RunPicture } from '../../../modules/views/run-picture.dto';
import type { PullRequestStory } from '../../../modules/views/story.dto';
import { type Content, html, type Html } from '../../html';
import { facts, shortSha } from '../../parts/basics';
import { statementPath } from '../../parts/links';
import { prLink, type Scene } from '../../parts/scene';
import { moment } from '../../parts/times';

export function factsOfStory(scene: Scene, story: PullRequestStory): Html {
  const { pullRequest, submittedAt, concludedAt, headSha, run, statement } = story;
  const { dependsOn } = pullRequest;
  const needs = dependsOn.map((number, index) => [index > 0 && ', ', prLink(scene, number)]);
  return html`<section class="card" aria-labelledby="facts">
    <h2 id="facts">Facts</h2>
    <div class="pad">
      ${facts([
        ['Head', html`<span class="sha" title="${headSha}">${shortSha(headSha)}</span>`],
        ['Into', html`<span class="sha">${scene.branch}</span>`],
        ['Submitted', moment(submittedAt, scene.now)],
        ['Concluded', concludedAt === null ? 'not yet' : moment(concludedAt, scene.now)],
        ...(statement === null ? [] : [['Statement', statementLink(scene, story)] as const]),
        ['Needs', dependsOn.length === 0 ? 'nothing' : needs],
        ...(run === null ? [] : ofRun(scene, run)),
      ])}
    </div>
  </section>`;
}

function statementLink({ repo, branch }: Scene, { pullRequest: { prNumber }, statement }: PullRequestStory): Html {
  return html`<a href="${statementPath(repo, branch, prNumber)}" download>number ${statement}, signed</a>`;
}

function ofRun(
  scene: Scene,
  { statuses, testBranch, timesOutAt }: RunPicture,
): readonly (readonly [string, Content])[] {
  const names = statuses.map(({ name }) => html`<code class="outside">${name}</code> `);
  return [
    ...(names.length === 0 ? [] : [['Must pass', names] as const]),
    ...(testBranch === null ? [] : [['Test branch', html`<span class="sha outside">${testBranch}</span>`] as const]),
    ...(timesOutAt === null ? [] : [['Times out', moment(timesOutAt, scene.now)] as const]),
  ];
}
