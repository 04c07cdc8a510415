import { LRUCache } from 'lru-cache'
import type { Observable } from 'rxjs'
import { effectivePermissions } from '../../core/permissions.ts'
import { c, query, type Row } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { onEvents, type EventHandlers, type LoggedEvent } from '../../platform/events/index.ts'
import { hashSecret } from '../../core/secret.ts'
import { findBrowserUser } from '../sessions/index.ts'
import type { Token, UserState, Viewer } from '../../core/viewer.ts'
import type { TokenStore } from '../../platform/http/token_store.ts'
import type { Id } from '../../core/id.ts'
import { createTokenUses } from './token_uses.ts'

const viewerColumns = {
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
}

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
    unused_ms: c.nullable(c.float),
    ...viewerColumns,
    account_id: c.nullable(c.id),
  },
  { pipelined: true },
)

const findViewer = query('auth/oauth/find_viewer', { user: c.id }, viewerColumns, { pipelined: true })

const STATES: readonly UserState[] = ['functional', 'unconfirmed', 'pending', 'disabled']

/** Finds tokens and users, and caches them until an event invalidates them. */
export interface Tokens extends TokenStore {
  /** Ignores further events, and records the uses that wait. */
  close(): Promise<void>
}

/** The maximum number of cached tokens, and of cached viewers. */
const MAX_CACHED = 20_000

const viewerOf = (userId: Id, row: Row<typeof viewerColumns>): Viewer => ({
  id: row.account_id,
  userId,
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
})

/** Applications ask for few different scopes, and a set of all of them takes 2.5 kB. */
const scopeSets = new LRUCache<string, ReadonlySet<string>>({ max: 500 })

function scopeSetOf(scopes: readonly string[]): ReadonlySet<string> {
  const key = scopes.join(' ')
  const known = scopeSets.get(key)
  if (known) return known
  const made = new Set(scopes)
  scopeSets.set(key, made)
  return made
}

const tokenOf = (row: Row<typeof findToken.columns>): KnownToken => ({
  id: row.id,
  applicationId: row.application_id,
  scopes: scopeSetOf(row.scopes),
  revoked: row.revoked,
  createdAt: row.created_at,
  userId: row.user_id,
  accountId: row.account_id,
})

/** The user of the token: undefined if it does not exist, null for a token without one. */
function userOf(row: Row<typeof findToken.columns>): Viewer | null | undefined {
  const { user_id: userId, account_id: account } = row
  if (userId === null) return null
  return account === null ? undefined : viewerOf(userId, { ...row, account_id: account })
}

/** The cached viewers by user, and the users of their accounts, which events name. */
class CachedViewers {
  readonly #userOfAccount = new Map<Id, Id>()
  readonly #viewers: LRUCache<Id, Viewer>

  constructor(max: number) {
    const dispose = ({ id }: Viewer): void => void this.#userOfAccount.delete(id)
    this.#viewers = new LRUCache({ max, noDisposeOnSet: true, dispose })
  }

  get(userId: Id): Viewer | undefined {
    return this.#viewers.get(userId)
  }

  set(viewer: Viewer): void {
    this.#viewers.set(viewer.userId, viewer)
    this.#userOfAccount.set(viewer.id, viewer.userId)
  }

  deleteAccount(account: Id): void {
    const user = this.#userOfAccount.get(account)
    if (user !== undefined) this.#viewers.delete(user)
  }

  clear(): void {
    this.#viewers.clear()
  }
}

/** Drops the token with this id; all tokens of the account when the id is null. */
function deleteRevoked(tokens: LRUCache<string, KnownToken>, account: Id | null, revoked: Id | null): void {
  for (const [key, token] of tokens.entries()) {
    const isOne = revoked === null ? token.accountId === account : token.id === revoked
    if (isOne) tokens.delete(key)
  }
}

/** Tokens and viewers in memory, until an event concerns them. */
class TokenCache {
  readonly tokens: LRUCache<string, KnownToken>
  readonly viewers: CachedViewers
  /** Incremented by each change, so that values loaded in the meantime are not cached. */
  changes = 0
  revocations = 0

  constructor(max: number) {
    this.tokens = new LRUCache({ max })
    this.viewers = new CachedViewers(max)
  }

  readonly handlers: EventHandlers = {
    'token.revoked': ({ account_id: account, object_id: revoked }) => {
      this.revocations += 1
      deleteRevoked(this.tokens, account, revoked)
      this.#dropViewer(account)
    },
    'user.changed': event => this.#dropViewer(event.account_id),
    'account.changed': event => this.#dropViewer(event.account_id),
    'role.changed': () => {
      this.changes += 1
      this.viewers.clear()
    },
    'caches.cleared': ({ data }) => {
      if (data.change !== 'all') return
      this.changes += 1
      this.revocations += 1
      this.tokens.clear()
      this.viewers.clear()
    },
  }

  #dropViewer(account: Id | null): void {
    this.changes += 1
    if (account !== null) this.viewers.deleteAccount(account)
  }
}

export function openTokens(
  { database, config }: Pick<Services, 'database' | 'config'>,
  local$: Observable<LoggedEvent>,
  onError: (error: unknown) => void,
  max = MAX_CACHED,
): Tokens {
  const cache = new TokenCache(max)
  const { tokens, viewers } = cache
  const uses = createTokenUses(database, onError)
  const subscription = onEvents(local$, cache.handlers)

  async function viewer(userId: Id): Promise<Viewer | undefined> {
    const known = viewers.get(userId)
    if (known) return known
    const before = cache.changes
    const row = await database.one(findViewer, { user: userId })
    if (!row) return undefined
    const found = viewerOf(userId, row)
    if (before === cache.changes) viewers.set(found)
    return found
  }

  /** Reads the token together with its user. */
  async function load(secret: string): Promise<Token | undefined> {
    const before = cache.changes
    const row = await database.one(findToken, { token_hash: hashSecret(secret) })
    if (!row) return undefined
    uses.noteRecorded(row.id, row.unused_ms)
    const token = tokenOf(row)
    const user = userOf(row)
    if (before === cache.changes) {
      tokens.set(secret, token)
      if (user) viewers.set(user)
    }
    return user === undefined ? undefined : { ...token, viewer: user }
  }

  async function withUser(token: KnownToken): Promise<Token | undefined> {
    const user = token.userId === null ? null : (viewers.get(token.userId) ?? (await viewer(token.userId)))
    return user === undefined ? undefined : { ...token, viewer: user }
  }

  async function find(secret: string): Promise<Token | undefined> {
    for (;;) {
      const before = cache.revocations
      const known = tokens.get(secret)
      const token = known ? await withUser(known) : await load(secret)
      // The token may have been revoked during the look-up; nothing else would close a stream that
      // opens with it.
      if (before === cache.revocations) return token
    }
  }

  return {
    find,
    viewer,
    async browserUser(request) {
      const user = await findBrowserUser({ database, config }, request)
      return user === undefined ? undefined : viewer(user)
    },
    touch: uses.touch,
    close() {
      subscription.unsubscribe()
      return uses.close()
    },
  }
}

interface KnownToken extends Omit<Token, 'viewer'> {
  readonly userId: Id | null
  readonly accountId: Id | null
}
