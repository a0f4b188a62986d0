import { giteaEventsIn } from '../../../code-hosts/gitea/webhooks/delivered-events';
import type { HostEvent } from '../../../domain/code-host.port';
import { expectations as expect } from '../rows/expectations';
import type { CertifyRow } from '../rows/row';
import { NotOffered } from '../servers/tested-server';
import type { TakenDelivery } from '../world/webhook-listener';
import type { Stage } from '../world/stage';

const group = 'webhooks';

function eventsIn({ body }: TakenDelivery): readonly HostEvent[] {
  try {
    return giteaEventsIn(JSON.parse(body.toString('utf8')), 'repository', []);
  } catch {
    return [];
  }
}

/**
 * Adds the webhook of the guide, carries out an action of people, and waits for a signed delivery about that action.
 */
async function expectDelivered(
  stage: Stage,
  act: () => unknown,
  isMeant: (event: HostEvent) => boolean,
): Promise<void> {
  const { listener } = stage.troupe;
  if (listener === null) throw new NotOffered('the row needs an address that the server can reach: --webhook-url');
  await stage.people.addHook(listener.url, listener.secret);
  await act();
  const delivered = (): TakenDelivery | undefined => listener.all().find((one) => eventsIn(one).some(isMeant));
  await stage.until('the delivery', () => Promise.resolve(delivered() !== undefined));
  expect(listener.isSigned(delivered()!)).toBe(true);
}

/** The branch has the name of its row, because deliveries of other rows arrive too. */
const branchOfRow = (stage: Stage): string => `told-${stage.repository.name}`;

export const WEBHOOK_STORIES: readonly CertifyRow[] = [
  {
    ...{ group, name: 'a push is delivered, and signed', needs: ['webhook'] },
    run: async (stage) => {
      const { commit } = await stage.tip();
      const push = () => stage.world.setBranch(branchOfRow(stage), commit);
      await expectDelivered(
        stage,
        push,
        (event) => event.type === 'branch_changed' && event.branch === branchOfRow(stage),
      );
    },
  },
  {
    ...{ group, name: 'a comment is delivered with its author, and signed', needs: ['webhook'] },
    run: async (stage) => {
      await stage.open(1);
      const words = `submit ${stage.repository.name}`;
      const say = () => stage.people.comment(1, words, stage.troupe.owner);
      const { login } = stage.troupe.owner;
      await expectDelivered(
        stage,
        say,
        (event) => event.type === 'comment_made' && event.body === words && event.author === login,
      );
    },
  },
  {
    ...{ group, name: 'a label is delivered, and signed', needs: ['webhook'] },
    run: async (stage) => {
      await stage.open(1);
      const label = branchOfRow(stage);
      const set = () => stage.people.addLabel(1, label, stage.troupe.owner);
      await expectDelivered(stage, set, (event) => event.type === 'label_set' && event.label === label);
    },
  },
];
