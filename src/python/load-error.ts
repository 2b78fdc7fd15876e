import { HostError, type Log } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import { PythonError } from './python-error.ts'

const MODULE_MISSING = /^No module named '([^']+)'/
const TRACEBACK = 'Traceback (most recent call last):'
const FRAME = /^ *File "([^"\n]+)", line (\d+)/gm
/** The place at the end of a SyntaxError, which has the name of the file without its folder. */
const SHORT_PLACE = / \([^()]*, line \d+\)$/
const INSTALLED = /\/(?:site|dist)-packages\//

/** The error for a module that cannot be loaded, with the place in the plugin's own files, and with advice. */
export function loadError(thrown: unknown, folder: string): HostError {
  if (!(thrown instanceof PythonError)) {
    return HostError.is(thrown)
      ? thrown
      : new HostError('PLUGIN_INVALID', messageOf(thrown), { cause: thrown })
  }
  const isMissing = MODULE_MISSING.test(thrown.message.replace('ModuleNotFoundError: ', ''))
  const hint = isMissing
    ? `. Name it in "dependencies" of the pyproject.toml of "${folder}", and run: braidwork plugins add`
    : ''
  const place = placeOf(thrown, folder)
  const said =
    place === undefined ? thrown.message : `${thrown.message.replace(SHORT_PLACE, '')} (${place})`
  return new HostError('PLUGIN_INVALID', `${said}${hint}`, { cause: thrown })
}

/** Logs the traceback of a module that could not be imported, which its diagnostic has no room for. */
export function logTraceback(log: Log, { cause, message }: HostError, folder: string): void {
  if (!(cause instanceof PythonError)) return
  const place = placeOf(cause, folder)
  if (place === undefined) return
  const facts = { error: cause.name, place, stack: cause.stack ?? '' }
  log({ level: 'info', message: `A Python plugin was not imported: ${message}`, ...facts })
}

/** The innermost frame of a traceback that is in a folder, as `/path/module.py:3`. */
function placeOf({ stack = '' }: PythonError, folder: string): string | undefined {
  const last = stack.slice(Math.max(0, stack.lastIndexOf(TRACEBACK)))
  const frames = [...last.matchAll(FRAME)].filter(([, file = '']) => {
    return file.startsWith(`${folder}/`) && !INSTALLED.test(file.slice(folder.length))
  })
  const [, file, line] = frames.at(-1) ?? []
  return file === undefined ? undefined : `${file}:${line}`
}
