import type { PullRequestConversation } from '../../../domain/code-host.port';
import { machineTime } from '../../../platform/clock/machine-time';
import { TEST_RUN, TESTING_BRANCH } from '../../../testing/contract/host-under-test';
import { expectations as expect } from '../rows/expectations';
import type { CertifyRow } from '../rows/row';
import { NotOffered } from '../servers/tested-server';
import type { Stage } from '../world/stage';

const MANY = 51;
/** A comment that is neither a command of a server nor the name of an account. */
const COMMAND = 'submit this';
const MARKER = '<!-- sluice-certify -->';
/** Comments are searched from this long before now, because the clocks of two machines may differ. */
const EARLIER_MS = 3_600_000;

function conversationOf({ host }: Stage): PullRequestConversation {
  if (host.conversation === undefined) throw new NotOffered('the code host has no conversation');
  return host.conversation;
}

function since(): Date {
  return new Date(machineTime().getTime() - EARLIER_MS);
}

const comments = 'comments';
const COMMENTS: readonly CertifyRow[] = [
  {
    ...{ group: comments, name: 'the queue makes one comment, and edits this comment later' },
    run: async (stage) => {
      await stage.open(1);
      const say = (text: string, by = stage.host) =>
        by.conversation?.ensureComment(stage.repository, 1, MARKER, `${text} ${MARKER}`);
      await say('one');
      await say('two');
      await say('three', stage.restart());
      const own = (await stage.people.comments(1)).filter(({ body }) => body.includes(MARKER));
      expect(own.map(({ body }) => body)).toEqual([`three ${MARKER}`]);
      expect(own[0]?.author).toBe(stage.troupe.service.login);
    },
  },
  {
    ...{ group: comments, name: 'the queue answers a command only once' },
    run: async (stage) => {
      await stage.open(1);
      const reply = (text: string) => conversationOf(stage).reply(stage.repository, 1, MARKER, `${text} ${MARKER}`);
      await reply('yes');
      await reply('no');
      expect((await stage.people.comments(1)).map(({ body }) => body)).toEqual([`yes ${MARKER}`]);
    },
  },
  {
    ...{
      group: comments,
      name: `a command behind ${MANY} comments is found, with its author`,
      needs: ['second account'],
    },
    run: async (stage) => {
      await stage.people.addWriter(stage.other);
      await stage.open(1);
      for (let count = 0; count < MANY; count++) await stage.people.comment(1, `Comment ${count}`, stage.troupe.owner);
      await stage.people.comment(1, COMMAND, stage.other);
      const heard = await conversationOf(stage).people.commentsSince(stage.repository, since());
      expect(heard).toHaveLength(MANY + 1);
      const command = heard.find(({ body }) => body === COMMAND);
      expect(command).toMatchObject({ number: 1, author: stage.other.login, isBot: false });
    },
  },
  {
    ...{ group: comments, name: 'a command gets a reaction, and the same reaction only once' },
    run: async (stage) => {
      await stage.open(1);
      const id = await stage.people.comment(1, COMMAND, stage.troupe.owner);
      for (let times = 0; times < 2; times++) await conversationOf(stage).react(stage.repository, 1, id, '+1');
      expect(await stage.people.reactions(id, 1)).toEqual(['+1']);
    },
  },
  {
    ...{ group: comments, name: 'the service knows its own login', needs: ['second account'] },
    run: async (stage) => {
      const { people } = conversationOf(stage);
      expect(await people.isOwnLogin(stage.troupe.service.login)).toBe(true);
      expect(await people.isOwnLogin(stage.other.login)).toBe(false);
    },
  },
];

const labels = 'labels';
const LABELS: readonly CertifyRow[] = [
  {
    ...{ group: labels, name: 'the service sees who sets and who removes a label', needs: ['second account'] },
    run: async (stage) => {
      await stage.people.addWriter(stage.other);
      await stage.open(1);
      await stage.people.addLabel(1, 'queue', stage.other);
      await stage.people.removeLabel(1, 'queue', stage.other);
      const events = await conversationOf(stage).people.labelEventsOf(stage.repository, 1);
      const { login: actor } = stage.other;
      expect(events).toMatchObject([
        { number: 1, type: 'set', label: 'queue', actor },
        { number: 1, type: 'removed', label: 'queue', actor },
      ]);
    },
  },
  {
    ...{ group: labels, name: `a label behind ${MANY} events is seen`, needs: ['second account'] },
    run: async (stage) => {
      await stage.people.addWriter(stage.other);
      await stage.open(1);
      for (let count = 0; count < MANY; count += 2) {
        await stage.people.addLabel(1, 'other', stage.troupe.owner);
        await stage.people.removeLabel(1, 'other', stage.troupe.owner);
      }
      await stage.people.addLabel(1, 'queue', stage.other);
      const { people } = conversationOf(stage);
      const last = { number: 1, type: 'set', label: 'queue', actor: stage.other.login };
      expect((await people.labelEventsOf(stage.repository, 1)).at(-1)).toMatchObject(last);
      expect((await people.labelEventsSince(stage.repository, since())).at(-1)).toMatchObject(last);
    },
  },
  {
    ...{ group: labels, name: 'the service removes one label, and the others stay' },
    run: async (stage) => {
      await stage.open(1);
      for (const name of ['7', '8', 'queue', 'stays']) await stage.people.addLabel(1, name, stage.troupe.owner);
      for (let times = 0; times < 2; times++) await conversationOf(stage).removeLabel(stage.repository, 1, 'queue');
      await conversationOf(stage).removeLabel(stage.repository, 1, '8');
      expect(await stage.people.labels(1)).toEqual(['7', 'stays']);
    },
  },
];

const testing = 'testing pull requests';
const TESTING: readonly CertifyRow[] = [
  {
    ...{ group: testing, name: 'a testing pull request is opened as a draft, and only once' },
    run: async (stage) => {
      await stage.tested([await stage.open(1)]);
      const asked = { branch: TESTING_BRANCH, targetBranch: 'main', title: 'Test of 1 for main', body: 'A test.' };
      for (let times = 0; times < 2; times++)
        await conversationOf(stage).openTestingPullRequest(stage.repository, asked);
      expect(await stage.people.openPulls()).toEqual([1, 2]);
      expect(await stage.people.readPull(2)).toMatchObject({ isDraft: true, base: 'main', state: 'open' });
    },
  },
  {
    ...{ group: testing, name: 'a testing pull request is closed, even if it is closed already' },
    run: async (stage) => {
      await stage.tested([await stage.open(1)]);
      const asked = { branch: TESTING_BRANCH, targetBranch: 'main', title: 'Test of 1 for main', body: 'A test.' };
      await conversationOf(stage).openTestingPullRequest(stage.repository, asked);
      for (let times = 0; times < 2; times++)
        await conversationOf(stage).closeTestingPullRequest(stage.repository, TESTING_BRANCH);
      expect(await stage.people.openPulls()).toEqual([1]);
    },
  },
  {
    ...{
      group: testing,
      name: 'if the adapter says so, a testing pull request is closed by the removal of its branch',
    },
    run: async (stage) => {
      await stage.tested([await stage.open(1)]);
      const asked = { branch: TESTING_BRANCH, targetBranch: 'main', title: 'Test of 1 for main', body: 'A test.' };
      await conversationOf(stage).openTestingPullRequest(stage.repository, asked);
      await stage.host.removeTestingBranch(stage.repository, TESTING_BRANCH, TEST_RUN);
      if (conversationOf(stage).branchRemovalCloses !== true) return;
      await stage.until('that it is closed', async () => (await stage.people.openPulls()).length === 1);
    },
  },
];

export const CONVERSATION_STORIES: readonly CertifyRow[] = [...COMMENTS, ...LABELS, ...TESTING];
