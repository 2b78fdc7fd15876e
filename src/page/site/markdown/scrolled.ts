/** The attributes of a box that scrolls: readers reach it by keyboard, and hear its label. */
export function scrolled(label: string) {
  return { role: 'group', 'aria-label': label, tabIndex: 0 } as const
}
