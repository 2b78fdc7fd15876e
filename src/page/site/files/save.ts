/** Saves bytes as a file: they may be of any kind, and nothing of them may run in the page. */
export function save(bytes: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(bytes)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
