import type { RandomFile, RandomTest } from '../random-suite';
import type { TestRunner } from '../runner';
import { installRuby, RUBY_PLAN } from './ruby';

const LIBRARIES = ['rspec', 'rspec_junit_formatter', 'rspec/retry'];
const PACKAGES = ['ruby-rspec', 'ruby-rspec-junit-formatter', 'ruby-rspec-retry'];

export const rspec: TestRunner = {
  name: 'RSpec',
  install: (installing) => installRuby(installing, LIBRARIES, PACKAGES),
  filesOf: ({ files, retries }) =>
    Object.fromEntries([
      ['plan.rb', RUBY_PLAN],
      [
        'spec_helper.rb',
        `require './plan'\nrequire 'rspec/retry'\nRSpec.configure { |config| config.default_retry_count = ${retries + 1} }\n`,
      ],
      ...files.map((file) => [`${file.name}_spec.rb`, specOf(file)] as const),
    ]),
  commandOf: ({ stopsAfter }, files) => [
    ...[
      'rspec',
      '--require',
      './spec_helper',
      '--format',
      'progress',
      '--format',
      'RspecJunitFormatter',
      '--out',
      'report.xml',
    ],
    ...(stopsAfter > 0 ? [`--fail-fast=${stopsAfter}`] : []),
    ...files.map(({ name }) => `${name}_spec.rb`),
  ],
};

/** Each hook throws on its own line, because rspec marks failures only on that line. */
function specOf({ name, tests }: RandomFile): string {
  return `raise 'the file does not load' if Plan.has?('doNotLoad ${name}')
RSpec.describe '${name}' do
  before(:context) { Plan.has?('hooks before all ${name}') and raise 'the hook fails' }
  after(:context) { Plan.has?('hooks after all ${name}') and raise 'the hook fails' }
${tests.map(exampleOf).join('')}end
`;
}

function exampleOf({ name, title, hook }: RandomTest): string {
  const example = `it('${title}${name}') do
    skip 'on purpose' if Plan.has?('skipped ${name}')
    expect(Plan.fails?('${name}', tries: true)).to be(false)
  end
`;
  if (hook === null) return `  ${example}`;
  const when = hook === 'setup' ? 'before' : 'after';
  return `  context('hooked') do
    ${when} { Plan.has?('hooks ${hook} ${name}') and raise 'the hook fails' }
    ${example}  end
`;
}
