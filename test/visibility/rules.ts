import { FOLLOWERS, MENTIONED, PEOPLE, type Viewer, type Visibility } from './cast.ts'

/** The state of the author after posting. */
export type AuthorState = 'fine' | 'suspended' | 'unconfirmed'

const isPerson = (viewer: Viewer): boolean => PEOPLE.some(name => name === viewer)
const isSevered = (viewer: Viewer): boolean => viewer === 'blocked' || viewer === 'blocking'

/** The viewers who may see a status: the rule from which all expectations follow. */
export function maySee(visibility: Visibility, viewer: Viewer, fate: AuthorState): boolean {
  if (fate !== 'fine' || viewer === 'blocked') return false
  if (visibility === 'public' || visibility === 'unlisted' || viewer === 'author') return true
  if (MENTIONED.includes(viewer)) return true
  return visibility === 'private' && FOLLOWERS.includes(viewer)
}

/** The places where a viewer who may see a status finds it. */
const PLACES = {
  alone: () => true,
  /** Reads that require a token, which may be an application's. */
  withToken: (_, viewer) => viewer !== 'anonymous',
  kept: (_, viewer) => isPerson(viewer),
  /** Omits authors whom the viewer blocks. */
  wanted: (_, viewer) => viewer !== 'blocking',
  home: (_, viewer) => viewer === 'author' || FOLLOWERS.includes(viewer),
  list: (visibility, viewer) => FOLLOWERS.includes(viewer) && visibility !== 'direct',
  everybody: (visibility, viewer) => visibility === 'public' && !isSevered(viewer),
  /** Streams require a user. */
  everybodyLive: (visibility, viewer) => visibility === 'public' && isPerson(viewer) && !isSevered(viewer),
  /** Includes filtered ones: direct mentions by accounts that the viewer does not follow. */
  notified: (_, viewer) => viewer === 'friend' || viewer === 'mentioned',
  notifiedLive: (visibility, viewer) => viewer === 'friend' || (viewer === 'mentioned' && visibility !== 'direct'),
  /** The user stream carries the home timeline and the notifications. */
  homeLive: (visibility, viewer) =>
    viewer === 'author' || FOLLOWERS.includes(viewer) || (viewer === 'mentioned' && visibility !== 'direct'),
  conversation: (visibility, viewer) => visibility === 'direct' && (viewer === 'author' || viewer === 'friend'),
} satisfies Record<string, (visibility: Visibility, viewer: Viewer) => boolean>

export type Place = keyof typeof PLACES

export const isExpected = (place: Place, visibility: Visibility, viewer: Viewer, fate: AuthorState): boolean =>
  maySee(visibility, viewer, fate) && PLACES[place](visibility, viewer)
