/** Steps that are counted, timed and printed, one line each. */
export class Checks {
  readonly #print: (line: string) => void
  #count = 0
  #failed = 0

  /** @param print - gets each line */
  constructor(print: (line: string) => void) {
    this.#print = print
  }

  get failed(): number {
    return this.#failed
  }

  /**
   * Does a step, and prints its seconds. The text that the step returns is printed with it.
   * @returns whether the step succeeded
   */
  async step(title: string, work: () => Promise<string | undefined>): Promise<boolean> {
    const began = performance.now()
    const outcome = await work().then(
      (text) => ({ word: 'ok', text }),
      (error: unknown) => ({ word: 'FAILED', text: String(error) }),
    )
    const isFine = outcome.word === 'ok'
    this.#count += 1
    if (!isFine) this.#failed += 1
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    const said = outcome.text ? `: ${outcome.text}` : ''
    this.#print(`${outcome.word.padEnd(6)} ${seconds.padStart(6)} s  ${title}${said}`)
    return isFine
  }

  /** Prints that a step cannot be done here. It is not counted. */
  notRun(title: string, reason: string): void {
    this.#print(`not run         ${title}: ${reason}`)
  }

  /** Prints the last line. */
  end(): void {
    this.#print(`${this.#count} checks, ${this.#failed} failed`)
  }
}
