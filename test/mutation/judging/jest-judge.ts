import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import type { ChangedFile } from '../project/changed-project';
import { PROJECT } from '../project/sources';
import { type Answer, killedByNobody, type MutantJudge } from './verdict';

const CONFIG = join(__dirname, '..', 'jest', 'config.cjs');
const JEST = join(PROJECT, 'node_modules', 'jest', 'bin', 'jest.js');
/** Time for a mutant that makes a test wait until the test times out. More time would only make the run slow. */
const MILLISECONDS_OF_PATIENCE = 45_000;
const TIMES_OF_THE_RIGHT_ONE = 3;

/** The file that `jest/problem-reporter.cjs` writes. */
interface Results {
  readonly problem: string | null;
}

/** Runs the specs of an area with jest in a separate process, with one file replaced at compilation. */
export class JestJudge implements MutantJudge {
  private readonly folder = mkdtempSync(join(tmpdir(), 'sluice-mutant-'));
  private running: ChildProcess | null = null;

  constructor(
    private readonly specs: readonly string[],
    private readonly databaseUrl: string,
    /** The time limit. The run of the unchanged project sets it, and all judges of these specs share it. */
    private readonly limit: { milliseconds: number },
  ) {}

  async judge(changed: ChangedFile | null): Promise<Answer> {
    const why = changed === null ? null : whyNoProgram(changed);
    if (why !== null) return { type: 'notAProgram', why };
    const [mutant, results] = [join(this.folder, 'mutant.json'), join(this.folder, 'results.json')];
    writeFileSync(mutant, JSON.stringify(changed && { file: join(PROJECT, changed.file), text: changed.text }));
    rmSync(results, { force: true });
    const startedAt = Date.now();
    const ending = await this.run(mutant, results);
    const took = Date.now() - startedAt;
    if (changed === null) this.limit.milliseconds = took * TIMES_OF_THE_RIGHT_ONE + MILLISECONDS_OF_PATIENCE;
    if (ending === 'out of time') return killedByNobody(`not judged within ${Math.round(took / 1000)} s`);
    return answerIn(results);
  }

  end(): void {
    this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private run(mutant: string, results: string): Promise<'ended' | 'out of time'> {
    const args = ['--config', CONFIG, '--runInBand', '--bail', '--runTestsByPath'];
    const child = spawn(process.execPath, [JEST, ...args, ...this.specs], {
      cwd: PROJECT,
      env: { ...process.env, SLUICE_MUTANT: mutant, SLUICE_RESULTS: results, DATABASE_URL: this.databaseUrl },
      stdio: 'ignore',
      // The run has its own process group, so that all its processes can be ended together.
      detached: true,
    });
    this.running = child;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.stop();
        resolve('out of time');
      }, this.limit.milliseconds);
      child.on('close', () => {
        clearTimeout(timer);
        this.running = null;
        resolve('ended');
      });
    });
  }

  private stop(): void {
    if (this.running?.pid === undefined) return;
    process.kill(-this.running.pid, 'SIGKILL');
    this.running = null;
  }
}

function whyNoProgram({ file, text }: ChangedFile): string | null {
  const options = { reportDiagnostics: true, compilerOptions: { experimentalDecorators: true } };
  const [problem] = ts.transpileModule(text, { fileName: file, ...options }).diagnostics ?? [];
  return problem === undefined ? null : ts.flattenDiagnosticMessageText(problem.messageText, ' ');
}

function answerIn(file: string): Answer {
  let results: Results;
  try {
    results = JSON.parse(readFileSync(file, 'utf8')) as Results;
  } catch {
    return killedByNobody('jest ended without a result');
  }
  const { problem } = results;
  return problem === null ? { type: 'survived' } : { type: 'killed', death: { killer: 'specs of the shell', problem } };
}
