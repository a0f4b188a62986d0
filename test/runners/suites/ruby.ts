import { installPackages } from '../installing';
import type { Installing } from '../runner';

/** Installs Debian packages with these libraries. */
export function installRuby(
  installing: Installing,
  libraries: readonly string[],
  packages: readonly string[],
): string | null {
  const check = libraries.map((library) => `-r${library}`);
  return installPackages(installing, ['ruby', ...check, '-e', 'exit!(true)'], packages);
}

/** Reads the plan in Ruby files. */
export const RUBY_PLAN = `
module Plan
  LINES = File.readlines('plan.txt', chomp: true)
  def self.has?(line) = LINES.include?(line)
  def self.hook(name) = (raise 'the hook fails' if has?("hooks #{name}"))
  def self.fails?(name, tries: false)
    File.write('ran.log', name + "\\n", mode: 'a')
    warn 'an old way' if has?("warns #{name}")
    has?("fails #{name}") || (tries && has?("retried #{name}") && times(name) == 1)
  end
  def self.times(name) = File.readlines('ran.log', chomp: true).count(name)
end
`;
