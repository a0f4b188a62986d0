import { sayHowToGoOn } from './narration';

function saidToGoOn(script: string | undefined): string {
  let said = '';
  const terminal = { out: (text: string) => void (said += text), err: () => undefined, columns: undefined };
  sayHowToGoOn(terminal, { url: 'http://localhost:3000', token: 'slc_1' }, 'ends', script);
  return said;
}

describe('the end of the demo', () => {
  it('names the scripts of npm to a person who ran one', () => {
    expect(saidToGoOn('demo')).toMatch(
      /try it yourself: npm run demo -- --stay\n[^]*repositories of your own: npm start\n/,
    );
  });

  it.each(['npx', undefined])('names the commands of the package, which has no scripts (npm runs: %s)', (script) => {
    const said = saidToGoOn(script);
    expect(said).toMatch(/try it yourself: sluice demo --stay\n[^]*repositories of your own: sluice serve\n/);
    expect(said).not.toContain('npm ');
  });
});
