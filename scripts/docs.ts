/**
 * Writes the generated pages and the chart of docs/, and the graph in ARCHITECTURE.md. Tests check that they are
 * current.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { CHART_PATH, chartOf, summaryIn } from '../bench/chart.ts'
import { CLIENTS_PATH, clientsPage } from '../test/apps/page.ts'
import { readResults } from '../test/apps/results.ts'
import { sourceFiles } from '../test/helpers/source-files.ts'
import { FACTS_PATH, factsPage } from './facts-page.ts'
import { HOOKS_PATH, hooksPage } from './hooks-page.ts'
import { ARCHITECTURE_PATH, withGraph } from './layers.ts'
import { shippedPlugins } from './shipped-plugins.ts'
import { TAGS_PATH, tagsPage } from './tags-page.ts'
import { wirePages } from './wire-pages.ts'

writeFileSync(HOOKS_PATH, hooksPage())
writeFileSync(FACTS_PATH, factsPage())
writeFileSync(TAGS_PATH, tagsPage(await shippedPlugins()))
for (const { path, text } of wirePages()) writeFileSync(path, text)
writeFileSync(
  ARCHITECTURE_PATH,
  withGraph(readFileSync(ARCHITECTURE_PATH, 'utf8'), sourceFiles('src')),
)
writeFileSync(CHART_PATH, chartOf(summaryIn(readFileSync('README.md', 'utf8'))))
writeFileSync(CLIENTS_PATH, clientsPage(readResults()))
