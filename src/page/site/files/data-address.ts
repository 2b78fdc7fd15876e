/** The bytes of a `data:` address (RFC 2397). The page may not fetch it: its policy allows connections to its server only. */
export function dataIn(address: string): Uint8Array<ArrayBuffer> {
  const comma = address.indexOf(',')
  const data = address.slice(comma + 1)
  if (!/;base64$/i.test(address.slice(0, comma))) {
    return new TextEncoder().encode(decodeURIComponent(data))
  }
  return Uint8Array.from(atob(decodeURIComponent(data)), (letter) => letter.charCodeAt(0))
}
