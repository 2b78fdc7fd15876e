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
  /** The titles of the tests and hooks that failed. */
  readonly failed: readonly string[]
}

/** The results of test files that ran together. */
export interface FilesOutcome extends Counts {
  readonly files: readonly FileOutcome[]
}

/** The results of test files, of which some ran twice. */
export interface AgainOutcome extends FilesOutcome {
  /** The first results of the files that ran once more. */
  readonly again: readonly FileOutcome[]
}

/** Where more files failed, they failed for a reason. */
const MOST_AGAIN = 3

/**
 * Runs files whose tests depend on time once more where they failed, one at a time and in a process of their own:
 * others on the machine make a test late, and none makes it early.
 * @param alone runs one file
 * @returns the counts of all files, with the second result of those
 */
export async function runAgain(
  first: FilesOutcome,
  alone: (file: string) => Promise<FilesOutcome>,
): Promise<AgainOutcome> {
  const again = first.files.filter(({ failed }) => failed.length > 0)
  const told = again.reduce((sum, { failed }) => sum + failed.length, 0)
  // A failure that no file tells of is none of a late test.
  if (told === 0 || told !== first.failed || again.length > MOST_AGAIN)
    return { ...first, again: [] }
  let { passed, failed } = first
  const files = first.files.filter((file) => !again.includes(file))
  for (const outcome of again) {
    console.log(`\n== once more, alone: ${outcome.file}`)
    const second = await alone(outcome.file)
    passed += outcome.failed.length - second.failed
    failed += second.failed - outcome.failed.length
    files.push(...second.files)
  }
  return { passed, failed, skipped: first.skipped, files, again }
}
