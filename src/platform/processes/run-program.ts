import { startProcess } from './process-starter';

const MOST_OUTPUT_BYTES = 16 * 1024 * 1024;
const MOST_COMPLAINTS_BYTES = 64 * 1024;

export interface ProgramEnd {
  readonly code: number;
  readonly stdout: string;
  /** The last 64 KiB: `rm` may complain about each of a million files. */
  readonly stderr: string;
}

interface ProgramSurroundings {
  readonly env: Readonly<Record<string, string>>;
  /** Absent: the working directory of this process. */
  readonly cwd?: string;
}

/**
 * Runs a program to its end. Resolves with any exit code. Rejects when the program cannot be started, ends by a signal,
 * or is killed because it has written more than 16 MiB of output.
 */
export function runProgram(
  file: string,
  args: readonly string[],
  surroundings: ProgramSurroundings,
): Promise<ProgramEnd> {
  const stdout: Buffer[] = [];
  let bytes = 0;
  let stderr: Buffer = Buffer.alloc(0);
  return new Promise((resolve, reject) => {
    const kill = startProcess(
      { file, args, ...surroundings, input: '' },
      {
        stdout: (chunk) => {
          bytes += chunk.length;
          if (bytes <= MOST_OUTPUT_BYTES) return void stdout.push(chunk);
          kill();
          reject(new Error(`${file} wrote more than ${MOST_OUTPUT_BYTES} bytes`));
        },
        stderr: (chunk) => {
          stderr = Buffer.concat([stderr, chunk]).subarray(-MOST_COMPLAINTS_BYTES);
        },
        failed: (why) => reject(new Error(`${file} could not be started: ${why}`)),
        closed: (code, signal) => {
          if (code === null) reject(new Error(`${file} was ended by ${signal}`));
          else resolve({ code, stdout: Buffer.concat(stdout).toString(), stderr: stderr.toString() });
        },
      },
    );
  });
}

/** Like `runProgram`, but rejects unless the exit code is 0. Returns the output. */
export async function outputOfProgram(...program: Parameters<typeof runProgram>): Promise<string> {
  const { code, stdout, stderr } = await runProgram(...program);
  const [file, args] = program;
  if (code !== 0) throw new Error(`${file} ${args.join(' ')} ended with ${code}: ${stderr.trim()}`);
  return stdout;
}
