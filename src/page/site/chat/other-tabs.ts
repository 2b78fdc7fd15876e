/**
 * Connects the tabs of a browser that show the same page.
 * @param base the address of the page
 * @param onSignedOut is called with the id of a person who has signed out in another tab
 * @returns a function that tells the other tabs who has signed out in this one
 */
export function otherTabs(
  base: URL,
  onSignedOut: (person: unknown) => void,
): (person: string | undefined) => void {
  const channel = new BroadcastChannel(`braidwork ${base.pathname}`)
  channel.addEventListener('message', ({ data }) => onSignedOut(data))
  return (person) => channel.postMessage(person)
}
