import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { PageState } from '../chat/index.ts'
import { t } from '../words/index.ts'

interface SignInProps {
  readonly state: PageState
  /** Whether it is above the page, which has the landmark of the main content then. */
  readonly isAbove: boolean
}

/** Asks for a token, above all else: also above a drawer, which goes on afterwards. */
export function SignIn({ state, isAbove }: SignInProps) {
  const token = useSignal('')
  const Content = isAbove ? 'div' : 'main'
  const dialog = useRef<HTMLDialogElement>(null)
  const show = () => dialog.current?.isConnected && dialog.current.showModal()
  useLayoutEffect(() => void show(), [])
  const signIn = (event: Event) => {
    event.preventDefault()
    if (token.value.trim()) state.signIn(token.value.trim())
  }
  return (
    // Browsers close a dialog for Escape whatever it says.
    <dialog ref={dialog} class="sign-in" aria-label={t('signIn')} onClose={show}>
      <Content>
        <form onSubmit={signIn}>
          <h1>Braidwork</h1>
          <p>{state.session.token === undefined ? t('signInHint') : t('wrongToken')}</p>
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
