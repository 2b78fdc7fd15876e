import { render } from 'preact'
import { PageState } from './chat/index.ts'
import { App } from './views/index.ts'
import { language, loadWords, t } from './words/index.ts'

async function begin(): Promise<void> {
  document.documentElement.lang = language
  await loadWords()
  const place = document.getElementById('page')
  const state = new PageState((person, other) => confirm(t('signInOtherAsk', { person, other })))
  if (place) render(<App state={state} />, place)
  await state.start()
}

void begin()
