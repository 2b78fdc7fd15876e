/** What the tabs of a browser tell each other. */
export interface TabEvents {
  /** A person has signed out. */
  readonly onSignedOut: (person: unknown) => void
  /** A conversation has changed. */
  readonly onChanged: (id: unknown) => void
}

/** Tells the other tabs. */
export interface OtherTabs {
  readonly signedOut: (person: string | undefined) => void
  readonly changed: (id: string) => void
}

/**
 * Connects the tabs of a browser that show the same page.
 * @param base the address of the page
 */
export function otherTabs(base: URL, { onSignedOut, onChanged }: TabEvents): OtherTabs {
  const channel = new BroadcastChannel(`braidwork ${base.pathname}`)
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (data instanceof Object) onChanged((data as { readonly changed?: unknown }).changed)
    else onSignedOut(data)
  })
  return {
    signedOut: (person) => channel.postMessage(person),
    changed: (id) => channel.postMessage({ changed: id }),
  }
}
