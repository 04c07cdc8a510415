import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'

/* The structure that CONTRIBUTING.md describes, held by tests. */

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const SOURCE = path.join(ROOT, 'src')

/** Folders that know how, and no domain. The others are domains, which know what the system does. */
const MECHANISMS = new Set([
  'attempt_limits',
  'core',
  'database',
  'events',
  'http',
  'ip_blocks',
  'jobs',
  'languages',
  'mail',
  'metrics',
  'oauth',
  'outgoing',
  'pages',
  'passwords',
  'render',
  'secrets',
  'sessions',
  'settings',
  'storage',
  'streaming',
  'text',
  'texts',
])
/** Files at the top of src put the parts together. */
const TOP = ''

interface Module {
  readonly file: string
  readonly folder: string
  readonly imports: readonly { from: string; typeOnly: boolean }[]
}

const IMPORT = /^(?:import|export)\s+(type\s)?(?:[^'"]*?\sfrom\s+)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/gm

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => path.join(folder, name))
}

function readModules(): Module[] {
  return filesBelow(SOURCE).map(absolute => {
    const file = path.relative(SOURCE, absolute)
    const text = readFileSync(absolute, 'utf8')
    const imports = [...text.matchAll(IMPORT)].map(found => {
      const target = found[2] ?? found[3] ?? ''
      const from = target.startsWith('.') ? path.relative(SOURCE, path.resolve(path.dirname(absolute), target)) : target
      return { from, typeOnly: found[1] !== undefined }
    })
    const folder = file.includes(path.sep) ? (file.split(path.sep)[0] ?? TOP) : TOP
    return { file, folder, imports }
  })
}

const modules = readModules()
const folderOf = (file: string): string => (file.includes('/') ? (file.split('/')[0] ?? TOP) : TOP)
const isOwn = (from: string): boolean => from.endsWith('.ts')

test('a mechanism imports no domain', async () => {
  const faults = modules
    .filter(module => MECHANISMS.has(module.folder))
    .flatMap(module =>
      module.imports
        .filter(({ from }) => isOwn(from) && folderOf(from) !== TOP && !MECHANISMS.has(folderOf(from)))
        .map(({ from }) => `${module.file} imports ${from}`),
    )
  assert.deepEqual(faults, [])
})

test('a domain imports another only through its index.ts', async () => {
  const faults = modules
    .filter(module => module.folder !== TOP && module.folder !== 'ctl')
    .flatMap(module =>
      module.imports
        .filter(({ from }) => {
          const folder = folderOf(from)
          if (!isOwn(from) || folder === TOP || folder === module.folder || MECHANISMS.has(folder)) return false
          return from !== `${folder}/index.ts`
        })
        .map(({ from }) => `${module.file} imports ${from}`),
    )
  assert.deepEqual(faults, [])
})

test('no import cycle at run time', async () => {
  const graph = new Map(
    modules.map(module => [
      module.file,
      module.imports.filter(({ from, typeOnly }) => isOwn(from) && !typeOnly).map(({ from }) => from),
    ]),
  )
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (file: string, trail: string[]): void => {
    if (trail.includes(file)) {
      cycles.push([...trail.slice(trail.indexOf(file)), file].join(' -> '))
      return
    }
    if (done.has(file)) return
    for (const next of graph.get(file) ?? []) visit(next, [...trail, file])
    done.add(file)
  }
  for (const file of graph.keys()) visit(file, [])
  assert.deepEqual(cycles, [])
})

test('native code, the database driver, LISTEN and the environment have one border each', async () => {
  const allowed: Record<string, (file: string) => boolean> = {
    'uWebSockets.js': file => file.startsWith('http/') || file.startsWith('streaming/'),
    pg: file => file.startsWith('database/'),
    'pg-listen': file => file.startsWith('events/'),
  }
  const faults = modules.flatMap(module =>
    module.imports
      .filter(({ from }) => allowed[from]?.(module.file) === false)
      .map(({ from }) => `${module.file} imports ${from}`),
  )
  assert.deepEqual(faults, [])
  const environment = modules
    .filter(module => /process\.env\b/.test(readFileSync(path.join(SOURCE, module.file), 'utf8')))
    .map(module => module.file)
    // main.ts and ctl/main.ts hand it to readConfig; PostgreSQL's own programs are given what is there.
    .filter(file => !/(^|\/)main\.ts$|^config\.ts$|^database\/embedded\/|^database\/dump\.ts$/.test(file))
  assert.deepEqual(environment, [])
})

test('no file of the source is longer than 450 lines', async () => {
  const long = modules
    .map(module => ({
      file: module.file,
      lines: readFileSync(path.join(SOURCE, module.file), 'utf8').split('\n').length,
    }))
    .filter(({ lines }) => lines > 450)
  assert.deepEqual(long, [])
})

test('tests run on tap: no file imports the test runner of Node', async () => {
  const faults = ['src', 'test', 'bench'].flatMap(folder =>
    filesBelow(path.join(ROOT, folder))
      .filter(file => [...readFileSync(file, 'utf8').matchAll(IMPORT)].some(found => isOfNode(found[2] ?? found[3])))
      .map(file => path.relative(ROOT, file)),
  )
  assert.deepEqual(faults, [])
})

const isOfNode = (from: string | undefined): boolean => from?.startsWith('node:test') === true

test('what is documented exists: paths and npm scripts named in Markdown files', async () => {
  const scripts = (
    JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
  ).scripts
  const faults: string[] = []
  for (const name of readdirSync(ROOT).filter(file => file.endsWith('.md'))) {
    const text = readFileSync(path.join(ROOT, name), 'utf8')
    for (const [, script] of text.matchAll(/npm run (?:--silent )?([a-z:]+)/g)) {
      if (script !== undefined && !(script in scripts)) faults.push(`${name}: npm run ${script}`)
    }
    for (const [, file] of text.matchAll(/`((?:src|sql|test|bench)\/[\w./-]*)`/g)) {
      // DOMAIN and NAME stand for any.
      if (file !== undefined && !/DOMAIN|NAME/.test(file) && !exists(path.join(ROOT, file)))
        faults.push(`${name}: ${file}`)
    }
  }
  assert.deepEqual(faults, [])
})

function exists(file: string): boolean {
  try {
    readFileSync(file)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EISDIR'
  }
}
