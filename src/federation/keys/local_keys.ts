import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { LRUCache } from 'lru-cache'
import type { Id } from '../../core/id.ts'
import { c, query, type Row, type Runner } from '../../platform/database/index.ts'
import { onEvents } from '../../platform/events/index.ts'
import { decrypt, encrypt } from '../../platform/secrets/index.ts'
import { perServer, type Services } from '../../platform/services.ts'

const save = query(
  'federation/keys/save_key',
  { account: c.nullable(c.id), public_key: c.text, private_key: c.bytes },
  { public_key: c.text, private_key: c.bytes },
)
const rotate = query(
  'federation/keys/rotate_key',
  { account: c.id, public_key: c.text, private_key: c.bytes },
  { previous: c.bytes, events: c.events },
)
const find = query(
  'federation/keys/local_key',
  { account: c.nullable(c.id) },
  { public_key: c.text, private_key: c.bytes },
)

export interface LocalKey {
  readonly publicKeyPem: string
  readonly privateKey: KeyObject
}

const PURPOSE = 'signing key of an actor'
/** Stands for the instance actor as the owner in the encryption. */
const INSTANCE = 'instance'
const MAX_KEYS = 1000

const generate = promisify(generateKeyPair)

/** A key pair as it is stored: the private key is encrypted. */
type StoredKey = Row<typeof find.columns>

/** Creates a key pair for an account, or for the instance actor (null), without storing it. */
export async function createKeyPair({ secrets }: Services, account: Id | null): Promise<StoredKey> {
  const pair = await generate('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const private_key = encrypt(secrets.cookieSecret, PURPOSE, account ?? INSTANCE, pair.privateKey)
  return { public_key: pair.publicKey, private_key }
}

/**
 * Replaces the key pair of an account.
 * @returns the previous private key, encrypted; undefined when the account had none and nothing is
 *   stored
 */
export const replaceKeyPair = async (runner: Runner, account: Id, keyPair: StoredKey): Promise<Buffer | undefined> =>
  (await runner.one(rotate, { account, ...keyPair }))?.previous

/** Decrypts a stored private key of an account, or of the instance actor (null). */
export function decryptPrivateKey({ secrets }: Services, account: Id | null, stored: Buffer): KeyObject {
  const owner = account ?? INSTANCE
  const text = decrypt(secrets.cookieSecret, PURPOSE, owner, stored)
  if (text === undefined) throw new Error(`the signing key of ${owner} cannot be decrypted`)
  return createPrivateKey(text)
}

async function loadOrCreate(services: Services, account: Id | null): Promise<LocalKey> {
  const { database } = services
  const stored =
    (await database.one(find, { account })) ??
    (await database.one(save, { account, ...(await createKeyPair(services, account)) }))
  if (!stored) throw new Error('a signing key was not stored')
  return { publicKeyPem: stored.public_key, privateKey: decryptPrivateKey(services, account, stored.private_key) }
}

/**
 * The key pairs of local accounts, and of the instance actor (null). A pair is created at first
 * use, because most accounts of a new server never sign anything.
 */
export const localKeys = perServer(services => {
  const keys = new LRUCache<string, Promise<LocalKey>>({ max: MAX_KEYS })
  const subscription = onEvents(services.events.local$, {
    'signing_key.changed': ({ account_id: account }) => void keys.delete(account),
    'caches.cleared': () => keys.clear(),
  })
  services.onClose(() => subscription.unsubscribe())
  return {
    get(account: Id | null): Promise<LocalKey> {
      const name = account ?? INSTANCE
      const cached = keys.get(name)
      if (cached) return cached
      const loading = loadOrCreate(services, account)
      keys.set(name, loading)
      loading.catch(() => keys.delete(name))
      return loading
    },
  }
})
