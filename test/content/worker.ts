import type { Answer, Part } from './part';
import { problemIn } from './programs';

async function play({ bug, method, from, count, stops }: Part): Promise<Answer> {
  const problems: string[] = [];
  const sums = { played: 0, landed: 0 };
  for (let seed = from; seed < from + count; seed++) {
    const { problem, landed } = await problemIn(bug, method, seed);
    sums.played++;
    sums.landed += landed;
    if (problem !== null) problems.push(problem);
    if (problem !== null && stops) break;
  }
  return { ...sums, problems };
}

process.once('message', (part) => {
  void play(part as Part).then((answer) => {
    process.send?.(answer);
    process.disconnect();
  });
});
