import { c, query } from '../platform/database/index.ts'
import type { Id } from '../core/id.ts'
import { idIn, job } from '../platform/jobs/index.ts'
import { OutgoingFailure } from '../platform/http_client/index.ts'
import type { Services } from '../platform/services.ts'
import { verifiableUrl } from '../core/text/index.ts'

const findFields = query('accounts/unverified_fields', { account: c.id }, { username: c.text, values: c.texts })
const verify = query('accounts/verify_fields', { account: c.id, values: c.texts }, { id: c.id, events: c.events })

/**
 * Checks which pages in a profile's fields link back to it, and marks those fields as verified. An
 * unreachable page does not affect the other fields; it is retried.
 */
export const verifyFields = job<{ account: Id }, Services>(
  'accounts.verify_fields',
  payload => ({ account: idIn(payload, 'account') }),
  async ({ account }, { database, config, outgoing }, { signal, lastAttempt }) => {
    const row = await database.one(findFields, { account })
    const profileUrl = `${config.publicUrl}/@${row?.username ?? ''}`
    // The parser takes 2 MB, which not every server needs.
    const { linksBack } = await import('./backlink.ts')
    const values: string[] = []
    let failed: OutgoingFailure | undefined
    for (const value of row?.values ?? []) {
      const url = verifiableUrl(value)
      if (url === null) continue
      try {
        if (await linksBack(outgoing, url, profileUrl, signal)) values.push(value)
      } catch (error) {
        if (!(error instanceof OutgoingFailure)) throw error
        if (error.reason !== 'refused') failed = error
      }
    }
    if (values.length > 0) await database.run(verify, { account, values })
    if (failed && !lastAttempt) throw failed
  },
  { attempts: 4, priority: 10 },
)
