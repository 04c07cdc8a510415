import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'

/* The structure that CONTRIBUTING.md describes. */

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const SOURCE = path.join(ROOT, 'src')

/**
 * The districts of src, in the order in which they build on each other: each imports only those
 * before it.
 */
const DISTRICTS = [
  'core',
  'platform',
  'media',
  'accounts',
  'statuses',
  'moderation',
  'auth',
  'instance',
  'notifications',
  'timelines',
  'federation',
  'web',
  'administration',
  'app',
  'cli',
]
/**
 * Districts whose files anybody above may import; the rooms of the others are entered through their
 * index.ts.
 */
const OPEN_DISTRICTS = new Set(['core', 'platform', 'app'])
/** Beside the districts: the entry of the server. */
const ENTRIES = ['main.ts']

interface Module {
  readonly file: string
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
    const text = readFileSync(absolute, 'utf8')
    const imports = [...text.matchAll(IMPORT)].map(found => {
      const target = found[2] ?? found[3] ?? ''
      const from = target.startsWith('.') ? path.relative(SOURCE, path.resolve(path.dirname(absolute), target)) : target
      return { from, typeOnly: found[1] !== undefined }
    })
    return { file: path.relative(SOURCE, absolute), imports }
  })
}

const modules = readModules()
const isOwn = (from: string): boolean => from.endsWith('.ts')
const districtOf = (file: string): string => file.split('/')[0] ?? ''

/**
 * A folder of a district, such as `accounts/relationships`, or the district itself for the files at
 * its top.
 */
const roomOf = (file: string): string =>
  file
    .split('/')
    .slice(0, file.split('/').length > 2 ? 2 : 1)
    .join('/')

test('src holds the districts and the entries', async () => {
  assert.deepEqual(readdirSync(SOURCE).toSorted(), [...DISTRICTS, ...ENTRIES].toSorted())
  const withoutIndex = DISTRICTS.filter(district => !existsSync(path.join(SOURCE, district, 'index.ts')))
  assert.deepEqual(withoutIndex, [])
})

test('a district imports only districts before it, types included', async () => {
  const faults = modules
    .filter(({ file }) => !ENTRIES.includes(file))
    .flatMap(({ file, imports }) =>
      imports
        .filter(({ from }) => isOwn(from) && DISTRICTS.indexOf(districtOf(from)) > DISTRICTS.indexOf(districtOf(file)))
        .map(({ from }) => `${file} imports ${from}`),
    )
  assert.deepEqual(faults, [])
})

test('a room is entered through its index.ts', async () => {
  const faults = modules
    .filter(({ file }) => !ENTRIES.includes(file) && !['app', 'cli'].includes(districtOf(file)))
    .flatMap(({ file, imports }) =>
      imports
        .filter(({ from }) => isOwn(from) && !OPEN_DISTRICTS.has(districtOf(from)) && roomOf(from) !== roomOf(file))
        .filter(({ from }) => path.basename(from) !== 'index.ts')
        .map(({ from }) => `${file} imports ${from}`),
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

test('file and folder names are snake_case', async () => {
  const faults = ['src', 'sql', 'test', 'bench']
    .flatMap(folder =>
      readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(name => `${folder}/${name}`),
    )
    .filter(
      name =>
        !name.startsWith('bench/results') && !/^([a-z0-9_]+(\.[a-z0-9_]+)*|README\.md)$/.test(path.basename(name)),
    )
  assert.deepEqual(faults, [])
})

test('sql/queries and test have the folders of src', async () => {
  const foldersOf = (root: string): string[] =>
    readdirSync(path.join(ROOT, root), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isDirectory())
      .map(entry => path.relative(path.join(ROOT, root), path.join(entry.parentPath, entry.name)))
  const there = new Set(foldersOf('src'))
  const ofTests = new Set([
    'bench',
    'browser',
    'clients',
    'conformance',
    'contract',
    'faults',
    'fuzz',
    'runner',
    'support',
    'visibility',
  ])
  const strays = [
    ...foldersOf('sql/queries')
      .filter(folder => !there.has(folder))
      .map(folder => `sql/queries/${folder}`),
    ...foldersOf('test')
      .filter(folder => !there.has(folder) && !ofTests.has(districtOf(folder)))
      .map(folder => `test/${folder}`),
  ]
  assert.deepEqual(strays, [])
})

test('native code, the database driver, LISTEN and the environment have one border each', async () => {
  const allowed: Record<string, (file: string) => boolean> = {
    'uWebSockets.js': file => file.startsWith('platform/http/') || file.startsWith('platform/streaming/'),
    pg: file => file.startsWith('platform/database/'),
    'pg-listen': file => file.startsWith('platform/events/'),
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
    // The entries hand it to readConfig; PostgreSQL's own programs inherit it.
    .filter(
      file =>
        !/(^|\/)main\.ts$|^app\/preparation\.ts$|^core\/config\.ts$|^platform\/database\/embedded|^platform\/database\/dump\.ts$/.test(
          file,
        ),
    )
  assert.deepEqual(environment, [])
})

test('URLs and domains of others are parsed by parse_url.ts, which bounds the time that it takes', async () => {
  const isOfOperator = /^core\/(?:parse_url|config_values|environment|service_urls)\.ts$|^cli\//
  const found = modules
    .filter(({ file }) => !isOfOperator.test(file))
    .filter(({ file }) =>
      /URL\.(?:canParse|parse)\(|domainToASCII\(/.test(readFileSync(path.join(SOURCE, file), 'utf8')),
    )
    .map(({ file }) => file)
  assert.deepEqual(found, [])
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
  const isOfNode = (from: string | undefined): boolean => from?.startsWith('node:test') === true
  const faults = ['src', 'test', 'bench'].flatMap(folder =>
    filesBelow(path.join(ROOT, folder))
      .filter(file => [...readFileSync(file, 'utf8').matchAll(IMPORT)].some(found => isOfNode(found[2] ?? found[3])))
      .map(file => path.relative(ROOT, file)),
  )
  assert.deepEqual(faults, [])
})

const GENERATED = 'schema.sql'

/** A comment of one word, such as a URL, cannot be wrapped. */
const isLongComment = (line: string): boolean =>
  line.length > 100 && /^\s*(?:\/\/|\/?\*|--)/.test(line) && !/^\s*\S+ \S+$/.test(line)

test('no comment line is longer than 100 columns', async () => {
  const faults = ['src', 'sql', 'bench', 'test'].flatMap(folder =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter(name => /\.(?:ts|sql)$/.test(name) && name !== GENERATED)
      .flatMap(name =>
        readFileSync(path.join(ROOT, folder, name), 'utf8')
          .split('\n')
          .flatMap((line, at) => (isLongComment(line) ? [`${folder}/${name}:${at + 1}`] : [])),
      ),
  )
  assert.deepEqual(faults, [])
})
