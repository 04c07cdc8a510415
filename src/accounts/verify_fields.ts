import { c, query } from '../platform/database/index.ts'
import type { Id } from '../core/id.ts'
import { idIn, job } from '../platform/jobs/index.ts'
import { OutgoingFailure } from '../platform/http_client/index.ts'
import type { Services } from '../platform/services.ts'
import { verifiableUrl } from '../core/text/index.ts'

const findFields = query('accounts/unverified_fields', { account: c.id }, { username: c.text, values: c.texts })
const verify = query('accounts/verify_fields', { account: c.id, values: c.texts }, { id: c.id, events: c.events })

/** The longest time in which a further page is requested in one run. */
const MAX_MS = 60_000

interface LinksToVerify {
  /** The page of the account. */
  profileUrl: string
  links: readonly { value: string; url: string }[]
  signal: AbortSignal
  /** Wraps each request. */
  request?: (url: string, check: () => Promise<boolean>) => Promise<boolean>
}

/**
 * Marks the fields of an account as verified whose pages link back to its page. An unreachable page
 * does not affect the other fields.
 * @returns the failure of a page for which another attempt is worth while
 */
export async function verifyLinks(
  { database, outgoing }: Pick<Services, 'database' | 'outgoing'>,
  account: Id,
  { profileUrl, links, signal, request = (_, check) => check() }: LinksToVerify,
): Promise<OutgoingFailure | undefined> {
  // The parser takes 2 MB, which not every server needs.
  const { linksBack } = await import('./backlink.ts')
  const values: string[] = []
  const endMs = performance.now() + MAX_MS
  let failed: OutgoingFailure | undefined
  for (const { value, url } of links) {
    if (performance.now() > endMs) break
    try {
      if (await request(url, () => linksBack(outgoing, url, profileUrl, signal))) values.push(value)
    } catch (error) {
      if (!(error instanceof OutgoingFailure)) throw error
      if (error.reason !== 'refused') failed = error
    }
  }
  if (values.length > 0) await database.run(verify, { account, values })
  return failed
}

/**
 * Checks which pages in a profile's fields link back to it, and marks those fields as verified. An
 * unreachable page does not affect the other fields; it is retried.
 */
export const verifyFields = job<{ account: Id }, Services>(
  'accounts.verify_fields',
  payload => ({ account: idIn(payload, 'account') }),
  async ({ account }, services, { signal, lastAttempt }) => {
    const row = await services.database.one(findFields, { account })
    const profileUrl = `${services.config.publicUrl}/@${row?.username ?? ''}`
    const links = (row?.values ?? []).flatMap(value => {
      const url = verifiableUrl(value)
      return url === null ? [] : [{ value, url }]
    })
    const failed = await verifyLinks(services, account, { profileUrl, links, signal })
    if (failed && !lastAttempt) throw failed
  },
  { attempts: 4, priority: 10 },
)
