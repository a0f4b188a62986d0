// Spec files that `npm run test:long` plays in addition to `npm test`. test/README.md gives the reason for each file.

/** Spec files that only the long run plays. */
const WHOLE = [
  'test/contract/gitea.spec.ts',
  'test/contract/gitlab.spec.ts',
  'test/docs/first-change/setting-and-command.spec.ts',
  'test/e2e/forge-kill.spec.ts',
  'test/e2e/gitea-guide.spec.ts',
  'test/e2e/gitlab-guide.spec.ts',
  'test/e2e/hang.spec.ts',
  'test/e2e/merge-kill.spec.ts',
  'test/e2e/random-suites.spec.ts',
  'test/scenarios/service-batches.spec.ts',
];

/**
 * Repeated spec files. `npm test` plays the first repetition, and the long run plays the others
 * (`support/long-run.ts`).
 */
const REPEATED = [
  'test/contract/certify/certify-gitea.spec.ts',
  'test/contract/git-over-ssh.spec.ts',
  'test/docs/blocks/documented-blocks.spec.ts',
  'test/docs/first-change/report-format.spec.ts',
  'test/e2e/demo.spec.ts',
  'test/e2e/every-operation-too-large.spec.ts',
  'test/e2e/forge-outages.spec.ts',
  'test/e2e/forge-requests.spec.ts',
  'test/e2e/forge-stories.spec.ts',
  'test/e2e/forge-tokens.spec.ts',
  'test/e2e/gitea-jobs.spec.ts',
  'test/e2e/github-flow.spec.ts',
  'test/e2e/github-stacks.spec.ts',
  'test/e2e/github-turned-away.spec.ts',
  'test/e2e/kill.spec.ts',
  'test/e2e/reverse-proxy.spec.ts',
  'test/e2e/sample.spec.ts',
  'test/e2e/status-reporters.spec.ts',
  'test/e2e/webhooks-kill.spec.ts',
  'test/integration/attestations.spec.ts',
  'test/integration/content.spec.ts',
  'test/integration/nothing-to-merge.spec.ts',
  'test/integration/queue-pictures-of-a-history.spec.ts',
  'test/integration/restored-backup.spec.ts',
  'test/integration/squashed-stacks.spec.ts',
  'test/integration/statements-of-reads.spec.ts',
  'test/openapi/fuzz.spec.ts',
  'test/scenarios/service-hosts.spec.ts',
  'test/simulation/days.spec.ts',
  'test/simulation/flow-days.spec.ts',
  'test/simulation/short-days.spec.ts',
];

module.exports = { REPEATED, WHOLE };
