/** Browsers without a clipboard have this command alone, which is deprecated for others. */
const COMMANDS: { execCommand(command: 'copy'): boolean } = document

/**
 * Copies a text, also where the browser has no clipboard, as on pages without HTTPS, or refuses it.
 * @returns whether it is copied
 */
export async function copyText(text: string): Promise<boolean> {
  const { clipboard } = navigator as { readonly clipboard?: Clipboard }
  try {
    await clipboard?.writeText(text)
    if (clipboard) return true
  } catch (error) {
    // A browser that does not permit it may still copy what is selected.
    if (!(error instanceof DOMException)) throw error
  }
  return copySelected(text)
}

/** Copies by the command of the browser, which takes what is selected. The focus and the selection stay as they were. */
function copySelected(text: string): boolean {
  const { activeElement: focused } = document
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'unseen'
  // Beside a dialog, nothing can be selected.
  const place = focused?.closest('dialog') ?? document.body
  place.append(field)
  field.select()
  const isCopied = COMMANDS.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  return isCopied
}
