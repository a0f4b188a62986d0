import type { LoggerService } from '@nestjs/common';

/** Prints nothing, but keeps reported errors, so that an error in the background fails the test. */
export class RecordingLogger implements LoggerService {
  private errors: string[] = [];

  error(...parts: unknown[]): void {
    this.errors.push(parts.map(String).join('\n'));
  }

  fatal(...parts: unknown[]): void {
    this.error(...parts);
  }

  log(): void {}
  warn(): void {}

  /** Returns the errors reported since the last call. */
  takeErrors(): string[] {
    const errors = this.errors;
    this.errors = [];
    return errors;
  }
}
