import type { Viewer } from '../../core/viewer.ts'

/** The page of the account where somebody has to go first who cannot use the server yet, or no longer; undefined when all is well. */
export function requiredStep(viewer: Viewer): string | undefined {
  if (viewer.state === 'unconfirmed') return '/auth/setup'
  if (viewer.missingFactor && !viewer.suspended) return '/settings/two_factor_authentication_methods'
  return viewer.suspended || viewer.state !== 'functional' ? '/auth/edit' : undefined
}
