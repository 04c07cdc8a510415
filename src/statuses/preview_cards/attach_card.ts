import { c, query } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { idIn, job, memberOf, type JobRun } from '../../platform/jobs/index.ts'
import { OutgoingFailure } from '../../platform/http_client/index.ts'
import type { Services } from '../../platform/services.ts'
import { fetchCard } from './fetch.ts'
import { firstLink, leadsElsewhere, normaliseUrl } from './first_link.ts'
import { storeCard } from './store.ts'

const findLinking = query(
  'statuses/preview_cards/linking',
  { status: c.id },
  { local: c.boolean, source: c.text, has_room: c.boolean, mentioned: c.texts },
)
const findStored = query('statuses/preview_cards/find', { url: c.text }, { id: c.id, fetched_at: c.timestamp })
const show = query(
  'statuses/preview_cards/show',
  { status: c.id, source: c.text, card: c.nullable(c.id), url: c.nullable(c.text) },
  { events: c.events },
)

/** The age after which a page is fetched again for the next status that links to it. */
const FRESH_MS = 14 * 24 * 60 * 60 * 1000
/**
 * A status of another server whose turn comes later gets no card: a relay that brings more links
 * than can be fetched would have all wait longer and longer.
 */
const MAX_WAIT_MS = 6 * 60 * 60 * 1000

function chosenIn(payload: unknown): string | undefined {
  const link = memberOf(payload, 'link')
  return typeof link === 'string' ? link : undefined
}

/**
 * Gives a status the preview card of the link that its server chose, else of its first link, or
 * removes it. Enqueued by `enqueue_preview` in SQL.
 */
export const attachPreview = job<{ status_id: Id; link?: string | undefined }, Services>(
  'preview_cards.attach',
  payload => ({ status_id: idIn(payload, 'status_id'), link: chosenIn(payload) }),
  async ({ status_id: status, link: chosen }, services, run) => {
    const { database, config } = services
    const linking = await database.one(findLinking, { status })
    if (!linking) return
    const { local, source, has_room: hasRoom, mentioned } = linking
    if (!local && run.enqueuedAt.getTime() < Date.now() - MAX_WAIT_MS) return
    const find = async (): Promise<string | undefined> => {
      if (local) return firstLink(source, config)
      if (chosen !== undefined && leadsElsewhere(chosen, config)) return chosen
      return (await import('./link_in_html.ts')).linkInHtml(source, config, mentioned)
    }
    const link = hasRoom ? await find() : undefined
    const url = link === undefined ? undefined : normaliseUrl(link)
    const card = url === undefined ? null : await cardOf(services, url, run)
    await database.run(show, { status, source, card, url: card === null ? null : (link ?? null) })
  },
  { attempts: 3, priority: 10 },
)

/** The card of a page, fetched unless it is fresh; null when it has none. */
async function cardOf(services: Services, url: string, { lastAttempt, signal }: JobRun): Promise<Id | null> {
  const known = await services.database.one(findStored, { url })
  if (known && known.fetched_at.getTime() > Date.now() - FRESH_MS) return known.id
  try {
    const facts = await fetchCard(services, url, { signal })
    return facts ? await storeCard(services, url, facts, signal) : (known?.id ?? null)
  } catch (error) {
    if (!(error instanceof OutgoingFailure) || !lastAttempt) throw error
    services.logger.debug({ err: error }, 'linked page could not be reached')
    return known?.id ?? null
  }
}
