import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, Tool } from '@modelcontextprotocol/sdk/types.js';

const ROOT = join(__dirname, '..', '..');
const TYPESCRIPT = ['-r', join(ROOT, 'prisma/engine/load-typescript.cjs')];
/** The complete command-line program. */
const PROGRAM = [...TYPESCRIPT, join(ROOT, 'src/cli/main.ts')];
/** Only the command `sluice mcp`. This command starts in a fraction of the time that the complete program needs. */
const COMMAND = [
  ...TYPESCRIPT,
  '-e',
  `const program = new (require('commander').Command)();
  require('./src/cli/commands/mcp').addMcpCommand(program);
  void program.parseAsync(process.argv.slice(1), { from: 'user' });`,
];

export interface Called {
  readonly isError: boolean;
  /** The blocks of text in the result, in order. */
  readonly texts: readonly string[];
  readonly structured: Record<string, unknown>;
}

/** `sluice mcp` in its own process, connected to the client of the official MCP SDK. */
export class Agent implements Transport {
  readonly client = new Client({ name: 'an agent', version: '1' });
  /** Everything that the process wrote to its standard output. */
  written = '';
  complained = '';
  readonly exited: Promise<number | null>;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  private readonly buffer = new ReadBuffer();

  private constructor(private readonly process: ChildProcess) {
    this.exited = new Promise((resolve) => process.once('close', (code) => resolve(code)));
    process.stderr!.on('data', (chunk: Buffer) => (this.complained += chunk.toString()));
    process.stdout!.on('data', (chunk: Buffer) => this.hear(chunk));
  }

  static async start(url: string, token: string | undefined, ...options: string[]): Promise<Agent> {
    const agent = Agent.spawned(COMMAND, url, token, ...options);
    await agent.client.connect(agent);
    return agent;
  }

  /** Starts the complete command-line program, without the handshake of the protocol. */
  static ofProgram(url: string, token?: string): Agent {
    return Agent.spawned(PROGRAM, url, token);
  }

  private static spawned(
    program: readonly string[],
    url: string,
    token: string | undefined,
    ...options: string[]
  ): Agent {
    const env = { ...process.env, SLUICE_URL: url, ...(token && { SLUICE_TOKEN: token }) };
    return new Agent(spawn(process.execPath, [...program, 'mcp', ...options], { cwd: ROOT, env }));
  }

  async tools(): Promise<ReadonlyMap<string, Tool>> {
    const { tools } = await this.client.listTools();
    return new Map(tools.map((tool) => [tool.name, tool]));
  }

  async call(name: string, args: Record<string, unknown>): Promise<Called> {
    const result = await this.client.callTool({ name, arguments: args });
    const content = result.content as { type: string; text: string }[];
    return {
      isError: result.isError === true,
      texts: content.map(({ text }) => text),
      structured: (result.structuredContent ?? {}) as Record<string, unknown>,
    };
  }

  /** Ends the input of the process, like a client that disconnects. Returns the exit code. */
  async leave(): Promise<number | null> {
    this.process.stdin!.end();
    return this.exited;
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve) => this.process.stdin!.write(serializeMessage(message), () => resolve()));
  }

  close(): Promise<void> {
    this.onclose?.();
    return Promise.resolve();
  }

  private hear(chunk: Buffer): void {
    this.written += chunk.toString();
    this.buffer.append(chunk);
    for (let message = this.buffer.readMessage(); message !== null; message = this.buffer.readMessage()) {
      this.onmessage?.(message);
    }
  }
}
