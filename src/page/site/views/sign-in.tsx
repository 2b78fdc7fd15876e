import { useSignal } from '@preact/signals'
import type { PageState } from '../chat/index.ts'
import { t } from '../words/index.ts'

/** Asks for a token. */
export function SignIn({ state }: { readonly state: PageState }) {
  const token = useSignal('')
  const signIn = (event: Event) => {
    event.preventDefault()
    if (token.value.trim()) state.signIn(token.value.trim())
  }
  return (
    <main class="sign-in">
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
    </main>
  )
}
