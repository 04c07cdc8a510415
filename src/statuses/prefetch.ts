import { accountFragments } from '../accounts/index.ts'
import type { Id } from '../core/id.ts'
import type { Services } from '../platform/services.ts'
import { authors } from './authors.ts'
import { viewerFilters } from './filters/index.ts'
import { interactionIndex } from './interaction_index.ts'

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
