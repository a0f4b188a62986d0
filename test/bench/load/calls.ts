import { type Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';

/** A call of one method of the simulated host, sent by a process of the service. */
export interface HostCall {
  readonly id: number;
  readonly method: string;
  readonly parameters: readonly unknown[];
}

export type HostAnswer = { readonly id: number } & ({ readonly result: unknown } | { readonly error: string });

const LENGTH_BYTES = 4;

/** A stream of values over a socket. The values must be cloneable. */
export class ValueStream<Sent, Received> {
  private pending: Buffer = Buffer.alloc(0);

  constructor(
    private readonly socket: Socket,
    private readonly onValue: (value: Received) => void,
  ) {
    socket.on('data', (bytes) => this.take(bytes));
  }

  send(value: Sent): void {
    const body = serialize(value);
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32BE(body.length);
    this.socket.cork();
    this.socket.write(length);
    this.socket.write(body);
    this.socket.uncork();
  }

  private take(bytes: Buffer): void {
    this.pending = this.pending.length === 0 ? bytes : Buffer.concat([this.pending, bytes]);
    while (this.pending.length >= LENGTH_BYTES) {
      const end = LENGTH_BYTES + this.pending.readUInt32BE(0);
      if (this.pending.length < end) return;
      const body = this.pending.subarray(LENGTH_BYTES, end);
      this.pending = this.pending.subarray(end);
      this.onValue(deserialize(body) as Received);
    }
  }
}
