import { HostError, KINDS, type Kind } from '@braidwork/plugin'
import { openForm } from '../settings/index.ts'
import type { NewFile } from './files.ts'
import { LANGUAGES, type Language, type NewOptions, nameFault, type Said } from './wanted.ts'

type Form = Awaited<ReturnType<typeof openForm>>

const KIND_LABELS: { readonly [K in Kind]: string } = {
  provider: 'talks to a model API',
  extension: 'changes requests and answers of providers, also while they stream',
  feature: 'changes requests of any provider',
  tool: 'runs calls of the model',
}
const LANGUAGE_LABELS: { readonly [L in Language]: string } = {
  typescript: 'TypeScript',
  python: 'Python',
}

/** What is known before a person is asked. */
export interface Known extends NewOptions {
  readonly kind?: string | undefined
  readonly name?: string | undefined
}

/** Asks for what is not said yet, and whether the files may be written. */
export class NewForm implements Disposable {
  readonly #form: Form

  private constructor(form: Form) {
    this.#form = form
  }

  static async open(): Promise<NewForm> {
    const form = await openForm()
    form.begin('braidwork new')
    return new NewForm(form)
  }

  [Symbol.dispose](): void {
    this.#form[Symbol.dispose]()
  }

  /** @throws {HostError} ABORTED if the person leaves */
  async complete(known: Known, taken: readonly string[]): Promise<Said> {
    const kind = known.kind ?? (await this.#kind())
    const language = known.language ?? (await this.#language())
    const name = known.name ?? (await this.#name(taken))
    return { ...known, kind, language, name }
  }

  /** Shows the files. @returns whether they may be written */
  async agree(folder: string, files: readonly NewFile[]): Promise<boolean> {
    this.#form.say(`${folder}\n${files.map(({ path }) => `  ${path}`).join('\n')}`)
    const yes = await this.#form.choose({
      message: 'Write these files?',
      options: [
        { value: true, label: 'Yes' },
        { value: false, label: 'No' },
      ],
    })
    return yes === true
  }

  end(words: string): void {
    this.#form.end(words)
  }

  async #kind(): Promise<Kind> {
    const options = KINDS.map((value) => ({ value, label: value, about: KIND_LABELS[value] }))
    return answered(await this.#form.choose({ message: 'What kind of plugin?', options }))
  }

  async #language(): Promise<Language> {
    const options = LANGUAGES.map((value) => ({ value, label: LANGUAGE_LABELS[value] }))
    return answered(await this.#form.choose({ message: 'In which language?', options }))
  }

  async #name(taken: readonly string[]): Promise<string> {
    const check = (text: string) => nameFault(text, taken)?.message
    return answered(await this.#form.text({ message: 'What is its name?', check }))
  }
}

/** There is no question to go back to: Escape leaves. */
function answered<T>(answer: T | undefined): T {
  if (answer !== undefined) return answer
  throw new HostError('ABORTED', 'You left the form; nothing was written.')
}
