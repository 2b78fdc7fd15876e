import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { useLeave } from './unsaved.ts'

export interface Tab {
  readonly id: string
  readonly title: string
  /** Shown beside the title. */
  readonly count: string | undefined
  readonly panel: () => ComponentChildren
}

interface TabsProps {
  readonly tabs: readonly Tab[]
  readonly chosen: string
  readonly onChoose: (id: string) => void
}

/** Tabs that arrow keys choose, and the panel of the chosen one. A panel whose form is not saved is left only after a question. */
export function Tabs({ tabs, chosen, onChoose }: TabsProps) {
  const prefix = useId()
  const list = useRef<HTMLDivElement>(null)
  const current = tabs.find(({ id }) => id === chosen)
  const leave = useLeave()
  const choose = (id: string) => {
    if (id !== chosen) leave(() => onChoose(id))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const at = nextAt(
      event.key,
      tabs.findIndex(({ id }) => id === chosen),
      tabs.length,
    )
    const next = tabs[at ?? -1]
    if (!next) return
    event.preventDefault()
    leave(() => {
      onChoose(next.id)
      list.current?.querySelectorAll('button')[at ?? -1]?.focus()
    })
  }
  return (
    <>
      <div class="drawer-tabs" role="tablist" ref={list} onKeyDown={onKeyDown}>
        {tabs.map(({ id, title, count }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${prefix}-${id}`}
            aria-selected={id === chosen}
            aria-controls={`${prefix}-panel`}
            tabIndex={id === chosen ? 0 : -1}
            onClick={() => choose(id)}
          >
            {title} {count === undefined ? null : <span class="drawer-count">{count}</span>}
          </button>
        ))}
      </div>
      <div
        key={chosen}
        class="drawer-panel"
        role="tabpanel"
        id={`${prefix}-panel`}
        aria-labelledby={`${prefix}-${chosen}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel that scrolls is reached by keyboard, whatever it has
        tabIndex={0}
      >
        {current?.panel()}
      </div>
    </>
  )
}

/** Focuses the panel around a button that is about to go, so that keys go on from there. */
export function focusPanel(event: { readonly currentTarget: Element }): void {
  event.currentTarget.closest<HTMLElement>('[role="tabpanel"]')?.focus()
}

/** The place that a key goes to in a row. Undefined for other keys. */
function nextAt(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowRight') return (at + 1) % count
  if (key === 'ArrowLeft') return (at + count - 1) % count
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : undefined
}
