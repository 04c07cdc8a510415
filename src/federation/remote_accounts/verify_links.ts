import { verifyLinks, type StoredField } from '../../accounts/index.ts'
import type { Id } from '../../core/id.ts'
import { htmlToText, verifiableUrl } from '../../core/text/index.ts'
import { c, query } from '../../platform/database/index.ts'
import { idIn, job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { waitingBudget } from '../fetch/index.ts'

const find = query(
  'federation/remote_accounts/profile_links',
  { account: c.id },
  { page: c.text, fields: c.json<StoredField[]>() },
)

/** Anybody can make accounts: their fields must not make many requests to others. */
const MAX_LINKS = 8

const ONLY_LINK = /^<a href="([^"]*)"[^>]*>((?:(?!<\/?a\b)[^])*)<\/a>$/

/**
 * The URL of a sanitised field that is nothing but a link. Null if it shows another text than its
 * URL, which would look as if that was verified.
 */
function linkOf(html: string): string | null {
  const [, href = '', text = ''] = ONLY_LINK.exec(html.trim()) ?? []
  const url = htmlToText(href)
  return htmlToText(text) === url ? verifiableUrl(url) : null
}

/**
 * Checks which pages in the profile fields of an account of another server link back to its page,
 * and marks those fields as verified.
 */
export const verifyRemoteLinks = job<{ account: Id }, Services>(
  'federation.verify_links',
  payload => ({ account: idIn(payload, 'account') }),
  async ({ account }, services, { signal, lastAttempt }) => {
    const row = await services.database.one(find, { account })
    if (!row) return
    const links = row.fields.flatMap(({ value, value_html, verified_at }) => {
      const url = verified_at === null ? linkOf(value_html) : null
      return url === null ? [] : [{ value, url }]
    })
    const budget = waitingBudget(services)
    const failed = await verifyLinks(services, account, {
      profileUrl: row.page,
      links: links.slice(0, MAX_LINKS),
      signal,
      request: (url, check) => budget.run(url, check),
    })
    if (failed && !lastAttempt) throw failed
  },
  { attempts: 3, priority: 20 },
)

const SOONEST_MS = 60_000
const SPREAD_MS = 9 * 60_000

/** A time within some minutes: many servers learn of a changed profile at once. */
export const timeToVerify = (): Date => new Date(Date.now() + SOONEST_MS + Math.random() * SPREAD_MS)
