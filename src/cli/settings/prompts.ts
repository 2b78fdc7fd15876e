/** An entry of a list that a person chooses from. */
export interface Option<T> {
  readonly value: T
  readonly label: string
  /** A note after the label; a search ignores it. */
  readonly about?: string
}

export interface ListQuestion<T> {
  readonly message: string
  readonly options: readonly Option<T>[]
  readonly initial?: T
}

export interface TextQuestion {
  readonly message: string
  readonly initial?: string
  readonly isLong?: boolean
  /** Returns the fault of a text as a sentence, or `undefined`. */
  readonly check: (text: string) => string | undefined
}

/**
 * Questions to a person. An answer is `undefined` when the person goes back.
 * Every question throws a HostError ABORTED when the person leaves the form.
 */
export interface Prompts {
  readonly choose: <T>(question: ListQuestion<T>) => Promise<T | undefined>
  readonly chooseSeveral: <T>(
    question: ListQuestion<T> & { readonly chosen: readonly T[] },
  ) => Promise<readonly T[] | undefined>
  readonly text: (question: TextQuestion) => Promise<string | undefined>
  /** Reads a text without echo. */
  readonly secret: (question: TextQuestion) => Promise<string | undefined>
  readonly say: (words: string, level?: 'info' | 'warning' | 'error') => void
  /** Shows `words` while `act` runs. */
  readonly work: <T>(words: string, act: (signal: AbortSignal) => Promise<T>) => Promise<T>
}
