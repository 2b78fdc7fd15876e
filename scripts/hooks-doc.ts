/** Writes docs/hooks.md from HOOKS and VALUES; a test compares. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { HOOKS_PATH, hooksPage } from './hooks-page.ts'

mkdirSync(dirname(HOOKS_PATH), { recursive: true })
writeFileSync(HOOKS_PATH, hooksPage())
