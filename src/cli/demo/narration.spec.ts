import { sayHowToGoOn, type StayingDemo } from './narration';

function saidToGoOn(demo: StayingDemo | null, script?: string): string {
  let said = '';
  const terminal = { out: (text: string) => void (said += text), err: () => undefined, columns: undefined };
  sayHowToGoOn(terminal, demo, script);
  return said;
}

describe('the end of the demo', () => {
  it('names npm scripts if an npm script started the demo', () => {
    expect(saidToGoOn(null, 'demo')).toMatch(
      /look at the page: npm run demo -- --stay\n[^]*repositories of your own: npm start\n/,
    );
  });

  it.each(['npx', undefined])(
    'names the commands of sluice if no npm script of the repository runs (npm runs: %s)',
    (script) => {
      const said = saidToGoOn(null, script);
      expect(said).toMatch(/look at the page: sluice demo --stay\n[^]*repositories of your own: sluice serve\n/);
      expect(said).not.toContain('npm ');
    },
  );

  it('gives the URL of the page and then the sign-in link if the service of the demo continues to run', () => {
    const demo = {
      url: 'http://localhost:3000',
      token: 'slc_1',
      signIn: 'http://localhost:3000/ui/sign-in-link?code=1',
    };
    expect(saidToGoOn(demo)).toMatch(
      /^\nPage +http:\/\/localhost:3000\/ui\nSign in +http:\/\/localhost:3000\/ui\/sign-in-link\?code=1\n/,
    );
  });
});
