import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { LRUCache } from 'lru-cache'
import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import { decrypt, encrypt } from '../../platform/secrets/index.ts'
import { perServer, type Services } from '../../platform/services.ts'

const save = query(
  'federation/save_key',
  { account: c.nullable(c.id), public_key: c.text, private_key: c.bytes },
  { public_key: c.text, private_key: c.bytes },
)
const find = query('federation/own_key', { account: c.nullable(c.id) }, { public_key: c.text, private_key: c.bytes })

export interface OwnKey {
  readonly publicKeyPem: string
  readonly privateKey: KeyObject
}

const PURPOSE = 'signing key of an actor'
/** The owner of the instance actor's key, for the encryption. */
const INSTANCE = 'instance'
const MAX_KEYS = 1000

const makePair = promisify(generateKeyPair)

async function readOrMake({ database, secrets }: Services, account: Id | null): Promise<OwnKey> {
  const owner = account ?? INSTANCE
  let stored = await database.one(find, { account })
  if (!stored) {
    const pair = await makePair('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    })
    const private_key = encrypt(secrets.cookieSecret, PURPOSE, owner, pair.privateKey)
    stored = await database.one(save, { account, public_key: pair.publicKey, private_key })
  }
  const text = stored && decrypt(secrets.cookieSecret, PURPOSE, owner, stored.private_key)
  if (stored === undefined || text === undefined) throw new Error(`the signing key of ${owner} cannot be decrypted`)
  return { publicKeyPem: stored.public_key, privateKey: createPrivateKey(text) }
}

/**
 * The key pairs of local accounts, and of the server's own actor (null). A pair is made at first
 * use, because most accounts of a new server never sign anything.
 */
export const ownKeys = perServer(services => {
  const keys = new LRUCache<string, Promise<OwnKey>>({ max: MAX_KEYS })
  return {
    of(account: Id | null): Promise<OwnKey> {
      const name = account ?? INSTANCE
      const known = keys.get(name)
      if (known) return known
      const reading = readOrMake(services, account)
      keys.set(name, reading)
      reading.catch(() => keys.delete(name))
      return reading
    },
  }
})
