import { stopLimitOf } from './stop-limit';

describe('the stop limit in the words of a test command', () => {
  it.each([
    ['pytest -x', 1],
    ['python -m pytest -x', 1],
    ['pytest --maxfail=3', 3],
    ['pytest --maxfail 2 tests', 2],
    ['npx playwright test -x', 1],
    ['npx playwright test --max-failures=2', 2],
    ['jest --bail', 1],
    ['npx vitest run --bail=1', 1],
    ['mocha --bail test', 1],
    ['rspec --fail-fast', 1],
    ['go test -failfast ./...', 1],
    ['phpunit --stop-on-failure', 1],
    ['robot --exitonfailure tests', 1],
    ['bash -x run.sh', undefined],
    ['jest --bail=0', undefined],
    ['npm test', undefined],
  ])('is found if there is one: %s', (command, limit) => {
    expect(stopLimitOf(command.split(' '))).toBe(limit);
  });
});
