import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { test, type Test } from 'tap'
import { Client } from '../support/client.ts'
import { people } from '../support/people.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const program = (name: string): string => path.join(ROOT, 'node_modules/.bin', name)

/** What a program that uses the generated client does; it is type-checked together with it. */
const PROGRAM = `import * as api from './client.ts'

export async function post(baseUrl: string, token: string, text: string): Promise<string[]> {
  const options = { baseUrl, headers: { Authorization: 'Bearer ' + token } }
  const made = await api.postV1Statuses({ status: text, visibility: 'unlisted', media_ids: [] }, options)
  if (made.status !== 200 || !('content' in made.data)) throw new Error(JSON.stringify(made.data))
  const read = await api.getV1StatusesId(made.data.id ?? '', options)
  if (read.status !== 200) throw new Error(read.data.error)
  const account: api.Account = read.data.account
  const several = await api.getV1Accounts({ id: [account.id] }, options)
  if (several.status !== 200) throw new Error(several.data.error)
  const missing = await api.getV1StatusesId('1', options)
  const error: string = missing.status === 404 ? missing.data.error : ''
  return [read.data.visibility, account.username, ...several.data.map(one => one.username), error]
}
`

const CONFIGURATION = {
  compilerOptions: {
    strict: true,
    module: 'nodenext',
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable'],
    noEmit: true,
    allowImportingTsExtensions: true,
    erasableSyntaxOnly: true,
    skipLibCheck: true,
    types: [],
  },
  files: ['program.ts'],
}

async function folderOf(t: Test): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-client-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'))
  return folder
}

test('a client generated from the API’s description compiles and works', async t => {
  const { server, alice } = await people(t, 'alice')
  const folder = await folderOf(t)
  const { text } = await new Client(server).get('/api/openapi.json')
  const files = { 'document.json': text, 'program.ts': PROGRAM, 'tsconfig.json': JSON.stringify(CONFIGURATION) }
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}')
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(folder, name), content)
  await run(process.execPath, [program('oazapfts'), 'document.json', 'client.ts'], { cwd: folder })
  const compiled = await run(program('tsc'), ['-p', '.'], { cwd: folder }).catch((error: unknown) => error)
  const output =
    typeof compiled === 'object' && compiled !== null && 'stdout' in compiled ? String(compiled.stdout) : ''
  assert.equal(output, '')
  const made = (await import(pathToFileURL(path.join(folder, 'program.ts')).href)) as {
    post(baseUrl: string, token: string, text: string): Promise<string[]>
  }
  assert.deepEqual(await made.post(server.url, alice.token ?? '', 'by a generated client'), [
    'unlisted',
    alice.username,
    alice.username,
    'Not Found',
  ])
})
