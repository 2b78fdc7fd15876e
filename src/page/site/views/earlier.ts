import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { usePrinting } from './printing.ts'

/** How many messages are drawn at once: a long conversation opens as quickly as a short one. */
const PAGE = 40
/** How near to the first or the last drawn message somebody reads who wants to see further ones, in pixels. */
const NEAR = 600

/** Which messages of a conversation are drawn. */
export interface Drawn {
  /** The index of the first one. */
  readonly from: number
  /** The index after the last one. */
  readonly to: number
  /** Draws a page of earlier messages. What is in view stays where it is. */
  readonly more: () => void
  /** Draws a page of later messages. */
  readonly later: () => void
  /** Draws further messages if somebody reads near to them. */
  readonly look: () => void
  /** Draws a message and those around it. Without one, the last messages. */
  readonly goTo: (index?: number) => void
}

interface Range {
  readonly from: number
  /** Infinite if it is the last message, and those that come. */
  readonly to: number
}

/**
 * Draws the last messages of a conversation, or those around one of them, and further messages when somebody goes
 * there. On paper, all are drawn.
 * @param length the number of messages
 * @param box the element that scrolls
 */
export function useDrawn(length: number, box: RefObject<HTMLElement | null>): Drawn {
  const [chosen, setChosen] = useState<Range | undefined>(undefined)
  // Messages that come later are drawn beside those that were there.
  const opened = useRef(0)
  if (opened.current === 0 || length < opened.current) opened.current = length
  const end = { from: Math.max(0, opened.current - PAGE), to: Number.POSITIVE_INFINITY }
  const isPrinting = usePrinting()
  const onScreen = chosen && chosen.from < length ? chosen : end
  const { from, to } = isPrinting ? { from: 0, to: Number.POSITIVE_INFINITY } : onScreen
  const below = useRef<number | undefined>(undefined)
  useLayoutEffect(() => {
    if (!box.current || below.current === undefined) return
    box.current.scrollTop = box.current.scrollHeight - below.current
    below.current = undefined
  }, [from])
  const upTo = (index: number) => (index < length ? index : Number.POSITIVE_INFINITY)
  const more = () => {
    if (from === 0 || !box.current) return
    below.current = box.current.scrollHeight - box.current.scrollTop
    setChosen({ from: Math.max(0, from - PAGE), to })
  }
  const later = () => {
    if (to < length) setChosen({ from, to: upTo(to + PAGE) })
  }
  const look = () => {
    const { scrollTop = NEAR, scrollHeight = 0, clientHeight = 0 } = box.current ?? {}
    if (scrollTop < NEAR) more()
    else if (scrollHeight - scrollTop - clientHeight < NEAR) later()
  }
  const goTo = (index?: number) => {
    const around = index === undefined ? undefined : Math.max(0, index - PAGE / 2)
    setChosen(around === undefined ? undefined : { from: around, to: upTo(around + PAGE) })
  }
  return { from, to: Math.min(to, length), more, later, look, goTo }
}
