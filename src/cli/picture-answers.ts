/** The fields of answers about queues and pull requests that commands draw. `--json` prints whole answers. */
export interface EtaAnswer {
  readonly p50: string;
  readonly p90: string;
}

export interface NamedAnswer {
  readonly prNumber: number;
  readonly prTitle: string;
  readonly prAuthor: string;
  readonly state: string | null;
  readonly eta: EtaAnswer | null;
}

export interface RunAnswer {
  readonly number: number;
  readonly kind: string;
  readonly phase: string;
  readonly baseSha: string;
  readonly builtOn: readonly number[];
  readonly builtOnCount: number;
  readonly members: readonly { readonly prNumber: number }[];
  readonly statuses: readonly { readonly name: string; readonly state: string; readonly expectedMs: number | null }[];
  readonly pushedAt: string | null;
  readonly waitingFor: string | null;
  readonly eta: EtaAnswer | null;
}

interface GroupAnswer {
  readonly members: readonly number[];
  readonly waitingFor: string | null;
}

export interface PictureAnswer {
  readonly repo: { readonly host: string; readonly owner: string; readonly name: string };
  readonly targetBranch: string;
  readonly version: number;
  readonly readAt: string;
  readonly conditions: {
    readonly state: string;
    readonly since: string | null;
    readonly by: string | null;
    readonly reason: string | null;
    readonly waitingFor: string | null;
    readonly freeze: { readonly until: string | null } | null;
    readonly mergeLimit: { readonly perHour: number; readonly mergedLately: number } | null;
  };
  readonly slots: {
    readonly line: { readonly inUse: number; readonly all: number };
    readonly searches: { readonly inUse: number; readonly all: number } | null;
  };
  readonly expectedRunMs: number | null;
  readonly tip: string | null;
  readonly landings: readonly { readonly prNumber: number; readonly commit: string; readonly landedAt: string }[];
  readonly runs: readonly RunAnswer[];
  readonly line: readonly GroupAnswer[];
  readonly passed: readonly GroupAnswer[];
  readonly searches: readonly (GroupAnswer & { readonly suspects: readonly number[]; readonly stage: string })[];
  readonly nextBatch: { readonly members: readonly number[]; readonly size: number; readonly startsAt: string } | null;
  readonly waitingCount: number;
  readonly notReadyCount: number;
  readonly waiting: readonly {
    readonly prNumber: number;
    readonly place: number | null;
    readonly since: string;
    readonly waitingFor: string | null;
  }[];
  readonly mergedCount: number;
  readonly failedCount: number;
  readonly left: readonly { readonly prNumber: number; readonly at: string; readonly message: string | null }[];
  readonly pullRequests: readonly NamedAnswer[];
}

export interface QueueListAnswer {
  readonly queues: readonly {
    readonly repo: PictureAnswer['repo'];
    readonly targetBranch: string;
    readonly state: string;
    readonly slots: number;
    readonly inHandCount: number;
    readonly waitingCount: number;
    readonly notReadyCount: number;
    readonly mergedCount: number;
    readonly failedCount: number;
    readonly etaOfNew: EtaAnswer | null;
    readonly attention: string | null;
  }[];
  readonly nextCursor?: string;
}

export interface StoryAnswer {
  readonly pullRequest: NamedAnswer;
  readonly attempt: number;
  readonly submittedAt: string;
  readonly waitingFor: string | null;
  readonly message: string | null;
  readonly runPhase: string | null;
  readonly time: Readonly<Record<'notReadyMs' | 'waitingMs' | 'testedMs' | 'lostMs' | 'decidedMs', number>> & {
    readonly lost: readonly {
      readonly ms: number;
      readonly becauseOf: readonly number[];
      readonly runNumber: number;
    }[];
  };
  readonly items: readonly {
    readonly at: string;
    readonly sentence: string;
    readonly evidence: {
      readonly redStatuses: readonly { readonly name: string; readonly url: string }[];
      readonly failedTests: readonly {
        readonly name: string;
        readonly status: string;
        readonly quarantined: boolean;
      }[];
    } | null;
  }[];
}
