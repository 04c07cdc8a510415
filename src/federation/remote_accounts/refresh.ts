import { removePictures } from '../../accounts/index.ts'
import { forEachConcurrently } from '../../core/for_each_concurrently.ts'
import type { Id } from '../../core/id.ts'
import { uncopyPictures } from '../../moderation/retention/index.ts'
import { c, query, type Row } from '../../platform/database/index.ts'
import { OutgoingFailure } from '../../platform/http_client/index.ts'
import { enqueue } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { copyPicture } from './pictures.ts'
import { resolveActor } from './resolve.ts'

const REMOTE_ACCOUNT = { id: c.id, uri: c.text, acct: c.text } as const
const list = query(
  'federation/remote_accounts/list',
  { domain: c.nullable(c.text), account: c.nullable(c.id), after: c.id, limit: c.integer },
  REMOTE_ACCOUNT,
)

/** An account of another server. */
export type RemoteAccount = Row<typeof REMOTE_ACCOUNT>

const BATCH_SIZE = 500

/** Accounts of other servers: all, those of a domain, or one. */
export async function* listRemoteAccounts(
  { database }: Services,
  { domain = null, account = null }: { domain?: string | null; account?: Id | null },
): AsyncGenerator<RemoteAccount> {
  for (let after: Id = '0'; ;) {
    const rows = await database.run(list, { domain, account, after, limit: BATCH_SIZE })
    yield* rows
    const last = rows.at(-1)
    if (!last) return
    after = last.id
  }
}

/**
 * Fetches an account of another server again, and enqueues new copies of its avatar and header.
 * @returns whether its server returned the account
 */
async function refreshAccount(services: Services, { id, uri }: RemoteAccount): Promise<boolean> {
  try {
    if ((await resolveActor(services, uri, { refresh: true })) === undefined) return false
  } catch (error) {
    if (!(error instanceof OutgoingFailure)) throw error
    return false
  }
  await services.database.transaction(async transaction => {
    const { files, kinds } = await uncopyPictures(transaction, [id])
    for (const kind of kinds) await enqueue(transaction, copyPicture, { account: id, kind })
    if (files.length > 0) await enqueue(transaction, removePictures, { keys: [...files] })
  })
  return true
}

interface Refreshing {
  readonly concurrency: number
  /** Nothing is fetched. */
  readonly dryRun?: boolean
  readonly signal?: AbortSignal
  /** Called after each account. */
  each(account: RemoteAccount, isRefreshed: boolean): Promise<void> | void
}

/** Fetches accounts of other servers again. @throws the signal's reason */
export const refreshAccounts = (
  services: Services,
  which: { readonly domain?: string | null; readonly account?: Id | null },
  { concurrency, dryRun = false, signal, each }: Refreshing,
): Promise<void> =>
  forEachConcurrently(listRemoteAccounts(services, which), concurrency, async account => {
    signal?.throwIfAborted()
    await each(account, dryRun || (await refreshAccount(services, account)))
  })
