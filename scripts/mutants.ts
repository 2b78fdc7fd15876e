/**
 * Mutation tests: breaks each rule on purpose and checks that its tests fail: npm run mutants [-- RULES, or --sample N]
 * With `--random N [--seed S]` it breaks N lines of all rooms and plugins at random (scripts/mutants/).
 * Each mutant of test/mutants.json is applied in a copy of the repository. It must type-check, a test whose title
 * begins with the id of its rule must fail, and the tests of enough other rules must still pass (scripts/rule-mutants/).
 */
import { resolve } from 'node:path'
import { RANDOM_OPTIONS, runRandomCommand } from './mutants/command.ts'
import { countIn, refuse, scriptOptions } from './options.ts'
import { runRuleMutants, unknownRules } from './rule-mutants/run.ts'

const ROOT = resolve(import.meta.dirname, '..')

const { values, positionals } = scriptOptions({
  options: { sample: { type: 'string' }, ...RANDOM_OPTIONS },
  allowPositionals: true,
})
if (values.random !== undefined) await runRandomCommand(ROOT, process.argv.slice(2))
else if (!(await runRulesOf(values))) process.exitCode = 1

function runRulesOf({ sample }: { readonly sample?: string | undefined }): Promise<boolean> {
  const unknown = unknownRules(positionals)
  if (unknown.length > 0) refuse(`No mutant of ${unknown.join(', ')} in test/mutants.json.`)
  return runRuleMutants(positionals, sample === undefined ? sample : countIn('--sample', sample))
}
