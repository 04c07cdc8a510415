import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'tap'
import { createCommandLine } from '../../cli/command.ts'
import { createTestDatabase } from '../../support/database.ts'
import { startProgram } from '../../support/program.ts'
import { becomes } from './pair.ts'

/** Enough connections for the kernel to choose each of the two workers. */
const CONNECTIONS = 48

test('a changed setting reaches both workers of a port', async t => {
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-settings-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const { url } = await createTestDatabase(t)
  const program = await startProgram(t, { DATABASE_URL: url, DATA_DIR: folder, WORKERS: '2', DATABASE_POOL: '4' })
  await program.logged('listening')
  const ctl = await createCommandLine(t, url)
  /** The titles in the responses to new connections, and the number of workers that responded. */
  const titles = async (): Promise<unknown[]> => {
    const answers = await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        const response = await fetch(`${program.url}/api/v2/instance`, { headers: { connection: 'close' } })
        const { title } = (await response.json()) as { title: string }
        // Request ids begin with what is random for each process.
        return { title, worker: response.headers.get('x-request-id')?.split('-')[0] }
      }),
    )
    return [[...new Set(answers.map(({ title }) => title))], new Set(answers.map(({ worker }) => worker)).size]
  }
  await becomes(titles, [['Millrace'], 2], 'before')
  for (const title of ['The mill', 'The pond']) {
    await ctl.ok('settings', 'set', 'site_title', title)
    await becomes(titles, [[title], 2], title)
  }
})
