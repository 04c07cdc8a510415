import { LRUCache } from 'lru-cache'
import type { Observable } from 'rxjs'
import { effectivePermissions } from '../../core/permissions.ts'
import { c, query, type Database } from '../../platform/database/index.ts'
import { onEvents, type LoggedEvent } from '../../platform/events/index.ts'
import { hashSecret } from '../../core/secret.ts'
import type { Token, UserState, Viewer } from '../../core/viewer.ts'
import type { TokenStore } from '../../platform/http/token_store.ts'
import type { Id } from '../../core/id.ts'

const findToken = query(
  'auth/oauth/find_token',
  { token_hash: c.bytes },
  {
    id: c.id,
    application_id: c.nullable(c.id),
    scopes: c.texts,
    revoked: c.boolean,
    created_at: c.timestamp,
    user_id: c.nullable(c.id),
    account_id: c.nullable(c.id),
  },
)

const findViewer = query(
  'auth/oauth/find_viewer',
  { user: c.id },
  {
    user_id: c.id,
    account_id: c.id,
    username: c.text,
    state: c.text,
    suspended: c.boolean,
    missing_factor: c.boolean,
    silenced: c.boolean,
    locked: c.boolean,
    locale: c.nullable(c.text),
    time_zone: c.nullable(c.text),
    chosen_languages: c.nullable(c.texts),
    permissions: c.integer,
    role_position: c.integer,
    preferences: c.json<Record<string, unknown>>(),
  },
)

const touchToken = query('auth/oauth/touch_token', { token: c.id, ip: c.inet }, {})

const TOUCH_EVERY_MS = 24 * 60 * 60 * 1000

const STATES: readonly UserState[] = ['functional', 'unconfirmed', 'pending', 'disabled']

/** Finds tokens and users, and caches them until an event invalidates them. */
export interface Tokens extends TokenStore {
  close(): void
}

/** The maximum number of cached tokens, and of cached viewers. */
const REMEMBERED = 20_000

export function openTokens(
  database: Database,
  local$: Observable<LoggedEvent>,
  onError: (error: unknown) => void,
  max = REMEMBERED,
): Tokens {
  const tokens = new LRUCache<string, KnownToken>({ max })
  /** For cached viewers only: events name accounts. */
  const userOfAccount = new Map<Id, Id>()
  const viewers = new LRUCache<Id, Viewer>({
    max,
    noDisposeOnSet: true,
    dispose: ({ id }) => void userOfAccount.delete(id),
  })
  // Incremented by each change, so that values loaded in the meantime are not cached.
  let changes = 0
  let revocations = 0

  function forgetViewer(account: Id | null): void {
    changes += 1
    const user = account === null ? undefined : userOfAccount.get(account)
    if (user !== undefined) viewers.delete(user)
  }

  const subscription = onEvents(local$, {
    'token.revoked': ({ account_id: account, object_id: revoked }) => {
      revocations += 1
      for (const [key, token] of tokens.entries()) {
        const isOne = revoked === null ? token.accountId === account : token.id === revoked
        if (isOne) tokens.delete(key)
      }
      forgetViewer(account)
    },
    'user.changed': event => forgetViewer(event.account_id),
    'account.changed': event => forgetViewer(event.account_id),
    'role.changed': () => {
      changes += 1
      viewers.clear()
    },
  })

  async function viewer(userId: Id): Promise<Viewer | undefined> {
    const known = viewers.get(userId)
    if (known) return known
    const before = changes
    const row = await database.one(findViewer, { user: userId })
    if (!row) return undefined
    const found: Viewer = {
      id: row.account_id,
      userId: row.user_id,
      username: row.username,
      state: STATES.find(state => state === row.state) ?? 'disabled',
      suspended: row.suspended,
      missingFactor: row.missing_factor,
      silenced: row.silenced,
      locked: row.locked,
      locale: row.locale,
      timeZone: row.time_zone,
      chosenLanguages: row.chosen_languages,
      permissions: effectivePermissions(row.permissions),
      rolePosition: row.role_position,
      preferences: row.preferences,
    }
    if (before === changes) {
      viewers.set(userId, found)
      userOfAccount.set(found.id, userId)
    }
    return found
  }

  async function load(secret: string): Promise<KnownToken | undefined> {
    const before = changes
    const row = await database.one(findToken, { token_hash: hashSecret(secret) })
    if (!row) return undefined
    const token: KnownToken = {
      id: row.id,
      applicationId: row.application_id,
      scopes: new Set(row.scopes),
      revoked: row.revoked,
      createdAt: row.created_at,
      userId: row.user_id,
      accountId: row.account_id,
    }
    if (before === changes) tokens.set(secret, token)
    return token
  }

  async function find(secret: string): Promise<Token | undefined> {
    for (;;) {
      const before = revocations
      const token = tokens.get(secret) ?? (await load(secret))
      if (!token) return undefined
      const user = token.userId === null ? null : (viewers.get(token.userId) ?? (await viewer(token.userId)))
      if (user === undefined) return undefined
      // The token may have been revoked during the look-up of its user; nothing else would close a
      // stream that opens with it.
      if (before === revocations) return { ...token, viewer: user }
    }
  }

  const touched = new LRUCache<Id, number>({ max: 50_000 })
  return {
    find,
    viewer,
    touch(token, address) {
      const now = Date.now()
      if (now - (touched.get(token.id) ?? 0) < TOUCH_EVERY_MS) return
      touched.set(token.id, now)
      database.run(touchToken, { token: token.id, ip: address }).catch(onError)
    },
    close: () => subscription.unsubscribe(),
  }
}

interface KnownToken extends Omit<Token, 'viewer'> {
  readonly userId: Id | null
  readonly accountId: Id | null
}
