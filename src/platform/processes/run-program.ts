import { startProcess } from './process-starter';

export interface ProgramEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface ProgramSurroundings {
  readonly env: Readonly<Record<string, string>>;
  /** Absent: the folder of this process. */
  readonly cwd?: string;
}

/** Runs a program of little output to its end. Answers any exit code; rejects when it cannot be started or a signal ends it. */
export function runProgram(
  file: string,
  args: readonly string[],
  surroundings: ProgramSurroundings,
): Promise<ProgramEnd> {
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  return new Promise((resolve, reject) => {
    startProcess(
      { file, args, ...surroundings, input: '' },
      {
        stdout: (chunk) => stdout.push(chunk),
        stderr: (chunk) => stderr.push(chunk),
        failed: (why) => reject(new Error(`${file} could not be started: ${why}`)),
        closed: (code, signal) => {
          if (code === null) reject(new Error(`${file} was ended by ${signal}`));
          else resolve({ code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() });
        },
      },
    );
  });
}

/** As `runProgram`, and rejects unless it ends with 0. Answers what it wrote to its output. */
export async function outputOfProgram(...program: Parameters<typeof runProgram>): Promise<string> {
  const { code, stdout, stderr } = await runProgram(...program);
  const [file, args] = program;
  if (code !== 0) throw new Error(`${file} ${args.join(' ')} ended with ${code}: ${stderr.trim()}`);
  return stdout;
}
