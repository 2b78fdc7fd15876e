import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** A press of a button that goes, or that can be pressed no longer. */
export interface Press {
  readonly currentTarget: Element
  /** How many times a mouse has clicked there in a row. */
  readonly detail?: number
}

/** Gives the focus to the message around a button, so that keys go on from there. */
export function focusMessage({ currentTarget }: Press): void {
  focusOn(currentTarget.closest('article'))
}

/** Gives the focus to the message before the one around a button. */
export function focusMessageBefore({ currentTarget }: Press): void {
  focusOn(currentTarget.closest('article')?.previousElementSibling)
}

/** Gives the focus to the box in which a person writes. */
export function focusComposer(): void {
  focusOn(document.querySelector('.composer textarea'))
}

/**
 * Focuses a field that appears on a press, and selects its line. Browsers read `autofocus` only when they load a page.
 * @param isPressed whether it appears on a press
 */
export function useFocus<E extends HTMLElement>(isPressed = true): RefObject<E | null> {
  const field = useRef<E>(null)
  useLayoutEffect(() => {
    if (!isPressed) return
    field.current?.focus()
    if (field.current instanceof HTMLInputElement) field.current.select()
  }, [])
  return field
}

/**
 * Gives the focus back to a button that was away while something was changed.
 * @param isAway whether the button is away
 * @param isLeft whether the person has gone elsewhere, where the focus stays
 * @returns what the button is in; it gets the focus where the button cannot have it
 */
export function useReturn<E extends HTMLElement>(
  isAway: boolean,
  button: string,
  isLeft: RefObject<boolean>,
): RefObject<E | null> {
  const around = useRef<E>(null)
  const wasAway = useRef(false)
  useLayoutEffect(() => {
    if (wasAway.current && !isAway && !isLeft.current) {
      focusOn(around.current?.querySelector(`${button}:enabled`) ?? around.current)
    }
    wasAway.current = isAway
    isLeft.current = false
  }, [isAway])
  return around
}

function focusOn(element: Element | null | undefined): void {
  if (element instanceof HTMLElement) element.focus({ preventScroll: true })
}
