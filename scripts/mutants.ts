/**
 * Mutation tests: breaks each rule on purpose and checks that its tests fail: npm run mutants [-- RULES, or --sample N]
 * With `--random N [--seed S]` it breaks N lines of all rooms and plugins at random (scripts/mutants/).
 * Each mutant of test/mutants.json is applied in a copy of the repository. It must type-check, a test whose title
 * begins with the id of its rule must fail, and the tests of enough other rules must still pass (scripts/rule-mutants/).
 */
import { resolve } from 'node:path'
import { runRandomCommand } from './mutants/command.ts'
import { runRuleMutants } from './rule-mutants/run.ts'

const ROOT = resolve(import.meta.dirname, '..')

const args = process.argv.slice(2)
if (args.includes('--random')) await runRandomCommand(ROOT, args)
else if (!(await runRulesOf(args))) process.exitCode = 1

function runRulesOf([option, count, ...rest]: readonly string[]): Promise<boolean> {
  return option === '--sample' ? runRuleMutants(rest, Number(count)) : runRuleMutants(args)
}
