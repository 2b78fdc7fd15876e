import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { PageState } from '../chat/index.ts'
import { faultText } from '../reasons/index.ts'
import { ServerError } from '../server/index.ts'
import { t } from '../words/index.ts'

interface SignInProps {
  readonly state: PageState
  /** Whether it is above the page, which has the landmark of the main content then. */
  readonly isAbove: boolean
}

/** Asks for a token, above all else: also above a drawer, which goes on afterwards. */
export function SignIn({ state, isAbove }: SignInProps) {
  const token = useSignal('')
  /** Why the server does not let the person in. */
  const fault = useSignal<string | undefined>(undefined)
  const Content = isAbove ? 'div' : 'main'
  const dialog = useRef<HTMLDialogElement>(null)
  const show = () => dialog.current?.isConnected && dialog.current.showModal()
  useLayoutEffect(() => void show(), [])
  const signIn = async (event: Event) => {
    event.preventDefault()
    if (!token.value.trim()) return
    try {
      await state.signIn(token.value.trim())
    } catch (thrown) {
      if (!(thrown instanceof ServerError)) throw thrown
      fault.value = faultText(thrown)
    }
  }
  const hint = t(state.session.token === undefined ? 'signInHint' : 'wrongToken')
  return (
    // Browsers close a dialog for Escape whatever it says.
    <dialog ref={dialog} class="sign-in" aria-label={t('signIn')} onClose={show}>
      <Content>
        <form onSubmit={(event) => void signIn(event)}>
          <h1>Braidwork</h1>
          <p role="status">{fault.value ?? hint}</p>
          <label>
            {t('token')}
            <input
              type="password"
              autocomplete="off"
              autofocus
              value={token.value}
              onInput={(event) => (token.value = event.currentTarget.value)}
            />
          </label>
          <button type="submit" class="main">
            {t('signIn')}
          </button>
        </form>
      </Content>
    </dialog>
  )
}
