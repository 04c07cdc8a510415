import { randomBytes } from 'node:crypto'
import { c, query, type Database } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { issueToken } from '../../auth/oauth/issue.ts'
import { hashPassword } from '../../platform/password_hashing/index.ts'
import type { Storage } from '../../platform/storage/index.ts'
import { storeSamples } from './pictures.ts'
import { addBenchShapes, type CreatedShapes, type Shapes } from './bench_shapes.ts'
import { generateDataset, type Size } from './dataset.ts'
import { writeDataset, type WriteOptions } from './write.ts'

/** Generated accounts and statuses: data of any size for trials and benchmarks. */

export type { CreatedShapes, Shapes } from './bench_shapes.ts'

const countUsersQuery = query('cli/seed/count_users', {}, { seeded: c.integer, others: c.integer })
const typicalUsersQuery = query(
  'cli/seed/typical_users',
  { limit: c.integer },
  { user_id: c.id, id: c.id, username: c.text, email: c.text },
)
const applicationQuery = query('cli/seed/add_application', { client_id: c.text, scopes: c.texts }, { id: c.id })

const TOKEN_SCOPES = ['read', 'write', 'follow', 'push']

export interface SeedSize extends Omit<Size, 'from' | 'seed'> {
  readonly seed: number
}

export interface SeedOptions extends Pick<WriteOptions, 'publicUrl' | 'onStart' | 'onRows' | 'onStep'> {
  /** The password of every account. */
  password: string
  /** Where pictures are stored. */
  storage: Storage
}

/** The number of seeded and other users. */
export async function countUsers(database: Database): Promise<{ seeded: number; others: number }> {
  return (await database.one(countUsersQuery, {})) ?? { seeded: 0, others: 0 }
}

/**
 * Adds generated data. The same size, seed and end give the same data on an empty database; if
 * there is seeded data already, the new accounts have other names and are not related to the old
 * ones.
 * @returns the number of rows by table
 */
export async function seedDatabase(
  database: Database,
  size: SeedSize,
  options: SeedOptions,
): Promise<Record<string, number>> {
  const { seeded, others } = await countUsers(database)
  const passwordHash = await hashPassword(options.password)
  const seed = seeded === 0 ? String(size.seed) : `${size.seed}+${seeded}`
  const dataset = generateDataset({ ...size, seed, from: seeded + 1 }, options.onStep)
  options.onStep('pictures')
  const samples = dataset.attachments.pictures.some(count => count > 0) ? await storeSamples(options.storage) : []
  return writeDataset(database, dataset, { ...options, isInUse: others > 0, passwordHash, samples })
}

/** Generated users whose counts are closest to the average, at most `limit`, for benchmarks. */
export const findTypicalUsers = (
  database: Database,
  limit: number,
): Promise<{ user_id: string; id: string; username: string; email: string }[]> =>
  database.run(typicalUsersQuery, { limit })

/**
 * Adds accounts and threads of the shapes that benchmarks need.
 * @param first follows each of the authors before others do
 */
export const shapeDatabase = async (
  database: Database,
  shapes: Shapes,
  options: { first: readonly Id[]; password: string; step: (what: string) => void },
): Promise<CreatedShapes> =>
  addBenchShapes(database, shapes, { ...options, passwordHash: await hashPassword(options.password) })

/** Creates a bearer token for a user. */
export async function createToken(database: Database, userId: string): Promise<string> {
  const clientId = randomBytes(32).toString('base64url')
  const application = await database.one(applicationQuery, { client_id: clientId, scopes: TOKEN_SCOPES })
  if (!application) throw new Error('the application was not stored')
  const token = await issueToken(database, { applicationId: application.id, userId, scopes: TOKEN_SCOPES })
  return token.access_token
}
