import { type Hit, type SearchIndex, search } from './search.ts'

/** The most sections that are shown. */
const MOST = 20

const root = document.currentScript?.dataset['root'] ?? ''
const input = find<HTMLInputElement>('input[type=search]')
const found = find<HTMLElement>('#found')
let loading: Promise<SearchIndex> | undefined

input.addEventListener('focus', () => void load())
input.addEventListener('input', () => void show())
input.addEventListener('keydown', ({ key }) => {
  if (key === 'Enter') found.querySelector('a')?.click()
})
found.addEventListener('click', ({ target }) => {
  if (target instanceof HTMLAnchorElement) close()
})
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') close()
  if (event.key !== '/' || event.target instanceof HTMLInputElement) return
  event.preventDefault()
  input.focus()
})

/** Finds an element that every page has. */
function find<E extends Element>(selector: string): E {
  const element = document.querySelector<E>(selector)
  if (element) return element
  throw new Error(`The page has no "${selector}".`)
}

/** The index is a script, because a page from a file system may not fetch. */
function load(): Promise<SearchIndex> {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = `${root}search-index.js`
    script.onload = () =>
      resolve((globalThis as unknown as { searchIndex: SearchIndex }).searchIndex)
    script.onerror = () => reject(new Error(`${script.src} cannot be loaded.`))
    document.head.append(script)
  })
  return loading
}

function close(): void {
  input.value = ''
  found.hidden = true
}

async function show(): Promise<void> {
  const hits = search(await load(), input.value)
  const list = document.createElement('ol')
  list.append(...hits.slice(0, MOST).map(itemOf))
  const count = document.createElement('p')
  count.textContent = hits.length === 0 ? 'Nothing found.' : `${hits.length} sections`
  found.replaceChildren(count, list)
  found.hidden = input.value.trim() === ''
}

function itemOf({ path, id, title, page }: Hit): HTMLElement {
  const link = document.createElement('a')
  link.href = root + path + (id ? `#${id}` : '')
  link.textContent = title
  const item = document.createElement('li')
  const where = document.createElement('small')
  where.textContent = page
  item.append(link, ' ', where)
  return item
}

const THEMES: readonly string[] = ['auto', 'dark', 'light']
const button = find<HTMLButtonElement>('.theme')
button.addEventListener('click', () => setTheme((theme() + 1) % THEMES.length))
setTheme(theme())

/** The number of the chosen theme. */
function theme(): number {
  const { theme: chosen = '' } = document.documentElement.dataset
  return Math.max(0, THEMES.indexOf(chosen))
}

function setTheme(at: number): void {
  const name = THEMES[at] ?? 'auto'
  document.documentElement.dataset['theme'] = name
  localStorage.setItem('theme', name)
  button.textContent = `Colors: ${name}`
}

// On a narrow screen, the list of pages would hide the page.
if (matchMedia('(max-width: 800px)').matches) {
  find<HTMLDetailsElement>('nav details').open = false
}
