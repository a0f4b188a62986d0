import { ConfigError } from './config';
import { readExtensionSettings, setting } from './extension-settings';

const read = (env: Record<string, string>) =>
  readExtensionSettings(
    'acme',
    {
      greeting: setting.text({ default: 'Hello' }),
      retryLimit: setting.wholeNumber({ default: 3, from: 0, to: 10 }),
      mode: setting.oneOf(['strict', 'lenient'], 'strict'),
    },
    env,
  );

describe('the settings of an extension', () => {
  it('are read from variables that begin with the name of the extension', () => {
    const env = { SLUICE_EXT_ACME_GREETING: 'Hi', SLUICE_EXT_ACME_RETRY_LIMIT: '7', SLUICE_EXT_ACME_MODE: 'lenient' };
    expect(read(env)).toEqual({ greeting: 'Hi', retryLimit: 7, mode: 'lenient' });
  });

  it('have their defaults when a variable is absent or empty', () => {
    expect(read({ SLUICE_EXT_ACME_GREETING: '' })).toEqual({ greeting: 'Hello', retryLimit: 3, mode: 'strict' });
  });

  it('are refused in one sentence that names the variable and the allowed values', () => {
    const refusal = (env: Record<string, string>) => () => read(env);
    expect(refusal({ SLUICE_EXT_ACME_RETRY_LIMIT: '11' })).toThrow(
      'SLUICE_EXT_ACME_RETRY_LIMIT is "11", but must be a whole number from 0 to 10.',
    );
    expect(refusal({ SLUICE_EXT_ACME_MODE: 'lax' })).toThrow(
      'SLUICE_EXT_ACME_MODE is "lax", but must be one of strict, lenient.',
    );
    expect(() => readExtensionSettings('acme', { token: setting.text() }, {})).toThrow(
      new ConfigError('SLUICE_EXT_ACME_TOKEN is not set; the extension cannot work without it.'),
    );
  });
});
