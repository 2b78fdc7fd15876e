import { expect } from 'chai'
import type { Prompts } from '../../../src/cli/settings/prompts.ts'

/** A list that was shown. */
interface Offered {
  readonly message: string
  readonly labels: readonly string[]
  /** The notes after the labels. */
  readonly abouts: { readonly [label: string]: string }
}

/** Someone who gives answers one after the other: labels where there is a list, else texts. */
export function person(...answers: readonly (string | readonly string[] | undefined)[]) {
  const left = [...answers]
  const heard: string[] = []
  const offered: Offered[] = []
  const ask = (check: (text: string) => string | undefined): string | undefined => {
    for (;;) {
      const text = left.shift() as string | undefined
      const fault = text === undefined ? undefined : check(text)
      if (fault === undefined) return text
      heard.push(fault)
    }
  }
  const prompts: Prompts = {
    choose: async ({ message, options }) => {
      const abouts = options.map(({ label, about = '' }) => [label, about])
      const labels = options.map(({ label }) => label)
      offered.push({ message, labels, abouts: Object.fromEntries(abouts) })
      const label = left.shift()
      if (label === undefined) return undefined
      return (options.find((one) => one.label === label) ?? expect.fail(`no ${label}`)).value
    },
    chooseSeveral: async ({ options }) => {
      const labels = left.shift()
      return options.filter(({ label }) => labels?.includes(label)).map(({ value }) => value)
    },
    text: async ({ check }) => ask(check),
    secret: async ({ check }) => ask(check),
    say: (words) => void heard.push(words),
    work: (_, act) => act(new AbortController().signal),
  }
  return { prompts, heard, left, offered }
}
