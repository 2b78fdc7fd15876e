import { join } from 'node:path'
import { APPS } from './apps.ts'
import { ROOT } from '../helpers/source-files.ts'
import type { Results } from './results.ts'

export const CLIENTS_PATH = join(ROOT, 'docs', 'clients.md')

export function clientsPage(results: Results): string {
  return `${APPS.length} ${Object.keys(results).length}\n`
}
