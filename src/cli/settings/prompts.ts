/** What may be chosen. */
export interface Option<T> {
  readonly value: T
  readonly label: string
  /** What is said behind it; a search does not look there. */
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
  /** What is wrong with a text, or nothing. */
  readonly check: (text: string) => string | undefined
}

/**
 * Questions to a person. An answer is `undefined` where the person goes back.
 * All of them throw a HostError ABORTED where the person leaves.
 */
export interface Prompts {
  readonly choose: <T>(question: ListQuestion<T>) => Promise<T | undefined>
  readonly chooseSeveral: <T>(
    question: ListQuestion<T> & { readonly chosen: readonly T[] },
  ) => Promise<readonly T[] | undefined>
  readonly text: (question: TextQuestion) => Promise<string | undefined>
  /** A text that is shown nowhere. */
  readonly secret: (question: TextQuestion) => Promise<string | undefined>
  readonly say: (words: string, level?: 'info' | 'warning' | 'error') => void
  /** Shows that something goes on. */
  readonly work: <T>(words: string, act: (signal: AbortSignal) => Promise<T>) => Promise<T>
}
