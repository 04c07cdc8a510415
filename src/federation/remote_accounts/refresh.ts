import { removePictures } from '../../accounts/index.ts'
import type { Id } from '../../core/id.ts'
import { c, query, type Row } from '../../platform/database/index.ts'
import { OutgoingFailure } from '../../platform/http_client/index.ts'
import { enqueue } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { copyPicture } from './pictures.ts'
import { resolveActor } from './resolve.ts'

const REMOTE = { id: c.id, uri: c.text, acct: c.text } as const
const findRefreshed = query(
  'federation/remote_accounts/refreshed',
  { domain: c.nullable(c.text), account: c.nullable(c.id), after: c.id, limit: c.integer },
  REMOTE,
)
const copyAgain = query(
  'federation/remote_accounts/copy_again',
  { account: c.id },
  { copies: c.texts, unused: c.texts, events: c.events },
)

/** An account of another server. */
export type RemoteAccount = Row<typeof REMOTE>

const PORTION = 500

/** Accounts of other servers: all, those of a domain, or one. */
export async function* remoteAccounts(
  { database }: Services,
  { domain = null, account = null }: { domain?: string | null; account?: Id | null },
): AsyncGenerator<RemoteAccount> {
  for (let after: Id = '0'; ;) {
    const rows = await database.run(findRefreshed, { domain, account, after, limit: PORTION })
    yield* rows
    const last = rows.at(-1)
    if (!last) return
    after = last.id
  }
}

/**
 * Fetches an account of another server, and has its avatar and header copied once more.
 * @returns whether its server has answered
 */
export async function refreshAccount(services: Services, { id, uri }: RemoteAccount): Promise<boolean> {
  try {
    if ((await resolveActor(services, uri, { refresh: true })) === undefined) return false
  } catch (error) {
    if (!(error instanceof OutgoingFailure)) throw error
    return false
  }
  await services.database.transaction(async transaction => {
    const again = await transaction.one(copyAgain, { account: id })
    for (const kind of again?.copies ?? []) await enqueue(transaction, copyPicture, { account: id, kind })
    const unused = new Set(again?.unused)
    if (unused.size > 0) await enqueue(transaction, removePictures, { keys: [...unused] })
  })
  return true
}
