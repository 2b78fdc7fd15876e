import { PassThrough } from 'node:stream'
import { HostError } from '@braidwork/plugin'
import {
  autocomplete,
  autocompleteMultiselect,
  intro,
  isCancel,
  log,
  multiline,
  multiselect,
  outro,
  password,
  S_BAR,
  select,
  text,
} from '@clack/prompts'
import { visible } from '../characters.ts'
import { hasLostTerminal } from '../hang-up.ts'
import { shorten } from '../terminal.ts'
import type { ListQuestion, Prompts, TextQuestion } from './prompts.ts'

/** Lists longer than this can be searched by typing. */
const MOST_WITHOUT_SEARCH = 10
const MOST_SHOWN = 12
const LONGEST_LINE = 160
const CTRL_C = '\u0003'
const CTRL_D = '\u0004'
const CTRL_Z = '\u001a'
/** Control characters that a text field of several lines would interpret. */
const CONTROL = /(?![\n\t])\p{Cc}/gu
const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/**
 * Questions in a terminal. This class reads the keys and passes them on to the question. Between questions
 * nothing is echoed and no typed key is lost, and Ctrl-C and Ctrl-D leave at any time.
 */
export class TerminalForm implements Prompts, Disposable {
  readonly #leaving = new AbortController()
  readonly #keys = new PassThrough()

  constructor() {
    process.stdin.setRawMode(true)
    process.stdin.setEncoding('utf8').on('data', this.#read).on('end', this.#hangUp)
    for (const signal of SIGNALS) process.on(signal, this.#leave)
    process.on('SIGHUP', this.#hangUp)
  }

  [Symbol.dispose](): void {
    for (const signal of SIGNALS) process.off(signal, this.#leave)
    process.off('SIGHUP', this.#hangUp)
    process.stdin.off('data', this.#read).off('end', this.#hangUp).pause()
    process.stdin.setRawMode(false)
  }

  /** The options of every question. Each question gets a new signal, so that no listener outlives the question. */
  get #common() {
    const signal = AbortSignal.any([this.#leaving.signal])
    return { input: this.#keys, output: process.stdout, signal }
  }

  begin(title: string): void {
    intro(visible(title), this.#common)
  }

  end(words: string): void {
    outro(visible(words), this.#common)
  }

  say(words: string, level: 'info' | 'warning' | 'error' = 'info'): void {
    const show = { info: log.info, warning: log.warn, error: log.error }[level]
    show(visible(words), this.#common)
  }

  async choose<T>({ message, options, initial }: ListQuestion<T>): Promise<T | undefined> {
    const shown = {
      ...this.#common,
      message: visible(message),
      options: optionsOf(options),
      maxItems: MOST_SHOWN,
      filter: searchIn(options),
      ...(initial === undefined ? {} : { initialValue: indexOf(options, initial) }),
    }
    const isLong = options.length > MOST_WITHOUT_SEARCH
    const index = this.#answered(isLong ? await autocomplete(shown) : await select(shown))
    return index === undefined ? undefined : options[index]?.value
  }

  async chooseSeveral<T>(
    question: ListQuestion<T> & { readonly chosen: readonly T[] },
  ): Promise<readonly T[] | undefined> {
    const { message, options, chosen } = question
    const shown = {
      ...this.#common,
      message: visible(message),
      options: optionsOf(options),
      maxItems: MOST_SHOWN,
      filter: searchIn(options),
      initialValues: chosen.map((value) => indexOf(options, value)).filter((index) => index >= 0),
      required: false,
    }
    const isLong = options.length > MOST_WITHOUT_SEARCH
    const answer = isLong ? autocompleteMultiselect(shown) : multiselect(shown)
    const indexes = this.#answered(await answer)
    return indexes && options.filter((_, at) => indexes.includes(at)).map(({ value }) => value)
  }

  async text({ message, initial = '', isLong = false, check }: TextQuestion) {
    const initialValue = visible(initial)
    const shown = {
      ...this.#common,
      message: barred(message),
      initialValue,
      validate: (given = '') => said(check(typed(given))),
    }
    const answer = this.#answered(await (isLong ? multiline(shown) : text(shown)))
    // Control characters were removed for display. If the person changed nothing, keep the original text.
    if (answer === initialValue) return initial
    return answer === undefined ? undefined : typed(answer)
  }

  async secret({ message, check }: TextQuestion): Promise<string | undefined> {
    const shown = {
      ...this.#common,
      message: barred(message),
      mask: '',
      validate: (given = '') => said(check(given)),
      clearOnError: true,
    }
    return this.#answered(await password(shown))
  }

  /** Shows progress without clack's spinner, which would read and echo the keys itself. */
  async work<T>(words: string, act: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { signal } = this.#common
    log.step(`${visible(words)} …`, this.#common)
    const left = new Promise<never>((_, fail) => {
      signal.addEventListener('abort', () => fail(interrupted()), { once: true })
    })
    return Promise.race([act(signal), left])
  }

  /** `undefined` if the person pressed Escape to go back. */
  #answered<T>(answer: T): Exclude<T, symbol> | undefined {
    if (this.#leaving.signal.aborted) throw interrupted()
    return isCancel(answer) ? undefined : (answer as Exclude<T, symbol>)
  }

  readonly #leave = (): void => this.#leaving.abort()

  /** Node crashes when it exits and cannot reset a terminal that is gone. So the signal ends the process, as it would without a form. */
  readonly #hangUp = (): void => {
    if (hasLostTerminal()) {
      process.off('SIGHUP', this.#hangUp)
      process.kill(process.pid, 'SIGHUP')
    }
    this.#leave()
  }

  readonly #read = (keys: string): void => {
    for (const character of keys) {
      if (character === CTRL_C || character === CTRL_D) this.#leave()
      // Write one key at a time: a question stops reading after its last key, and the next question gets the rest.
      else if (character !== CTRL_Z) this.#keys.write(character)
    }
  }
}

function interrupted(): HostError {
  return new HostError('ABORTED', 'You left the form; nothing was written.')
}

function optionsOf(options: ListQuestion<unknown>['options']) {
  return options.map(({ label, about = '' }, value) => ({
    value,
    // The title comes from a plugin, so it is kept on one line.
    label: visible(shorten(about === '' ? label : `${label}: ${about}`, LONGEST_LINE)),
  }))
}

/** A filter that searches labels. */
function searchIn(options: ListQuestion<unknown>['options']) {
  return (search: string, { value }: { readonly value: number }): boolean =>
    (options[value]?.label ?? '').toLowerCase().includes(search.toLowerCase())
}

function indexOf(options: ListQuestion<unknown>['options'], value: unknown): number {
  return options.findIndex((option) => option.value === value)
}

/** The message of a text question with clack's bar on each line; clack itself adds it only in lists. */
function barred(message: string): string {
  return visible(message).replaceAll('\n', `\n${S_BAR}  `)
}

function typed(text: string): string {
  return text.replaceAll(CONTROL, '')
}

function said(fault: string | undefined): string | undefined {
  return fault === undefined ? undefined : visible(fault)
}
