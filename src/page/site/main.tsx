import { render } from 'preact'
import { PageState } from './chat/index.ts'
import { App } from './views/index.ts'
import { language, t } from './words/index.ts'

document.documentElement.lang = language
const place = document.getElementById('page')
const state = new PageState((person, other) => confirm(t('signInOtherAsk', { person, other })))
if (place) render(<App state={state} />, place)
void state.start()
