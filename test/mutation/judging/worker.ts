import { allKillers } from '../killers/all-killers';
import { type Killer, sentenceOf } from '../killers/killer';
import { type ChangedFile, ChangedProject, Compiler } from '../project/changed-project';
import type { Answer, Question } from './verdict';

/** A process that judges one mutant after another. The parent process kills this process when a mutant does not end. */
let compiler: Compiler;
let killers: readonly Killer[];

async function answerTo(changed: ChangedFile | null): Promise<Answer> {
  let project: ChangedProject;
  try {
    project = new ChangedProject(compiler, changed);
  } catch (error) {
    return { type: 'notAProgram', why: String(error) };
  }
  for (const killer of killers) {
    const problem = await problemOf(killer, project);
    if (problem !== null) return { type: 'killed', death: { killer: killer.name, problem } };
  }
  return { type: 'survived' };
}

async function problemOf(killer: Killer, project: ChangedProject): Promise<string | null> {
  try {
    return await killer.problemOf(project);
  } catch (error) {
    return sentenceOf(error);
  }
}

process.on('message', (question: Question) => {
  if (question.type === 'begin') {
    compiler = new Compiler(new Map(question.sources));
    killers = allKillers(compiler, question.seed);
  } else void answerTo(question.changed).then((answer) => process.send?.(answer));
});
process.on('disconnect', () => process.exit());
