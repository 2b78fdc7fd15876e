import type { Values } from '../server/index.ts'
import { specIn } from './documents.ts'

/** How a spec is edited. */
export type SpecView = 'form' | 'json'

/** A spec that is being edited. The view that is shown has the newest state. */
export interface SpecDraft {
  readonly view: SpecView
  readonly values: Values
  /** The spec as JSON, as it was typed. */
  readonly text: string
}

export function draftOf(spec: Values): SpecDraft {
  const { id: _, ...values } = spec
  return { view: 'form', values, text: textOf(values) }
}

/** The spec that is to be tried or stored. @throws {ServerError} if its text is no JSON object */
export function specOf({ view, values, text }: SpecDraft): Values {
  return view === 'form' ? values : specIn(text)
}

/** A draft with the values of the form. What the form left empty is left out, unless it was empty before. */
export function withValues(draft: SpecDraft, values: Values): SpecDraft {
  const kept = withoutEmpty(values, draft.values)
  return isSame(kept, draft.values) ? draft : { ...draft, values: kept }
}

export function withText(draft: SpecDraft, text: string): SpecDraft {
  return { ...draft, text }
}

/**
 * A draft in the other view. A text that says the same as the form stays as it was typed.
 * @throws {ServerError} if the text is no JSON object, which a form cannot show
 */
export function inView(draft: SpecDraft, view: SpecView): SpecDraft {
  if (view === draft.view) return draft
  if (view === 'form') return { ...draft, view, values: specIn(draft.text) }
  const { values, text } = draft
  return { ...draft, view, text: saysTheSame(text, values) ? text : textOf(values) }
}

function textOf(values: Values): string {
  return JSON.stringify(values, null, 2)
}

function saysTheSame(text: string, values: Values): boolean {
  try {
    return isSame(specIn(text), values)
  } catch {
    return false
  }
}

function withoutEmpty(values: Values, before: unknown): Values {
  const old = Object(before) as Values
  const entries = Object.entries(values).map(([key, value]) => [key, shortened(value, old[key])])
  return Object.fromEntries(
    entries.filter(([key, value]) => {
      if (value === undefined) return false
      return !isEmpty(value) || isSame(value, old[String(key)])
    }),
  )
}

function shortened(value: unknown, before: unknown): unknown {
  return isObject(value) ? withoutEmpty(value, before) : value
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0
  return isObject(value) && Object.keys(value).length === 0
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The order of members counts too, so that a text stays only where a form did not change it. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
