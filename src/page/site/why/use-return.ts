import { useLayoutEffect, useRef } from 'preact/hooks'

/** The plugin whose button is focused when all plugins are shown again. */
export interface Return {
  current: string | null
}

/** Focuses the button of the plugin that was looked at, once. */
export function useReturn<T extends Element>(to: Return) {
  const shown = useRef<T>(null)
  useLayoutEffect(() => {
    const name = to.current
    to.current = null
    if (name === null) return
    const button = `[data-plugin="${CSS.escape(name)}"]`
    shown.current?.querySelector<HTMLElement | SVGElement>(button)?.focus()
  }, [to])
  return shown
}
