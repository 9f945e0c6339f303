import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { maskUrls } from '../../observe/logger.ts'
import { harvestPage, pageJson, type PageFacts } from './harvest-page.ts'
import { toHtml } from './html.ts'
import { toMarkdown } from './markdown.ts'

/** The harvest's report in three forms, below a folder. */
export async function writeHarvestPage(
  folder: string,
  facts: PageFacts,
): Promise<Readonly<Record<'html' | 'markdown' | 'json', string>>> {
  const masked = { ...facts, source: maskUrls(facts.source) }
  const page = harvestPage(masked)
  const files = {
    html: join(folder, 'report.html'),
    markdown: join(folder, 'report.md'),
    json: join(folder, 'report.json'),
  }
  await writeFile(files.html, toHtml(page), { mode: 0o600 })
  await writeFile(files.markdown, toMarkdown(page), { mode: 0o600 })
  await writeFile(files.json, `${JSON.stringify(pageJson(masked), null, 2)}\n`, { mode: 0o600 })
  return files
}
