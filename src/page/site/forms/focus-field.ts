import type { Fault } from '../server/index.ts'

/** The elements that a person fills in or presses. */
export const FILLED = ['input', 'select', 'textarea', 'button']

/** A selector of the fields in a place, and of its own one: their ids begin with its id. */
export function fieldsIn(id: string): string {
  return FILLED.map((name) => `${name}[id^="${CSS.escape(id)}"]`).join()
}

/**
 * Focuses the field of a place in the data, or else the first one inside it. The library takes the first option of a
 * list of choices for its field.
 * @param property the place, such as `.a.b`
 */
export function focusField(prefix: string, property: string): void {
  fieldAt(prefix + property.replaceAll('.', '_'))?.focus()
}

/** Focuses the first field of a form that a server has found wrong: the innermost one around the place of a fault. */
export function focusFirstField(prefix: string, faults: readonly Fault[]): void {
  const fields = faults.flatMap(({ pointer }) => fieldAround(prefix, pointer) ?? [])
  const [first] = fields.toSorted((one, other) =>
    one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
  )
  first?.focus()
}

function fieldAround(prefix: string, pointer: string): HTMLElement | undefined {
  const [, ...keys] = pointer.split('/')
  for (; keys.length > 0; keys.pop()) {
    const field = fieldAt([prefix, ...keys].join('_'))
    if (field) return field
  }
  return undefined
}

/** The field with an id, or else the first one inside it. */
function fieldAt(id: string): HTMLElement | undefined {
  const own = document.getElementById(id)
  const field = own?.matches(FILLED.join())
    ? own
    : document.querySelector<HTMLElement>(fieldsIn(id))
  return field ?? undefined
}
