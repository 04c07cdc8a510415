import type { Viewer } from '../../core/viewer.ts'

/** The page for the step that an account needs before it can be used; undefined if it is usable. */
export function requiredStep(viewer: Viewer): string | undefined {
  if (viewer.state === 'unconfirmed') return '/auth/setup'
  if (viewer.missingFactor && !viewer.suspended) return '/settings/two_factor_authentication_methods'
  return viewer.suspended || viewer.state !== 'functional' ? '/auth/edit' : undefined
}
