import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Goal } from './goals.ts'
import { renderHtml } from './html.ts'
import type { Report } from './report.ts'

/** Writes the report as JSON and as a self-contained page. @returns the files */
export async function writeReport(report: Report, goals: readonly Goal[], folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  const name = path.join(folder, report.startedAt.replaceAll(':', '-').slice(0, 19))
  await writeFile(`${name}.json`, `${JSON.stringify(report, undefined, 2)}\n`)
  await writeFile(`${name}.html`, renderHtml(report, goals))
  return [`${name}.json`, `${name}.html`]
}

const isReport = (value: unknown): value is Report =>
  typeof value === 'object' && value !== null && 'results' in value && Array.isArray(value.results)

/** @throws Error if the file is not a report of this version */
export async function readReport(file: string): Promise<Report> {
  const value: unknown = JSON.parse(await readFile(file, 'utf8'))
  const found = isReport(value) && value.results.every(result => typeof result.figures === 'object')
  if (!found) throw new Error(`${file} is not a report of this bench`)
  return value
}
