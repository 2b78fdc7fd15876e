import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PAUSE_MS = 50
/** How long somebody may take to make it, on a busy machine. */
const LIMIT_MS = 300_000

type Result<T> = { readonly made: T } | { readonly error: string }

/**
 * Makes something once for all processes of a run of tests: the first that asks for it makes it, the others wait for it.
 * @param name its name among all that is made so
 * @param make makes it in an empty folder, which is removed after the run, and says what it is, in JSON
 */
export async function onceInRun<T>(
  name: string,
  make: (folder: string) => Promise<T>,
  run = runFolder(),
): Promise<T> {
  const [folder, told] = [join(run, name), join(run, `${name}.json`)]
  if (isFirst(folder)) tell(told, await resultOf(() => make(folder)))
  const result = JSON.parse(await read(told)) as Result<T>
  if ('error' in result) throw new Error(`${name} was not made: ${result.error}`)
  return result.made
}

let own: string | undefined

/** The folder of the run, or of this process where it is a run of its own. */
function runFolder(): string {
  const { TESTS_RUN } = process.env
  if (TESTS_RUN) return TESTS_RUN
  own ??= ownFolder()
  return own
}

function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'braidwork-run-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function resultOf<T>(make: () => Promise<T>): Promise<Result<T>> {
  try {
    return { made: await make() }
  } catch (error) {
    return { error: String(error) }
  }
}

/** Writes the file as a whole: whoever sees it may read it. */
function tell<T>(path: string, result: Result<T>): void {
  writeFileSync(`${path}.new`, JSON.stringify(result))
  renameSync(`${path}.new`, path)
}

async function read(path: string): Promise<string> {
  const end = Date.now() + LIMIT_MS
  while (!existsSync(path)) {
    if (Date.now() > end) throw new Error(`Nobody has written ${path}.`)
    await new Promise((done) => setTimeout(done, PAUSE_MS))
  }
  return readFileSync(path, 'utf8')
}
