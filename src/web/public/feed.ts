import type { Id } from '../../core/id.ts'
import { html, type Content, type Html } from '../../platform/ui/index.ts'
import type { Services } from '../../platform/services.ts'
import { renderStatuses } from '../../statuses/index.ts'
import type { Translator } from '../../platform/i18n/index.ts'
import { originsOf, parseStatus, type ShownStatus } from './entities.ts'
import { statusArticle } from './status_html.ts'
import type { Visitor } from './public_page.ts'

/** Statuses per page. */
export const PAGE_SIZE = 20

/** A page of statuses, newest first. */
export interface Feed {
  readonly statuses: readonly ShownStatus[]
  /** The `max_id` of the next page; undefined on the last one. */
  readonly below: Id | undefined
  /** Whether it is not the first page. */
  readonly isLater: boolean
}

/** The statuses with these ids, as far as the visitor may see them. */
export async function readStatuses(
  services: Services,
  { viewer }: Pick<Visitor, 'viewer'>,
  ids: readonly Id[],
): Promise<ShownStatus[]> {
  const rendered = await renderStatuses(services, viewer, ids)
  return ids.flatMap(id => {
    const status = rendered.get(id)
    return status ? parseStatus(status) : []
  })
}

/**
 * Whether a status may be on a page that search engines find: its author, and that of a quoted
 * status, did not opt out. Where nobody is to be found unless they ask for it, the page itself is
 * not, and shows all.
 */
export const isForSearch =
  ({ settings }: Pick<Services, 'settings'>) =>
  ({ account, quote }: ShownStatus): boolean =>
    settings.get('noindex') || (account.noindex !== true && quote?.quoted_status?.account.noindex !== true)

/**
 * @param page at most `PAGE_SIZE` ids below `max_id`; `stoppedAt`: there may be more below this
 * one, although the page is not full
 */
export async function readFeed(
  services: Services,
  visitor: Pick<Visitor, 'viewer'>,
  { ids, stoppedAt }: { readonly ids: readonly Id[]; readonly stoppedAt?: Id | undefined },
  max_id: Id | undefined,
): Promise<Feed> {
  const statuses = await readStatuses(services, visitor, ids)
  const below = stoppedAt ?? (ids.length < PAGE_SIZE ? undefined : ids.at(-1))
  return { statuses, below, isLater: max_id !== undefined }
}

export const originsOfAll = (statuses: readonly ShownStatus[]): string[] => [...new Set(statuses.flatMap(originsOf))]

/** @param path of the page, without parameters */
export function feedHtml({ statuses, below, isLater }: Feed, path: string, translator: Translator): Content {
  const { t } = translator
  const articles: readonly Html[] = statuses.map(status => statusArticle(status, translator))
  if (articles.length === 0 && !isLater && below === undefined) return html`<p class="card quiet">${t('feed.none')}</p>`
  return html`${articles}
    <nav class="turn">
      ${isLater && html`<a href="${path}">${t('feed.newest')}</a>`}
      ${below !== undefined && html`<a rel="next" href="${path}?max_id=${below}">${t('feed.older')}</a>`}
    </nav>`
}
