/** The file with the messages that a summary replaces, as JSON lines. */
export function archiveFile(lines: readonly object[]): {
  readonly mediaType: string
  readonly name: string
  readonly bytes: Uint8Array
} {
  return {
    mediaType: 'application/x-ndjson',
    name: 'compacted-messages.jsonl',
    bytes: Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join('')),
  }
}
