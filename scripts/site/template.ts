import { dirname, relative } from 'node:path/posix'
import { escaped } from './html.ts'

/** A page with its title, as the navigation shows it. */
export interface Entry {
  readonly path: string
  readonly title: string
}

export interface NavigationGroup {
  readonly title: string
  readonly pages: readonly Entry[]
}

/** The address of a page from another one. */
export function addressOf(path: string, from: string): string {
  return relative(dirname(from), path)
}

interface Page extends Entry {
  readonly html: string
}

/** A whole page: header with the search, navigation, content, and the pages before and behind it. */
export function pageHtml(page: Page, groups: readonly NavigationGroup[]): string {
  const to = (path: string) => escaped(addressOf(path, page.path))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(page.title)} – Braidwork</title>
<link rel="stylesheet" href="${to('site.css')}">
<link rel="icon" href="data:,">
<script src="${to('site.js')}" data-root="${to('index.html').replace('index.html', '')}" defer></script>
<script>document.documentElement.dataset.theme = localStorage.getItem('theme') ?? 'auto'</script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="name" href="${to('index.html')}">Braidwork</a>
<search><input type="search" aria-label="Search" placeholder="Search (/)" autocomplete="off" aria-controls="found"></search>
<button type="button" class="theme">Dark or light</button>
</header>
<div id="found" role="region" aria-label="Search results" aria-live="polite" hidden></div>
<div class="columns">
<nav aria-label="Pages"><details open><summary>Pages</summary>
${groups.map((group) => groupHtml(group, page.path)).join('\n')}
</details></nav>
<main id="content" tabindex="-1">
${page.html}
${neighbors(page, groups)}
</main>
</div>
</body>
</html>
`
}

function groupHtml({ title, pages }: NavigationGroup, current: string): string {
  const links = pages.map((page) => {
    const mark = page.path === current ? ' aria-current="page"' : ''
    const address = escaped(addressOf(page.path, current))
    return `<li><a href="${address}"${mark}>${escaped(page.title)}</a></li>`
  })
  return `<p class="group">${escaped(title)}</p>\n<ul>${links.join('')}</ul>`
}

function neighbors({ path }: Page, groups: readonly NavigationGroup[]): string {
  const all = groups.flatMap(({ pages }) => pages)
  const at = all.findIndex((page) => page.path === path)
  const link = (page: Entry | undefined, label: string) =>
    page
      ? `<a href="${escaped(addressOf(page.path, path))}">${label}: ${escaped(page.title)}</a>`
      : '<span></span>'
  return `<footer>${link(all[at - 1], 'Before')}${link(all[at + 1], 'Next')}</footer>`
}
