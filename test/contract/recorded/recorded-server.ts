import { compareShapes, shapeOfAnswers } from './answer-shape';
import { type MockAnswer, mockGiteaAnswers } from './mock-gitea-answers';
import { requestName } from './request-name';

interface Line {
  readonly why?: string;
  readonly about?: string;
  readonly request?: { readonly method?: string; readonly path?: string };
  readonly status?: number;
  readonly body?: unknown;
  readonly response?: { readonly status?: number; readonly body?: unknown };
  /** A delivery. */
  readonly event?: string;
}

/** Whether the recording is one of a real Gitea or Forgejo. Otherwise the recording is one of GitHub. */
export function isOfServer(text: string): boolean {
  const first = text.split('\n').find((line) => line.trim() !== '') ?? '';
  return /^\{\s*"(why|about)":/.test(first.trim());
}

/** Compares the mock server's answers with the recording. Returns the report, and whether a type differs. */
export async function compareWithMock(text: string): Promise<{ readonly report: string; readonly differs: boolean }> {
  const recorded = groupedByRequest(answersIn(text));
  const mock = groupedByRequest(await mockGiteaAnswers());
  const lines: string[] = [];
  let differences = 0;
  let compared = 0;
  for (const [request, bodies] of [...recorded].toSorted(([a], [b]) => a.localeCompare(b))) {
    const own = mock.get(request);
    if (own === undefined) {
      lines.push(`${request}: the mock has no such request`);
      continue;
    }
    compared++;
    const { kinds, onlyRecorded, onlyMock } = compareShapes(shapeOfAnswers(bodies), shapeOfAnswers(own));
    differences += kinds.length;
    lines.push(`${request}: ${kinds.length === 0 ? 'as recorded' : `${kinds.length} differ`}`);
    lines.push(...kinds.map((one) => `    ${one}`));
    if (onlyRecorded.length > 0) lines.push(`    only in the recording: ${onlyRecorded.join(', ')}`);
    if (onlyMock.length > 0) lines.push(`    only in the mock: ${onlyMock.join(', ')}`);
  }
  lines.push(`${recorded.size} requests recorded, ${compared} compared, kinds that differ: ${differences}`, '');
  return { report: lines.join('\n'), differs: differences > 0 };
}

function groupedByRequest(answers: readonly MockAnswer[]): ReadonlyMap<string, readonly unknown[]> {
  const groups = new Map<string, unknown[]>();
  for (const { request, status, body } of answers) {
    const key = `${request} ${status}`;
    groups.set(key, [...(groups.get(key) ?? []), body]);
  }
  return groups;
}

/** The recorded answers, without deliveries, and without answers that were cut off or are not JSON. */
function answersIn(text: string): readonly MockAnswer[] {
  return text.split('\n').flatMap((line): MockAnswer[] => {
    if (line.trim() === '') return [];
    const { request, status, body, response, event } = JSON.parse(line) as Line;
    const said = response?.body ?? body;
    const isDelivery = event !== undefined || request?.method === 'WEBHOOK';
    if (isDelivery || request?.path === undefined || typeof said !== 'object' || said === null) return [];
    const answered = response?.status ?? status ?? 0;
    return [{ request: requestName(request.method ?? 'GET', request.path), status: answered, body: said }];
  });
}
