import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stopSignal } from '../../platform/lifecycle/stop-signal';
import { ApiClient } from '../api-client';
import type { Terminal } from '../terminal';
import { makeDemoRepository } from './demo-repository';
import { bareRepositoryIn, DEMO_ORGANIZATION, type DemoService, startDemoService } from './demo-service';
import { playFlakyTest } from './flaky-test';
import { LiveTable } from './live-table';
import {
  sayAct,
  sayBeginning,
  sayDemoCheck,
  sayFlakyTest,
  sayHowToGoOn,
  sayLines,
  sayTestRuns,
  sayUnconfined,
} from './narration';
import { playStory } from './story';
import { checkDemo } from './check-demo';

type DemoOutcome = 'as it should be' | 'not as it should be' | 'interrupted';

/** Shows a queue at work on a repository in a temporary folder, and removes the folder at the end. */
export async function runDemo(terminal: Terminal, afterwards: 'ends' | 'stays'): Promise<DemoOutcome> {
  const interrupted = stopSignal().then(() => 'interrupted' as const);
  const folder = await makeFolder();
  try {
    const bare = bareRepositoryIn(folder);
    sayBeginning(terminal, bare);
    await makeDemoRepository(bare, join(folder, 'work'));
    const service = await startDemoService(folder);
    if (service.confinement === 'none') sayUnconfined(terminal);
    try {
      const shown = show(terminal, service, folder);
      const outcome = await Promise.race([shown, interrupted]);
      // After an interruption the demo fails because the service stops; the demo ignores that failure.
      shown.catch(() => undefined);
      if (outcome === 'interrupted') return outcome;
      if (afterwards === 'ends') sayHowToGoOn(terminal, null);
      else {
        const signIn = await wayToSignIn(terminal, service, folder);
        sayHowToGoOn(terminal, { url: service.url, token: service.token, signIn });
        await interrupted;
      }
      return outcome;
    } finally {
      await service.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function show(terminal: Terminal, service: DemoService, folder: string): Promise<DemoOutcome> {
  const { url, token } = service;
  const bare = bareRepositoryIn(folder);
  const screen = new LiveTable(terminal);
  const api = new ApiClient({ url, token });
  let runsBefore = 0;
  let ofActBefore = 0;
  const story = await playStory(api, {
    begin: (act) => {
      sayAct(terminal, act);
      screen.startAnew();
    },
    show: (standings) => screen.show(standings),
    quote: ({ prNumber, waitingFor }) => {
      sayLines(terminal, ['', `The queue reports for #${prNumber}: ${waitingFor}.`, '']);
      screen.startAnew();
    },
    commitsInTest: () => service.commitsInTest(),
    end: async ({ isActBefore }) => {
      const runs = await service.countTestRuns();
      sayTestRuns(terminal, runs - runsBefore, isActBefore === undefined ? null : ofActBefore);
      ofActBefore = runs - runsBefore;
      runsBefore = runs;
    },
  });
  sayFlakyTest(terminal);
  const flakyTest = await playFlakyTest(api, bare);
  sayLines(terminal, flakyTest.lines);
  const checked = await checkDemo(story, flakyTest, bare, join(folder, 'proof'));
  await sayDemoCheck(terminal, checked, bare);
  return checked.wrong.length === 0 ? 'as it should be' : 'not as it should be';
}

/** The link is written to a terminal only, because piped output may end up in a log. */
async function wayToSignIn(terminal: Terminal, service: DemoService, folder: string): Promise<string> {
  if (terminal.columns !== undefined) return `${await service.makeSignInLink()}   (once, within 10 minutes)`;
  return `SLUICE_DATA_DIR=${folder} sluice sign-in-link --org ${DEMO_ORGANIZATION}`;
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-demo-'));
  // Under root, the database runs as another user, who must be able to enter this folder.
  if (process.getuid?.() === 0) await chmod(folder, 0o711);
  return folder;
}
