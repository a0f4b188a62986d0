import type { ReportFile } from './find-reports';

const STEP_PERCENT = 10;

/** Prints a line for each tenth of the upload. */
export class UploadProgress {
  private sentBytes = 0;
  private sentFiles = 0;
  private said = 0;
  private readonly bytes: number;

  constructor(
    private readonly files: readonly ReportFile[],
    private readonly say: (line: string) => void,
  ) {
    this.bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  }

  begin(address: string): void {
    this.say(`Uploading ${count(this.files.length, 'report')} (${sizeOf(this.bytes)}) to ${address}`);
  }

  sent({ bytes }: ReportFile): void {
    // A retry of the upload starts at 0 %.
    if (this.sentFiles === this.files.length) [this.sentBytes, this.sentFiles, this.said] = [0, 0, 0];
    this.sentBytes += bytes;
    this.sentFiles++;
    const percent = this.bytes === 0 ? 100 : Math.floor((this.sentBytes / this.bytes) * 100);
    if (percent < this.said + STEP_PERCENT) return;
    this.said = percent - (percent % STEP_PERCENT);
    this.say(`${String(percent).padStart(3)} %  ${this.sentFiles} of ${count(this.files.length, 'report')}`);
  }
}

export function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`;
}

function sizeOf(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
