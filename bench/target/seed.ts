import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { ROOT, serverEnvironment } from './server.ts'

/** The amount of data. */
export interface SeedSize {
  readonly accounts: number
  readonly statuses: number
  /** The number of users with tokens. */
  readonly people: number
  /** The number of followers of each author. */
  readonly authors: readonly number[]
  /** The number of users who follow a thousand accounts. */
  readonly readers: number
  readonly following: number
  /** The average number of follows of the others; undefined: the seed's default. */
  readonly followsPerAccount?: number
  /** The number of replies in a thread; 0: no thread. */
  readonly replies: number
}

/** The seed's output, as far as scenarios need it. */
export interface Seeded {
  readonly tokens: readonly string[]
  readonly authors: readonly { readonly followers: number; readonly token: string }[]
  readonly readers: readonly { readonly following: number; readonly token: string }[]
  readonly threads: readonly { readonly id: string }[]
}

/** The file beside the database with the seed's options and output. */
const MANIFEST = 'bench.json'
/** Beyond this number favourites and follows would take too long. */
const MANY_STATUSES = 2_000_000

function argumentsOf(size: SeedSize): string[] {
  const counts = (name: string, values: readonly number[]): string[] =>
    values.length === 0 ? [] : [name, values.join(',')]
  return [
    `--accounts=${size.accounts}`,
    `--statuses=${size.statuses}`,
    `--tokens=${size.people}`,
    ...(size.followsPerAccount === undefined ? [] : [`--follows-per-account=${size.followsPerAccount}`]),
    ...(size.statuses > MANY_STATUSES ? ['--favourites', String(MANY_STATUSES)] : []),
    ...counts('--authors', size.authors),
    ...counts(
      '--readers',
      Array.from({ length: size.readers }, () => size.following),
    ),
    ...counts('--threads', size.replies > 0 ? [size.replies] : []),
  ]
}

/** Data that was not requested is missing. */
type SeedOutput = Pick<Seeded, 'tokens'> & { [K in keyof Seeded]?: Seeded[K] | undefined }

const isSeedOutput = (value: unknown): value is SeedOutput =>
  typeof value === 'object' && value !== null && 'tokens' in value && Array.isArray(value.tokens)

function parseSeeded(output: string): Seeded {
  const value: unknown = JSON.parse(output)
  if (!isSeedOutput(value) || value.tokens.length === 0) throw new Error('the seed returned no tokens')
  const { tokens, authors = [], readers = [], threads = [] } = value
  return { tokens, authors, readers, threads }
}

async function readManifest(dataDir: string, command: string): Promise<Seeded | undefined> {
  try {
    const text = await readFile(path.join(dataDir, MANIFEST), 'utf8')
    const [made = '', output = ''] = text.split('\n')
    return made === command ? parseSeeded(output) : undefined
  } catch {
    return undefined
  }
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )

/**
 * Seeds a data folder, unless it was seeded in the same way before.
 * @param root the folder of the checkout whose code seeds it
 * @throws Error if it contains other data
 */
export async function seedFolder(dataDir: string, size: SeedSize, port: number, root = ROOT): Promise<Seeded> {
  const given = argumentsOf(size)
  const command = given.join(' ')
  const known = await readManifest(dataDir, command)
  if (known) return known
  if (await exists(path.join(dataDir, 'postgres')))
    throw new Error(`${dataDir} contains other data: name another folder, or remove it`)
  await mkdir(dataDir, { recursive: true })
  const child = spawn(process.execPath, [path.join(root, 'src/cli/main.ts'), 'seed', ...given, '--json'], {
    env: serverEnvironment(dataDir, port, 1),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  if (code !== 0) throw new Error(`seeding failed: ${errors}`)
  const seeded = parseSeeded(output)
  await writeFile(path.join(dataDir, MANIFEST), `${command}\n${output}`)
  return seeded
}
