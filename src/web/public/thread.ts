import type { Context } from '../../platform/http/index.ts'
import type { Id } from '../../core/id.ts'
import { html, type Content } from '../../platform/ui/index.ts'
import type { Translator } from '../../platform/i18n/index.ts'
import { findThread } from '../../statuses/index.ts'
import type { ShownStatus } from './entities.ts'
import { PAGE_SIZE, readStatuses } from './feed.ts'
import type { Visitor } from './public_page.ts'
import { statusArticle } from './status_html.ts'

const LIMITS = { ancestors: 40, descendants: 1000, depth: 100, bytes: 4 * 1024 * 1024 } as const

/** The last page of replies. */
export const MAX_PAGE = Math.ceil(LIMITS.descendants / PAGE_SIZE)

/** The statuses around one: all above it, and one page of those below. */
export interface ShownThread {
  readonly ancestors: readonly ShownStatus[]
  readonly replies: readonly ShownStatus[]
  readonly page: number
  readonly hasMore: boolean
}

/** @param page from 1; the ancestors stand on the first only */
export async function readThread(context: Context, visitor: Visitor, id: Id, page: number): Promise<ShownThread> {
  const { ancestors, descendants } = await findThread(context.database, visitor.viewer?.id ?? null, id, LIMITS)
  const above = page === 1 ? ancestors : []
  const below = descendants.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
  const shown = await readStatuses(context, visitor, [...above, ...below])
  const isAbove = new Set(above)
  return {
    ancestors: shown.filter(one => isAbove.has(one.id)),
    replies: shown.filter(one => !isAbove.has(one.id)),
    page,
    hasMore: descendants.length > page * PAGE_SIZE,
  }
}

/** @param path of the status's page */
export function repliesHtml({ replies, page, hasMore }: ShownThread, path: string, translator: Translator): Content {
  if (replies.length === 0 && page === 1) return null
  const { t } = translator
  const before = page === 2 ? path : `${path}?page=${page - 1}`
  return html`<section aria-labelledby="replies">
    <h2 id="replies">${t('thread.replies')}</h2>
    ${replies.map(reply => statusArticle(reply, translator))}
    <nav class="turn" aria-label="${t('thread.pages')}">
      ${page > 1 && html`<a rel="prev" href="${before}">${t('thread.previous')}</a>`}
      ${hasMore && html`<a rel="next" href="${path}?page=${page + 1}">${t('thread.next')}</a>`}
    </nav>
  </section>`
}
