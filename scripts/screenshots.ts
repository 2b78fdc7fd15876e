/** Writes the pictures of the page that the README shows. npm run screenshots, where a chromium is. */

import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { picture } from '../test/page/picture.ts'

const FILE = join(resolve(import.meta.dirname, '..'), 'docs', 'page.png')

await writeFile(FILE, await picture())
console.log(`wrote ${FILE}`)
