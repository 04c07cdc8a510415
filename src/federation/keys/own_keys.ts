import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { LRUCache } from 'lru-cache'
import type { Id } from '../../core/id.ts'
import { c, query, type Row, type Runner } from '../../platform/database/index.ts'
import { onEvents } from '../../platform/events/index.ts'
import { decrypt, encrypt } from '../../platform/secrets/index.ts'
import { perServer, type Services } from '../../platform/services.ts'

const save = query(
  'federation/save_key',
  { account: c.nullable(c.id), public_key: c.text, private_key: c.bytes },
  { public_key: c.text, private_key: c.bytes },
)
const rotate = query(
  'federation/rotate_key',
  { account: c.id, public_key: c.text, private_key: c.bytes },
  { previous: c.bytes, events: c.events },
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

/** A key pair as it is stored: the private key is encrypted. */
type StoredKey = Row<typeof find.columns>

/** A new key pair for an account, or for the server's own actor (null). */
export async function makeOwnKey({ secrets }: Services, account: Id | null): Promise<StoredKey> {
  const pair = await makePair('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const private_key = encrypt(secrets.cookieSecret, PURPOSE, account ?? INSTANCE, pair.privateKey)
  return { public_key: pair.publicKey, private_key }
}

/** Stores a new key pair of an account; its private key until now, if it had one. */
export const replaceOwnKey = async (runner: Runner, account: Id, made: StoredKey): Promise<Buffer | undefined> =>
  (await runner.one(rotate, { account, ...made }))?.previous

/** The private key of an account as it is stored. */
export function openPrivateKey({ secrets }: Services, account: Id | null, stored: Buffer): KeyObject {
  const owner = account ?? INSTANCE
  const text = decrypt(secrets.cookieSecret, PURPOSE, owner, stored)
  if (text === undefined) throw new Error(`the signing key of ${owner} cannot be decrypted`)
  return createPrivateKey(text)
}

async function readOrMake(services: Services, account: Id | null): Promise<OwnKey> {
  const { database } = services
  const stored =
    (await database.one(find, { account })) ??
    (await database.one(save, { account, ...(await makeOwnKey(services, account)) }))
  if (!stored) throw new Error('a signing key was not stored')
  return { publicKeyPem: stored.public_key, privateKey: openPrivateKey(services, account, stored.private_key) }
}

/**
 * The key pairs of local accounts, and of the server's own actor (null). A pair is made at first
 * use, because most accounts of a new server never sign anything.
 */
export const ownKeys = perServer(services => {
  const keys = new LRUCache<string, Promise<OwnKey>>({ max: MAX_KEYS })
  const subscription = onEvents(services.events.local$, {
    'signing_key.changed': ({ account_id: account }) => void keys.delete(account),
  })
  services.onClose(() => subscription.unsubscribe())
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
