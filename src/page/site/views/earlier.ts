import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/** How many messages are drawn at once: a long conversation opens as quickly as a short one. */
const PAGE = 40
/** How near to the first drawn message somebody reads who wants to see earlier ones, in pixels. */
const NEAR = 600

/** Which messages of a conversation are drawn. */
export interface Drawn {
  /** The index of the first one. */
  readonly from: number
  /** Draws a page of earlier messages. What is in view stays where it is. */
  readonly more: () => void
  /** Draws earlier messages if somebody reads near to them. */
  readonly look: () => void
}

/**
 * Draws the last messages of a conversation, and earlier ones when somebody goes there.
 * @param length the number of messages
 * @param box the element that scrolls
 */
export function useDrawn(length: number, box: RefObject<HTMLElement | null>): Drawn {
  const [pages, setPages] = useState(1)
  // Messages that come later are drawn beside those that were there.
  const opened = useRef(0)
  if (opened.current === 0 || length < opened.current) opened.current = length
  const from = Math.max(0, opened.current - pages * PAGE)
  const below = useRef<number | undefined>(undefined)
  useLayoutEffect(() => {
    if (!box.current || below.current === undefined) return
    box.current.scrollTop = box.current.scrollHeight - below.current
    below.current = undefined
  }, [from])
  const more = () => {
    if (from === 0 || !box.current) return
    below.current = box.current.scrollHeight - box.current.scrollTop
    setPages(pages + 1)
  }
  const look = () => {
    if ((box.current?.scrollTop ?? NEAR) < NEAR) more()
  }
  return { from, more, look }
}
