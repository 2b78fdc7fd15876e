/** What all checks share: a folder, the servers on loopback, and the count. */
import type { Checks } from './checks.ts'
import type { Place } from './place.ts'
import { answered, explained, type Installed, shown } from './samples.ts'

export interface Surroundings {
  readonly checks: Checks
  readonly root: Place
  /** The address of the registry of npm. */
  readonly registry: string
  /** The address of the API that the providers ask. */
  readonly api: string
}

/** Looks for an installed plugin in `explain`, in the form and in an answer. */
export async function checkUse({ checks }: Surroundings, title: string, installed: Installed) {
  await checks.step(`${title}: explain says that it is on`, () => explained(installed))
  await checks.step(`${title}: the form has its settings`, () => shown(installed))
  await checks.step(`${title}: chat uses it`, () => answered(installed))
}

/** Lets npm and Bun publish from a folder: the registry takes any token, but they want one. */
export function permit({ registry }: Surroundings, place: Place): void {
  place.write('.npmrc', `${registry.slice('http:'.length)}:_authToken=anybody\n`)
}

/** The number of tests that passed, in the words of Node's runner, Bun's, unittest or pytest. */
export function passedIn(output: string): string {
  const counts = [
    ...output.matchAll(/^# pass (\d+)$|^ *(\d+) pass$|^Ran (\d+) tests? in|(\d+) passed/gm),
  ]
  const numbers = counts.map((found) => Number(found.slice(1).find((one) => one !== undefined)))
  if (numbers.length === 0) throw new Error(`no tests were counted:\n${output}`)
  return `${numbers.join(' and ')} passed`
}
