import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { currentWork, runAs, runForRequest } from './current-work';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

interface Subject {
  readonly requestId: string;
  readonly body: Buffer;
}

const describeSubject = ({ requestId }: Subject) => `the request ${requestId}`;

/** Does what a cache does: keeps a promise that was made in the work. */
function promiseMadeIn(run: (subject: Subject, work: () => void) => void): {
  readonly subject: WeakRef<Subject>;
  readonly kept: Promise<string | null>;
} {
  const subject = { requestId: 'r1', body: Buffer.alloc(1_000) };
  const made: Promise<string | null>[] = [];
  run(subject, () => made.push(nextTurn().then(() => currentWork())));
  return { subject: new WeakRef(subject), kept: made[0]! };
}

describe('work that a promise remembers', () => {
  it.each<[string, (subject: Subject, work: () => void) => void]>([
    ['a request', (subject, work) => runForRequest(subject, describeSubject, work)],
    ['a job', (subject, work) => runAs(subject, describeSubject, work)],
  ])('does not keep %s in memory when it has ended', async (_name, run) => {
    const { subject, kept } = promiseMadeIn(run);
    await kept;
    await nextTurn();
    collectGarbage();
    expect(subject.deref()).toBeUndefined();
    // The promise is in use until here.
    await kept;
  });

  it('has its name while it is in progress', async () => {
    const subject = { requestId: 'r2', body: Buffer.alloc(1) };
    const seen = await runAs(subject, describeSubject, async () => {
      await nextTurn();
      collectGarbage();
      return currentWork();
    });
    expect([seen, subject.requestId]).toEqual(['the request r2', 'r2']);
  });

  it('may be named by a text', () => {
    const name = runAs(
      'a queue',
      (queue) => `the work on ${queue}`,
      () => currentWork(),
    );
    expect(name).toBe('the work on a queue');
  });
});
