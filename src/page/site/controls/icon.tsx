const PATHS = {
  menu: 'M3 6h18M3 12h18M3 18h18',
  plus: 'M12 5v14M5 12h14',
  send: 'M12 19V5M6 11l6-6 6 6',
  stop: 'M7 7h10v10H7z',
  attach:
    'M20 11l-8.5 8.5a5 5 0 0 1-7-7L13 4a3.4 3.4 0 0 1 4.8 4.8L9.5 17a1.7 1.7 0 0 1-2.4-2.4L15 7',
  why: 'M6 3v6a3 3 0 0 0 3 3h6a3 3 0 0 1 3 3v6M3 6l3-3 3 3M15 18l3 3 3-3',
  edit: 'M4 20h4L19 9l-4-4L4 16z',
  delete: 'M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13',
  again: 'M20 11a8 8 0 1 0-2.3 6.6M20 5v6h-6',
  branch: 'M6 4v16M6 12c8 0 10-2 10-8M12 8l4-4 4 4',
  before: 'M15 6l-6 6 6 6',
  after: 'M9 6l6 6-6 6',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  close: 'M6 6l12 12M18 6L6 18',
  details: 'M4 6h10M4 12h16M4 18h7',
  settings: 'M4 7h10M18 7h2M4 17h2M10 17h10M16 4v6M8 14v6',
  agents: 'M12 4v3M6 7h12v10H6zM9 11v2M15 11v2M9 20h6',
  tool: 'M14 6a4 4 0 0 0 5 5l-9 9a2.5 2.5 0 0 1-3.5-3.5z',
} as const

export type IconName = keyof typeof PATHS

/** A picture for a button, whose words say the same. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="picture" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}
