import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { renderHtml } from './html.ts'
import type { Report } from './report.ts'

/** Writes the report as JSON and as a page that needs nothing else. @returns the files */
export async function writeReport(report: Report, folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  const name = path.join(folder, report.startedAt.replaceAll(':', '-').slice(0, 19))
  await writeFile(`${name}.json`, `${JSON.stringify(report, undefined, 2)}\n`)
  await writeFile(`${name}.html`, renderHtml(report))
  return [`${name}.json`, `${name}.html`]
}
