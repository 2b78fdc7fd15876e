/** The counts of tests. */
export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** The result of a test file. */
export interface FileOutcome {
  readonly file: string
  readonly seconds: number
  /** How many tests and hooks failed. */
  readonly failed: number
}

/** The results of test files that ran together. */
export interface FilesOutcome extends Counts {
  readonly files: readonly FileOutcome[]
}

/** Where more files failed, they failed for a reason. */
const MOST_AGAIN = 3

/**
 * Runs files that measure once more where they failed, one at a time and in a process of their own: others on the
 * machine make a measure worse, and none makes it better.
 * @param alone runs one file
 * @returns the counts of all files, with the second result of those
 */
export async function measuredAgain(
  first: FilesOutcome,
  alone: (file: string) => Promise<Counts>,
): Promise<Counts> {
  const worse = first.files.filter(({ failed }) => failed > 0)
  const told = worse.reduce((sum, { failed }) => sum + failed, 0)
  // A failure that no file tells of is none of a measure.
  if (told === 0 || told !== first.failed || worse.length > MOST_AGAIN) return first
  let { passed, failed } = first
  for (const outcome of worse) {
    console.log(`\n== measured again, alone: ${outcome.file}`)
    const second = await alone(outcome.file)
    passed += outcome.failed - second.failed
    failed += second.failed - outcome.failed
  }
  return { passed, failed, skipped: first.skipped }
}
