import type { AskedMerges, LandingMemory, MergeUnderWay } from '../../../domain/code-host.port';

/** The merges that the service has requested from GitHub for one landing, kept from attempt to attempt. */
export class MergesOfLanding {
  private asked: AskedMerges;
  private forSynchronousCall: number | null = null;

  constructor(private readonly memory: LandingMemory | undefined) {
    this.asked = memory?.asked ?? { merged: [], underWay: null };
  }

  get hasAsked(): boolean {
    return this.asked.merged.length > 0 || this.asked.underWay !== null;
  }

  get underWay(): MergeUnderWay | null {
    return this.asked.underWay;
  }

  /**
   * The commit of an ended merge; null if the pull request is not merged, or no attempt has seen the end of its merge.
   */
  commitOf(number: number): string | null {
    return this.asked.merged.find((one) => one.number === number)?.commit ?? null;
  }

  /** Stores a requested merge, durably once the call resolves, together with all ended merges. */
  async begin(underWay: MergeUnderWay): Promise<void> {
    await this.change({ ...this.asked, underWay });
  }

  /** Stores that the requested merge ended without a result, so that no attempt asks about it again. */
  async forget(): Promise<void> {
    await this.change({ ...this.asked, underWay: null });
  }

  /**
   * Notes the end of a merge. It is stored only when the next merge begins; until then, another attempt asks GitHub
   * once more.
   */
  end(number: number, commit: string): void {
    this.asked = { merged: [...this.asked.merged, { number, commit }], underWay: null };
  }

  /** Makes this attempt use the synchronous call for this pull request. */
  useSynchronousCall(number: number): void {
    this.forSynchronousCall = number;
  }

  usesSynchronousCall(number: number): boolean {
    return this.forSynchronousCall === number;
  }

  private async change(asked: AskedMerges): Promise<void> {
    this.asked = asked;
    await this.memory?.store(asked);
  }
}
