export function Why(_: { client: unknown; agent: string | undefined; onClose: () => void }) {
  return <aside>why</aside>
}
