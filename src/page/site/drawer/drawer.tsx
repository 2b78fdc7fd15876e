import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../words/index.ts'
import { mayLeave, UnsavedContext } from './unsaved.ts'
import './drawer.css'

interface DrawerProps {
  readonly title: string
  /** Shown below the title. */
  readonly note: string | undefined
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/**
 * A drawer at the side of the page. Escape, a click beside it and the way to another chat close it, and ask first if
 * something would be lost.
 */
export function Drawer({ title, note, onClose, children }: DrawerProps) {
  const id = useId()
  const unsaved = useRef(false)
  const close = () => {
    if (mayLeave(unsaved)) onClose()
  }
  const dialog = useModal(close)
  return (
    <dialog
      ref={dialog}
      class="drawer"
      aria-labelledby={id}
      tabIndex={-1}
      onCancel={(event) => {
        event.preventDefault()
        if (event.cancelable) close()
      }}
      onClose={() => {
        // Browsers close a dialog for a second Escape whatever it says.
        if (!dialog.current?.isConnected) return
        dialog.current.showModal()
        close()
      }}
    >
      <div class="drawer-sheet">
        <header class="drawer-head">
          <div>
            <h2 id={id}>{title}</h2>
            {note ? <p>{note}</p> : null}
          </div>
          <button type="button" class="drawer-icon" aria-label={t('close')} onClick={close}>
            <svg viewBox="0 0 16 16" aria-hidden="true">
              <path d="M3.5 3.5l9 9m0-9l-9 9" />
            </svg>
          </button>
        </header>
        <UnsavedContext.Provider value={unsaved}>{children}</UnsavedContext.Provider>
      </div>
    </dialog>
  )
}

/** Opens a dialog while it is shown. The browser keeps the focus in it, and gives it back. */
function useModal(close: () => void) {
  const dialog = useRef<HTMLDialogElement>(null)
  const newest = useRef(close)
  newest.current = close
  useLayoutEffect(() => {
    // The chat changes during this event, so a listener that is replaced then would miss it.
    const onLeave = () => newest.current()
    addEventListener('popstate', onLeave)
    return () => removeEventListener('popstate', onLeave)
  }, [])
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    shown?.focus()
    return () => shown?.close()
  }, [])
  useLayoutEffect(() => {
    const shown = dialog.current
    // The backdrop belongs to the dialog, and its content covers the rest of it.
    const onClick = ({ target }: Event) => target === shown && close()
    shown?.addEventListener('click', onClick)
    return () => shown?.removeEventListener('click', onClick)
  }, [close])
  return dialog
}
