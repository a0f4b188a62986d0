import type { RandomFile, RandomTest } from '../random-suite';
import type { TestRunner } from '../runner';
import { installRuby, RUBY_PLAN } from './ruby';

const LIBRARIES = ['minitest', 'minitest/reporters'];
const PACKAGES = ['ruby-minitest', 'ruby-minitest-reporters'];

/** A hook before all tests is code that runs when the class loads. A hook after all tests belongs to the whole run. */
export const minitest: TestRunner = {
  name: 'minitest',
  install: (installing) => installRuby(installing, LIBRARIES, PACKAGES),
  reports: 'reports/*.xml',
  hidesTeardown: () => true,
  filesOf: ({ files }) =>
    Object.fromEntries([
      ['plan.rb', RUBY_PLAN],
      ['run.rb', RUN],
      ...files.map((file) => [`${file.name}.rb`, classOf(file)] as const),
    ]),
  commandOf: (_suite, files) => ['ruby', 'run.rb', ...files.map(({ name }) => name)],
};

const RUN = `require 'minitest/autorun'
require 'minitest/reporters'
require './plan'
reporters = [Minitest::Reporters::DefaultReporter.new, Minitest::Reporters::JUnitReporter.new('reports')]
Minitest::Reporters.use!(reporters)
files = ARGV.dup
ARGV.clear
files.each { |file| require "./#{file}" }
`;

function classOf({ name, tests }: RandomFile): string {
  return `raise 'the file does not load' if Plan.has?('doNotLoad ${name}')
class Test${name.replaceAll('_', '')} < Minitest::Test
  Plan.hook('before all ${name}')
  Minitest.after_run { Plan.hook('after all ${name}') }
  def setup = Plan.hook("setup #{name}")
  def teardown = Plan.hook("teardown #{name}")
${tests.map(methodOf).join('')}end
`;
}

function methodOf({ name }: RandomTest): string {
  return `  def ${name}
    skip 'on purpose' if Plan.has?('skipped ${name}')
    refute Plan.fails?('${name}')
  end
`;
}
