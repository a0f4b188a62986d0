import { DEFAULT_TEST_HEALTH_SETTINGS, MAX_WINDOW_DAYS } from './settings';

describe('The settings of test health', () => {
  it('have the documented defaults', () => {
    expect(DEFAULT_TEST_HEALTH_SETTINGS).toEqual({
      quarantineEnabled: false,
      autoQuarantine: false,
      infrastructureFailures: 0.25,
      monitors: [
        ...[
          {
            type: 'pass_on_retry',
            name: 'pass_on_retry',
            enabled: true,
            branches: [],
            quietDays: 7,
            minimumCommits: 1,
          },
        ],
        {
          ...{ type: 'consecutive_failures', name: 'consecutive_failures', enabled: true },
          ...{ branches: ['stable', 'queue'], threshold: 3, flakyThreshold: 8 },
        },
        {
          ...{ type: 'transitions', name: 'transitions', enabled: true, branches: ['stable', 'queue'] },
          ...{ threshold: 2, windowDays: 30, minimumRuns: 10 },
        },
      ],
    });
  });

  it('let monitors look back as far as the documentation says', () => {
    expect(MAX_WINDOW_DAYS).toBe(30);
  });
});
