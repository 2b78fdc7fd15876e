import { dirname } from 'node:path'
import { HostError } from '@braidwork/plugin'
import { isError } from '../../node-errors.ts'
import { throwSiteOf } from '../../throw-site.ts'

/** A frame of Node: `at name (file:///path/module.js:3:14)`, or without a name. */
const NODE_FRAME = /(?:file:\/\/|\(|at )(\/[^\s():]+):(\d+)/
/** A frame of Python: `File "/path/module.py", line 3, in name`. */
const PYTHON_FRAME = /File "([^"]+)", line (\d+)/
const TRACEBACK = 'Traceback (most recent call last):'
/** Modules of Python itself, which lie beside its packages. */
const PYTHON_ITSELF = /\/lib\/python3[^/]*\/(?!(?:site|dist)-packages\/)/
/** The folder of an installed package. */
const PACKAGE = /^.*\/(?:node_modules\/(?:@[^/]+\/)?|(?:site|dist)-packages\/)[^/]+/

interface Frame {
  readonly file: string
  readonly line: string
}

/**
 * Where the code of a plugin was when it threw, as `/path/module.js:3`: the first frame of the stack that is the
 * plugin's own, and not of a package that it uses. Undefined if no frame is.
 */
export function throwPlace(error: unknown): string | undefined {
  const frames = framesOf(thrownBy(error))
  const entry = frames.at(-1)
  const own = entry && packageOf(entry)
  const place = frames.find((frame) => packageOf(frame) === own)
  return place && `${place.file}:${place.line}`
}

/** Where an error was thrown that a plugin threw, in Python or in JavaScript. */
export function causePlace(cause: unknown): string | undefined {
  const stack = stackOf(cause)
  if (stack === '') return undefined
  return stack.includes(TRACEBACK) ? throwPlace(cause) : throwSiteOf(cause)
}

const CLASS_NAME = /^\w{1,100}$/

/** The class of an error that a plugin threw, or the code of one of the host. No question and no answer has written it. */
export function thrownClass(error: unknown): string {
  const thrown = thrownBy(error)
  try {
    if (!isError(thrown)) return typeof thrown
    if (HostError.is(thrown) && CLASS_NAME.test(thrown.code)) return thrown.code
    return CLASS_NAME.test(thrown.name) ? thrown.name : thrown.constructor.name
  } catch {
    // The name is a getter that throws.
    return 'Error'
  }
}

const LONGEST_STACK = 20_000

/** The stack of an error that a plugin threw, with its causes in Python. Empty if there is none. */
export function thrownStack(error: unknown): string {
  return stackOf(thrownBy(error)).slice(0, LONGEST_STACK)
}

/** The error that the plugin threw, or another value, which has no stack: the host wraps it. */
function thrownBy(error: unknown): unknown {
  return HostError.is(error) && error.cause !== undefined ? error.cause : error
}

/** The frames of the plugin and of its packages, the innermost first. */
function framesOf(error: unknown): readonly Frame[] {
  const stack = stackOf(error)
  const isPython = stack.includes(TRACEBACK)
  const lines = (isPython ? stack.slice(stack.lastIndexOf(TRACEBACK)) : stack).split('\n')
  const frames = lines.flatMap((line) => {
    const [, file, number] = (isPython ? PYTHON_FRAME : NODE_FRAME).exec(line) ?? []
    return file && number ? [{ file, line: number }] : []
  })
  if (isPython) return frames.reverse().filter(({ file }) => !PYTHON_ITSELF.test(file))
  const own = hostFolder()
  const host = own === undefined ? -1 : frames.findIndex(({ file }) => file.startsWith(own))
  return host === -1 ? frames : frames.slice(0, host)
}

/**
 * The folder of this package: the frames of a plugin lie above the first frame of the host. Undefined where a bundler
 * made one file of both.
 */
function hostFolder(): string | undefined {
  const own: string | undefined = import.meta.dirname
  return own && dirname(own)
}

/** The stack of an error. Empty where an interpreter ended: what noticed its end is no code of a plugin. */
function stackOf(error: unknown): string {
  try {
    if (HostError.is(error) && error.code === 'PYTHON_CRASHED') return ''
    return isError(error) ? String(error.stack) : ''
  } catch {
    // The stack is a getter that throws.
    return ''
  }
}

function packageOf({ file }: Frame): string {
  return PACKAGE.exec(file)?.[0] ?? ''
}
