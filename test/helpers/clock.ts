import { type Environment, systemEnvironment } from '../../src/agent/index.ts'

export const HOUR = 60 * 60_000
export const YEAR = 365 * 24 * HOUR

/** By how much a clock is set, and how that is said. */
export const STEPS: readonly (readonly [name: string, milliseconds: number])[] = [
  ['an hour forwards', HOUR],
  ['an hour back', -HOUR],
  ['a year forwards', YEAR],
  ['a year back', -YEAR],
]

/** A clock that can be set while time goes on as it does. */
export class SetClock {
  #ahead = 0

  readonly environment: Environment = {
    ...systemEnvironment,
    now: () => Date.now() + this.#ahead,
  }

  step(milliseconds: number): void {
    this.#ahead += milliseconds
  }
}

/** Both clocks by hand. */
export class HandClock {
  /** What the clock shows. */
  now = 1_000_000_000_000
  /** How much time has gone by. */
  elapsed = 0

  readonly environment: Environment = {
    ...systemEnvironment,
    now: () => this.now,
    elapsed: () => this.elapsed,
  }

  pass(milliseconds: number): void {
    this.now += milliseconds
    this.elapsed += milliseconds
  }
}
