import { accountFragments } from '../accounts/index.ts'
import type { Id } from '../core/id.ts'
import type { Services } from '../platform/services.ts'
import { authors } from './authors.ts'
import { viewerFilters } from './filters/index.ts'
import { interactionIndex } from './interaction_index.ts'
import { statusFragments } from './load.ts'
import { viewerStates } from './viewer_states.ts'

/**
 * Starts loading the viewer's filters, which every page of statuses needs: then they share a round
 * trip with the statement that finds the page.
 */
function prefetchFilters(services: Services, viewer: Id): void {
  viewerFilters(services).prefetch(viewer)
}

/** The same, and the viewer's interactions, which pages of statuses of others need. */
export function prefetchViewer(services: Services, viewer: Id): void {
  interactionIndex(services).prefetch(viewer)
  prefetchFilters(services, viewer)
}

/** As `prefetchFilters`, and the viewer as an author: most notifications are about own statuses. */
export function prefetchOwn(services: Services, viewer: Id): void {
  authors(services).prefetch(viewer)
  accountFragments(services).prefetch(viewer)
  prefetchFilters(services, viewer)
}

/** What may be known of a status before it is loaded. */
export interface StatusOutline {
  readonly author: Id
  readonly boosted: { readonly id: Id; readonly author: Id } | null
}

/**
 * Starts loading what a page with these statuses needs, if some of them are not in memory: the
 * statuses, their authors and the viewer's states then share a round trip. Call `prefetchViewer`
 * before.
 */
export function prefetchPage(
  services: Services,
  viewer: Id,
  ids: readonly Id[],
  outlineOf: (id: Id) => StatusOutline | undefined,
): void {
  const statuses = statusFragments(services)
  if (ids.every(id => statuses.has(id))) return
  const interactions = interactionIndex(services)
  const touched: Id[] = []
  const prefetch = (id: Id, author: Id): void => {
    statuses.prefetch(id)
    authors(services).prefetch(author)
    accountFragments(services).prefetch(author)
    if (!interactions.peek(viewer, id)) touched.push(id)
  }
  for (const id of ids) {
    const outline = outlineOf(id)
    if (!outline) continue
    prefetch(id, outline.author)
    if (outline.boosted) prefetch(outline.boosted.id, outline.boosted.author)
  }
  if (touched.length > 0) viewerStates(services).prefetch(viewer, touched)
}
