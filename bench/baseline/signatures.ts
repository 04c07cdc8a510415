import { createHash, createSign, createVerify, generateKeyPairSync } from 'node:crypto'
import pg from 'pg'
import { startEmbedded } from '../../src/platform/database/embedded/index.ts'
import { serveOrders } from '../load/child.ts'

/**
 * The least that exchange with other servers costs here: one signature checked or made, and one
 * row inserted, without HTTP.
 */
export interface SignatureOrder {
  readonly dataDir: string
  readonly what: 'check' | 'sign'
  readonly count: number
}

export interface SignatureOutcome {
  readonly seconds: number
}

const AT_ONCE = 10
const TEXT = 'x'.repeat(300)
const BODY = 'y'.repeat(1500)
const INSERT = { name: 'insert', text: 'insert into bench_activities (body) values ($1)' }

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const signature = createSign('sha256').update(TEXT).sign(privateKey)

async function repeat({ dataDir, what, count }: SignatureOrder): Promise<SignatureOutcome> {
  const embedded = await startEmbedded({ dataDir, log: () => undefined })
  const pool = new pg.Pool({ ...embedded.connection, max: AT_ONCE })
  await pool.query(
    'create table if not exists bench_activities (id bigint generated always as identity primary key, body text not null)',
  )
  let left = count
  const lane = async (): Promise<void> => {
    for (; left > 0; left -= 1) {
      createHash('sha256').update(BODY).digest('base64')
      if (what === 'check') createVerify('sha256').update(TEXT).verify(publicKey, signature)
      else createSign('sha256').update(TEXT).sign(privateKey)
      await pool.query({ ...INSERT, values: [BODY] })
    }
  }
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  const seconds = (performance.now() - startedAt) / 1000
  await pool.end()
  await embedded.close()
  return { seconds }
}

if (process.send) serveOrders(repeat)
