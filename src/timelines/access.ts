import { hasPermission } from '../core/permissions.ts'
import { ApiError } from '../core/errors.ts'
import type { Viewer } from '../core/viewer.ts'
import type { Settings } from '../platform/settings/index.ts'

/** The parts of a feed: statuses of this server, and of others. */
export interface Parts {
  readonly local: boolean
  readonly remote: boolean
}

/**
 * The parts of a feed that the caller may read.
 * @param feed live: the public timeline; topic: timelines of hashtags and links
 * @param only the requested parts; none or both mean all
 * @throws ApiError functionalUserRequired for an anonymous caller when the requested parts are not
 * open to everybody
 */
export function accessibleParts(settings: Settings, viewer: Viewer | null, feed: 'live' | 'topic', only: Parts): Parts {
  const access = {
    local: settings.get(`local_${feed}_feed_access`),
    remote: settings.get(`remote_${feed}_feed_access`),
  }
  const looked = only.local ? [access.local] : only.remote ? [access.remote] : [access.local, access.remote]
  // Users who cannot use the server now count as anonymous.
  const isFunctional = viewer?.state === 'functional' && !viewer.suspended
  if (looked.some(setting => setting !== 'public') && !isFunctional) throw new ApiError('functionalUserRequired')
  const may = (setting: string): boolean => {
    if (setting === 'public') return true
    if (!isFunctional) return false
    return setting === 'authenticated' || hasPermission(viewer, 'view_feeds')
  }
  const all = only.local === only.remote
  return { local: (all || only.local) && may(access.local), remote: (all || only.remote) && may(access.remote) }
}

/** The parts of a feed that everybody may read. */
export const publicParts = (settings: Settings, feed: 'live' | 'topic'): Parts => ({
  local: settings.get(`local_${feed}_feed_access`) === 'public',
  remote: settings.get(`remote_${feed}_feed_access`) === 'public',
})
