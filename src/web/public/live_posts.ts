import { concatMap, filter, from, share, type Observable } from 'rxjs'
import { perServer, type Services } from '../../platform/services.ts'
import { translatorFor, type TextLanguage } from '../../platform/i18n/index.ts'
import { html } from '../../platform/ui/index.ts'
import { isStatusEvent, type LoggedEvent, type StatusEvent } from '../../platform/events/index.ts'
import type { Id } from '../../core/id.ts'
import type { ShownStatus } from './entities.ts'
import { isForSearch, readStatuses } from './feed.ts'
import { statusArticle } from './status_html.ts'

/** A change of the local timeline: the HTML of a post, or undefined when it was deleted. */
export interface LivePost {
  readonly id: Id
  readonly change: 'created' | 'updated' | 'deleted'
  readonly html: string | undefined
  /** Whether it may be on a page that search engines find. */
  readonly forSearch: boolean
}

/** Whether a status belongs to the local timeline that everybody may read. */
function isListed(event: LoggedEvent): event is StatusEvent {
  if (!isStatusEvent(event) || event.status_id === null) return false
  const { local, visibility, silenced, reblog_of_id, in_reply_to_id, in_reply_to_account_id } = event.data
  if (!local || visibility !== 'public' || reblog_of_id !== null) return false
  if (event.kind === 'status.deleted') return true
  const isReply = in_reply_to_id !== null || in_reply_to_account_id !== null
  return !silenced && (!isReply || in_reply_to_account_id === event.actor_id)
}

/** A post as the page shows it, findable by its id. */
export const livePost = (status: ShownStatus, language: TextLanguage): string =>
  html`<div data-status="${status.id}">${statusArticle(status, translatorFor(language))}</div>`.text

/**
 * The posts of the local timeline as they happen, as an anonymous visitor sees them. Each is
 * rendered once for all readers of a language, and only while there are readers.
 */
export const livePosts = perServer(services => {
  const byLanguage = new Map<TextLanguage, Observable<LivePost>>()
  const listed$ = services.events.log$.pipe(filter(isListed))

  return (language: TextLanguage): Observable<LivePost> => {
    let posts$ = byLanguage.get(language)
    if (!posts$) {
      posts$ = listed$.pipe(
        concatMap(event => from(render(services, event, language))),
        filter(post => post !== undefined),
        share(),
      )
      byLanguage.set(language, posts$)
    }
    return posts$
  }
})

async function render(
  services: Services,
  { kind, status_id: id }: StatusEvent,
  language: TextLanguage,
): Promise<LivePost | undefined> {
  if (id === null) return undefined
  if (kind === 'status.deleted') return { id, change: 'deleted', html: undefined, forSearch: true }
  try {
    const [status] = await readStatuses(services, { viewer: null }, [id])
    const change = kind === 'status.created' ? 'created' : 'updated'
    return status && { id, change, html: livePost(status, language), forSearch: isForSearch(services)(status) }
  } catch (error) {
    services.logger.warn({ err: error, status: id }, 'a post could not be rendered for the live timeline')
    return undefined
  }
}
