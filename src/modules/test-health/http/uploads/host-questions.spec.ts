import { Logger } from '@nestjs/common';
import { RecordingLogger } from '../../../../../test/support/recording-logger';
import { HostQuestions } from './host-questions';

const REPOSITORY = { id: '1', host: 'git.example', owner: 'acme', name: 'widgets' };

describe('queries to a code host on behalf of uploads', () => {
  let questions: HostQuestions;
  let asked: { readonly what: string; readonly answer: (text: string) => void }[];

  beforeEach(() => {
    Logger.overrideLogger(new RecordingLogger());
    questions = new HostQuestions();
    asked = [];
  });
  afterEach(() => {
    Logger.overrideLogger(false);
  });

  const ask = (what: string, host = 'git.example', limitMs?: number) =>
    questions.answer(
      { ...REPOSITORY, host },
      () => new Promise<string>((resolve) => asked.push({ what, answer: resolve })),
      limitMs,
    );
  const named = () => asked.map(({ what }) => what);

  it('attack 17: run four at once per code host, however many commits are uploaded', async () => {
    const answers = ['1', '2', '3', '4', '5', '6'].map((what) => ask(what));
    const elsewhere = ask('7', 'other.example');
    expect(named()).toEqual(['1', '2', '3', '4', '7']);
    asked[0]!.answer('first');
    expect(await answers[0]).toBe('first');
    expect(named()).toEqual(['1', '2', '3', '4', '7', '5']);
    for (let done = 1; done <= 6; done++) {
      asked[done]!.answer('later');
      await new Promise(setImmediate);
    }
    expect(await Promise.all([...answers.slice(1), elsewhere])).toEqual(Array.from({ length: 6 }, () => 'later'));
  });

  it('end after their time limit, and never start if they waited for so long', async () => {
    const slow = ['1', '2', '3', '4', '5'].map((what) => ask(what, 'git.example', 20));
    expect(await Promise.all(slow)).toEqual([null, null, null, null, null]);
    const next = ask('6');
    expect(named()).toEqual(['1', '2', '3', '4']);
    asked[0]!.answer('late');
    await new Promise(setImmediate);
    expect(named()).toEqual(['1', '2', '3', '4', '6']);
    asked[4]!.answer('in time');
    expect(await next).toBe('in time');
  });

  it('return null after a failure, and let the next query start', async () => {
    const failing = () => questions.answer(REPOSITORY, () => Promise.reject(new Error('connection refused')));
    expect(await Promise.all(Array.from({ length: 9 }, failing))).toEqual(Array.from({ length: 9 }, () => null));
    const next = ask('1');
    asked[0]!.answer('yes');
    expect(await next).toBe('yes');
  });
});
