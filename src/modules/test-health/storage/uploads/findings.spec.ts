import type { ReportedResult } from '../../reports/reported-result';
import { Findings } from './findings';

const RESULT: ReportedResult = {
  ...{
    name: 'setup',
    classname: '',
    parent: '',
    file: '',
    outcome: 'failed',
    durationMs: null,
    reportedAt: null,
    line: 7,
  },
  failure: { message: `no database at postgres://app:hunter2@db/${'x'.repeat(600)}`, text: '' },
};
const COUNTS = { suites: 1, tests: 0, passed: 0, failures: 0, errors: 0, skipped: 0, flaky: 0, rerun: 0, results: 1 };

describe('the findings of an upload', () => {
  it('contain no secret in failures outside tests, even at a cut', () => {
    const findings = new Findings();
    findings.addReport('a.xml', COUNTS, [RESULT]);
    const [{ file, line, message }] = findings.toJSON().outsideTests as [
      { file: string; line: number; message: string },
    ];
    expect([file, line]).toEqual(['a.xml', 7]);
    expect(message).toMatch(/^setup: no database at postgres:\/\/app:<secret>@db\/x+… \(cut\)$/);
  });

  it('list at most twenty failures outside tests', () => {
    const findings = new Findings();
    for (let report = 0; report < 3; report++)
      findings.addReport('a.xml', COUNTS, Array<ReportedResult>(15).fill(RESULT));
    expect(findings.toJSON().outsideTests).toHaveLength(20);
  });

  it('attack 9: can be stored whatever the name of a file contains', () => {
    const findings = new Findings();
    findings.refuse('a\ud800\0.xml', 1, 'bad');
    expect(findings.toJSON().refused).toEqual([{ file: 'a\ufffd\ufffd.xml', line: 1, reason: 'bad' }]);
  });
});
