import { bandChart, columnChart, niceMost } from './charts';

describe('A chart', () => {
  it('ends at a round number that no value exceeds', () => {
    expect([[], [0], [1], [3], [5], [42], [57], [100], [1_001]].map(niceMost)).toEqual([
      2, 2, 2, 4, 6, 50, 60, 100, 2_000,
    ]);
  });

  it('breaks its lines at days without values, and draws a lone day as two dots', () => {
    const days = [10, 20, null, 30, null, 40, 40].map((most, index) => {
      return { day: `2026-11-0${index + 1}`, half: most === null ? null : most / 2, most };
    });
    const drawn = bandChart('Time', days).toString();
    expect(drawn.match(/class="l50"/g)).toHaveLength(2);
    expect(drawn.match(/<circle/g)).toHaveLength(2);
    expect(drawn).not.toContain('NaN');
  });

  it('draws the column of a lone day in the middle, and no wider than other columns', () => {
    const column = { day: '2026-11-01', parts: [{ tone: 'm', value: 2 }], text: '2', href: null } as const;
    expect(columnChart('Ends', [column]).toString()).toMatch(/<rect\s+class="m"\s+x="294"[^>]*\swidth="48"/);
  });

  it('links a day to its details, and escapes its text', () => {
    const column = {
      day: '2026-11-01',
      parts: [{ tone: 'm', value: 2 }],
      text: '"<2>"',
      href: '/ui/history/day',
    } as const;
    const drawn = columnChart('Ends', [column, { ...column, parts: [], href: null }]).toString();
    expect(drawn.match(/<a /g)).toHaveLength(1);
    expect(drawn).toContain('aria-label="&quot;&lt;2&gt;&quot;"');
    expect(columnChart('Ends', []).toString()).not.toContain('NaN');
  });
});
