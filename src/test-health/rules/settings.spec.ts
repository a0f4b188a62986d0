import { DEFAULT_TEST_HEALTH_SETTINGS, MAX_WINDOW_DAYS } from './settings';

describe('The settings of test health', () => {
  it('begin as the interface promises', () => {
    expect(DEFAULT_TEST_HEALTH_SETTINGS).toEqual({
      quarantineEnabled: false,
      autoQuarantine: false,
      infrastructureFailures: 0.8,
      monitors: [{ type: 'pass_on_retry', name: 'pass_on_retry', enabled: true, quietDays: 7 }],
    });
  });

  it('let monitors look back as far as the interface promises', () => {
    expect(MAX_WINDOW_DAYS).toBe(30);
  });
});
