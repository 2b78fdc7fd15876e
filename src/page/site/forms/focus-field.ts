/** The elements that a person fills in or presses. */
export const FILLED = ['input', 'select', 'textarea', 'button']

/**
 * Focuses the field of a place in the data, or else the first one inside it. The library takes the first option of a
 * list of choices for its field.
 * @param property the place, such as `.a.b`
 */
export function focusField(prefix: string, property: string): void {
  const id = prefix + property.replaceAll('.', '_')
  const inside = FILLED.map((name) => `${name}[id^="${CSS.escape(id)}"]`).join()
  const own = document.getElementById(id)
  const field = own?.matches(FILLED.join()) ? own : document.querySelector<HTMLElement>(inside)
  field?.focus()
}
